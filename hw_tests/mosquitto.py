"""A real Mosquitto for tests, on a free port of the loopback; and a client that collects."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.subscribeoptions import SubscribeOptions

PROGRAM = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
SKIPPED = "NOT TESTED against a broker: mosquitto is not installed (apt install mosquitto)"
needed = pytest.mark.skipif(PROGRAM is None, reason=SKIPPED)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait(until: Callable[[], Any], seconds: float = 30.0, what: str = "") -> Any:
    end = time.monotonic() + seconds
    while not (found := until()):
        assert time.monotonic() < end, f"waited {seconds} s in vain {what}"
        time.sleep(0.02)
    return found


class Mosquitto:
    """Forgets everything when it is killed: it has no persistence."""

    def __init__(self, folder: Path, *lines: str) -> None:
        self.port = free_port()
        self._conf = folder / "mosquitto.conf"
        settings = lines or ("allow_anonymous true",)
        listener = f"listener {self.port} 127.0.0.1"
        self._conf.write_text("\n".join(["user root", listener, "persistence false", *settings]))
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        assert PROGRAM is not None
        self._process = subprocess.Popen(
            [PROGRAM, "-c", str(self._conf)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait(self._answers, what="for mosquitto")

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, f"mosquitto does not start with {self._conf}"
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def pause(self) -> None:
        """Connected still, and answers nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"


class Listener:
    """Collects what it hears: `retained` holds the newest of each topic, `messages` all."""

    def __init__(
        self, broker: Mosquitto, *topics: str, user: str | None = None, password: str = ""
    ) -> None:
        self.messages: list[tuple[str, bytes]] = []
        self.retained: dict[str, bytes] = {}
        self.reason: Any = None
        self.client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
        self.client.reconnect_delay_set(0.05, 0.05)  # back before the table is, which waits longer
        if user is not None:
            self.client.username_pw_set(user, password)
        options = SubscribeOptions(qos=1, retainAsPublished=True)
        self._topics = [(topic, options) for topic in topics or ("#",)]
        self.client.on_connect = self._on_connect
        self.client.on_message = self._on_message
        self.client.connect("127.0.0.1", broker.port)
        self.client.loop_start()
        wait(lambda: self.reason is not None, what="for an answer to CONNECT")

    def _on_connect(self, client, userdata, flags, reason, properties) -> None:
        if not reason.is_failure:
            client.subscribe(self._topics)
        self.reason = reason

    def _on_message(self, client, userdata, message) -> None:
        self.messages.append((message.topic, message.payload))
        if message.retain:
            self.retained[message.topic] = message.payload

    def json(self, topic: str) -> Any:
        return json.loads(self.retained[topic])

    def of(self, topic: str) -> list[Any]:
        return [json.loads(data) for at, data in list(self.messages) if at == topic]

    def say(self, topic: str, payload: Any, *, retain: bool = False) -> None:
        data = payload if isinstance(payload, str | bytes) else json.dumps(payload)
        self.client.publish(topic, data, qos=1, retain=retain)

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()
