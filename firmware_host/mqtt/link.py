"""The connection to the broker. The loop only drops events in a bounded queue; a thread of this
module says them, and says all that is retained again whenever the broker comes back."""

from __future__ import annotations

import logging
import secrets
import time
from collections import deque
from itertools import count
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from drivers.health import Health
from firmware_host.config import Config, ConfigError
from firmware_host.health import HealthWatch
from firmware_host.mqtt import discovery, topics
from firmware_host.mqtt.commands import LARGEST, Commands
from firmware_host.snapshot import Event
from firmware_host.table import Table

log = logging.getLogger("cavale.mqtt")

KEPT = 1000  # events while the broker is away; then the oldest go, and are counted
FLYING = 40  # events that the broker has not yet acknowledged
ABSENT = 0.3  # s, if there is no broker to say them to
LOOK = 0.5  # s between two looks at what no event tells of: notices, health
CONNECTING = 3.0  # s that a broker may take to answer
FAREWELL = 3.0  # s at most to say the last things, where nobody waits for us
SHORT = 3.0  # s; connections that all last less are taken away by somebody


class LinkError(ConfigError):
    """A broker that cannot even be tried: the message names key, value and remedy."""


class Address(NamedTuple):
    host: str
    port: int
    tls: bool


def address(url: str) -> Address:
    """mqtt://host[:1883] or mqtts://host[:8883]."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise LinkError(f"mqtt.url = {url!r}: {error}; write mqtt://host:1883") from None
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or parts.path not in ("", "/"):
        raise LinkError(f"mqtt.url = {url!r}: write mqtt://host:1883, or mqtts://host:8883 for TLS")
    if parts.username or parts.password:
        raise LinkError(
            "mqtt.url: a name or password does not belong in an address that others can read; "
            "use mqtt.user and mqtt.password_file"
        )
    tls = parts.scheme == "mqtts"
    return Address(parts.hostname, port or (8883 if tls else 1883), tls)


class Link:
    """One table on one broker: `heard` for its events, `open` once it is there, `close` at last."""

    def __init__(self, config: Config, healths: list[Health]) -> None:
        assert config.mqtt is not None
        self._part = config.mqtt
        self._name = config.name
        self._base = topics.base(config.name)
        self._health = HealthWatch(healths)
        self._run = secrets.token_hex(4)
        self._numbers = count(1)
        self._events: deque[tuple[int, Event]] = deque(maxlen=KEPT)
        self._replies: deque[bytes] = deque(maxlen=KEPT)
        self._found: deque[str] = deque(maxlen=KEPT)  # what lies on the broker under our name
        self._dropped = 0
        self._flying: set[int] = set()  # events on their way, by the client's numbers
        self._landed: deque[int] = deque()  # what the broker has acknowledged, events or not
        self._said: dict[str, bytes] = {}  # retained, on this connection
        self._announced: dict[str, dict[str, Any]] = {}
        self._connects = self._seen = 0
        self._up = False  # told so: the client says that it is connected a little earlier
        self._again: set[int] = set()  # of those flying, what the client says again by itself
        self._born = False  # has Home Assistant just started?
        self._wake = Flag()
        self._closing = False
        self._patience = FAREWELL
        self._complained: str | None = None
        self._since = 0.0  # when we were connected
        self._short = 0  # connections in a row that did not last
        self._commands: Commands | None = None
        self._table: Table | None = None
        self._thread = Thread(target=self._work, name="mqtt", daemon=True)
        self._address = address(self._part.url)
        self._client = self._made()

    # -- the loop's side ------------------------------------------------------------------------

    def heard(self, event: Event) -> None:
        """On the loop's thread: never waits, whatever the broker does."""
        if event.kind in topics.TOLD:
            if len(self._events) == KEPT:
                self._dropped += 1
            self._events.append((next(self._numbers), event))
        self._wake.set()

    def open(self, table: Table) -> None:
        self._table = table
        if self._part.commands:
            self._commands = Commands(
                table.inbox,
                lambda: table.snapshot,
                self._answer,
                time.monotonic,
                confirm=self._part.confirm,
            )
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.MaximumPacketSize = 4 * LARGEST
        self._client.connect_async(
            self._address.host, self._address.port, keepalive=20, properties=properties
        )
        self._client.loop_start()
        self._thread.start()

    def close(self, patience: float = FAREWELL) -> None:
        """Say what is left, then that we are gone, within so many seconds. What a broker does not
        take until then its own last will says for us."""
        if not self._client.is_connected():
            patience = min(patience, ABSENT)
        until = time.monotonic() + patience
        self._patience = patience / 2
        self._closing = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(patience)
        if self._client.is_connected():
            last = self._client.publish(
                f"{self._base}/{topics.STATUS}", topics.OFFLINE, qos=1, retain=True
            )
            try:
                last.wait_for_publish(max(0.05, until - time.monotonic()))
            except (RuntimeError, ValueError):
                pass  # it went just now: its last will says the same
        self._client.disconnect()
        # It may be trying a broker that does not answer, and cannot be called off.
        stopping = Thread(target=self._client.loop_stop, name="mqtt stop", daemon=True)
        stopping.start()
        stopping.join(max(0.05, until - time.monotonic()))

    # -- the connection -------------------------------------------------------------------------

    def _made(self) -> Client:
        part = self._part
        # The id is the table's name: of two tables with one name a broker lets only one in.
        client = Client(
            CallbackAPIVersion.VERSION2, client_id=f"cavale-{self._name}", protocol=MQTTv5
        )
        client.reconnect_delay_set(1, 15)
        client.connect_timeout = CONNECTING
        client.will_set(f"{self._base}/{topics.STATUS}", topics.OFFLINE, qos=1, retain=True)
        if part.user is not None:
            client.username_pw_set(part.user, _password(part.password_file))
        if self._address.tls:
            for key in ("ca", "cert", "key"):
                file = getattr(part, key)
                if file is not None and not Path(file).is_file():
                    raise LinkError(f"mqtt.{key} = {file!r}: there is no such file")
            client.tls_set(part.ca, part.cert, part.key)
        client.on_connect = self._on_connect
        client.on_connect_fail = self._on_connect_fail
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        client.on_publish = self._on_publish
        return client

    def _on_connect(self, client: Client, _: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self._complain(f"the broker refuses us: {reason}; check mqtt.user and its password")
            return
        self._since = time.monotonic()
        if not self._short:
            self._complained = None
        log.info("connected to %s as %s", self._part.url, self._base)
        mine = SubscribeOptions(qos=1, noLocal=True, retainAsPublished=True)
        wanted = [f"{self._base}/tracks/+", f"{self._base}/health/+", discovery.BIRTH]
        if self._commands is not None:
            wanted.append(f"{self._base}/{topics.COMMAND}")
        client.subscribe([(topic, mine) for topic in wanted])
        self._connects += 1
        self._up = True
        self._wake.set()

    def _on_connect_fail(self, client: Client, _: Any) -> None:
        self._complain(f"no broker at {self._part.url}; trying again, the game goes on")

    def _on_disconnect(
        self, client: Client, _: Any, flags: Any, reason: Any, properties: Any
    ) -> None:
        self._up = False
        self._short = self._short + 1 if time.monotonic() < self._since + SHORT else 0
        if self._closing:
            return
        if self._short > 1:
            self._complain(
                f"the broker drops us again and again: is another table called {self._name!r}? "
                "Each needs a name of its own in its table.toml"
            )
        else:
            self._complain(f"the broker is gone ({reason}); trying again, the game goes on")

    def _complain(self, why: str) -> None:
        """Once for each cause, not at every attempt."""
        if why != self._complained:
            self._complained = why
            log.warning("%s", why)

    def _on_message(self, client: Client, _: Any, message: MQTTMessage) -> None:
        data = bytes(message.payload)
        if message.topic == discovery.BIRTH:
            if data == topics.ONLINE.encode():
                self._born = True
                self._wake.set()
        elif message.topic == f"{self._base}/{topics.COMMAND}":
            if self._commands is not None and data:
                self._commands.received(data, retained=message.retain)
                if message.retain:  # else it would be refused again at every start
                    client.publish(message.topic, b"", retain=True)
        elif message.retain and data:
            self._found.append(message.topic)
            self._wake.set()

    def _on_publish(self, client: Client, _: Any, number: int, *more: Any) -> None:
        self._landed.append(number)
        self._wake.set()

    def _answer(self, reply: bytes) -> None:
        self._replies.append(reply)
        self._wake.set()

    # -- what is said ---------------------------------------------------------------------------

    def _work(self) -> None:
        while not self._closing:
            self._wake.wait(LOOK)
            self._wake.clear()
            self._say()
        until = time.monotonic() + self._patience
        while self._client.is_connected() and time.monotonic() < until:
            self._say()
            if not self._events and not self._flying:
                return
            self._wake.wait(0.05)
            self._wake.clear()

    def _say(self) -> None:
        if not self._client.is_connected() or not self._up:
            return
        if self._seen != self._connects:  # it may have forgotten everything
            self._seen = self._connects
            self._said.clear()
            self._again = set(self._flying)
        if self._born:
            self._born = False
            self._said.pop(discovery.topic(self._name), None)
        self._say_retained()
        while self._replies:
            self._client.publish(f"{self._base}/{topics.REPLY}", self._replies.popleft(), qos=1)
        while self._landed:
            landed = self._landed.popleft()
            self._flying.discard(landed)
            self._again.discard(landed)
        # What flew when the connection broke goes first, so that numbers come in order.
        while self._events and not self._again and len(self._flying) < FLYING:
            number, event = self._events.popleft()
            said = topics.event(self._run, number, event)
            # Not to be asked about its fate: if the connection has just gone, it says "failed" for
            # ever, though it arrives later.
            self._flying.add(self._client.publish(f"{self._base}/{topics.EVENT}", said, qos=1).mid)

    def _say_retained(self) -> None:
        assert self._table is not None
        shot, base, ours = self._table.snapshot, self._base, self._health.look()
        own = topics.payload(device="mqtt", state="ok", dropped=self._dropped)
        now = {f"{base}/{topics.STATUS}": topics.ONLINE.encode(), f"{base}/health/mqtt": own}
        for topic, said in (topics.game(shot) | topics.health(ours)).items():
            now[f"{base}/{topic}"] = said
        parts = discovery.components(self._name, shot, ours, commands=self._commands is not None)
        gone = {id: part for id, part in self._announced.items() if id not in parts}
        now[discovery.topic(self._name)] = discovery.payload(self._name, shot, parts, gone)
        self._announced |= parts
        while self._found:
            self._said.setdefault(self._found.popleft(), b"?")
        for topic in [topic for topic in self._said if topic not in now]:
            del self._said[topic]
            self._client.publish(topic, b"", retain=True)
        for topic, said in now.items():
            if self._said.get(topic) != said:
                self._said[topic] = said
                # Unacknowledged on purpose: one sent again after a reconnect could be stale.
                self._client.publish(topic, said, retain=True)


def _password(file: str | None) -> str | None:
    if file is None:
        return None
    try:
        return Path(file).read_text("utf-8").splitlines()[0].strip()
    except (OSError, UnicodeDecodeError, IndexError) as error:
        raise LinkError(
            f"mqtt.password_file = {file!r}: cannot be read ({error}); it holds the password as "
            "its first line, readable by the user that runs cavale"
        ) from None
