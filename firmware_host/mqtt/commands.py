"""What may be asked of the table: checked like any input, answered once, done once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from firmware_host.inbox import Begin, Inbox, Intend, Pause, Propose, TakeBack
from firmware_host.mqtt.topics import both, payload
from firmware_host.snapshot import Snapshot
from firmware_host.texts import TEXTS
from game_logic import GAMES, load
from game_logic.core import Act, Malformed, Text, decode_move

LARGEST = 4096  # bytes
REMEMBERED = 256  # requests whose answers are kept
BURST, RATE = 10.0, 4.0  # commands at once, and a second in the long run

Name = Annotated[str, Meta(min_length=1, max_length=32)]


class _Command(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", kw_only=True
):
    id: Annotated[str, Meta(min_length=1, max_length=64)]


class Move(_Command, frozen=True, tag="move"):
    seat: Annotated[int, Meta(ge=0, le=9)]
    move: dict[str, Any]
    seq: int | None = None  # the entry it answers


class Undo(_Command, frozen=True, tag="undo"):
    correction: bool = False  # also past what has come to light


class NewGame(_Command, frozen=True, tag="new_game"):
    game: str
    seats: Annotated[tuple[Name, ...], Meta(max_length=8)]
    options: dict[str, Any] = {}


class PauseGame(_Command, frozen=True, tag="pause"):
    on: bool | None = None  # None: the other way round, as a button does


class Refused(Exception):
    """A command that is not passed on: a stable code, and why."""

    def __init__(self, code: str, text: Text) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text


class Commands:
    """`received` may be called on any thread; `answer` is called on any, and must not wait."""

    def __init__(
        self,
        inbox: Inbox,
        snapshot: Callable[[], Snapshot],
        answer: Callable[[bytes], None],
        now: Callable[[], float],
        *,
        confirm: bool,
    ) -> None:
        self._inbox = inbox
        self._snapshot = snapshot
        self._answer = answer
        self._now = now
        self._confirm = confirm
        self._replies: OrderedDict[str, bytes | None] = OrderedDict()  # None: not yet known
        self._lock = Lock()  # requests come on the broker's thread, answers on the loop's
        self._tokens = BURST
        self._at = now()

    def received(self, data: bytes, *, retained: bool) -> None:
        id: str | None = None
        try:
            self._limit()
            if len(data) > LARGEST:
                raise Refused("too_long", TEXTS("command_too_long", most=LARGEST))
            command = _decode(data)
            id = command.id
            if retained:  # it would be done again at every start
                raise Refused("retained", TEXTS("command_retained"))
            with self._lock:
                again, known = id in self._replies, self._replies.get(id)
            if again:
                if known is not None:
                    self._answer(known)
                return
            self._remember(id, None)
            self._pass_on(command)
        except Refused as refusal:
            reply = _reply(id, refusal.code, refusal.text)
            if id is not None and not retained:
                self._remember(id, reply)
            self._answer(reply)

    def _limit(self) -> None:
        now = self._now()
        self._tokens = min(BURST, self._tokens + (now - self._at) * RATE)
        self._at = now
        if self._tokens < 1.0:
            raise Refused("too_fast", TEXTS("command_too_fast"))
        self._tokens -= 1.0

    def _remember(self, id: str, reply: bytes | None) -> None:
        with self._lock:
            self._replies[id] = reply
            while len(self._replies) > REMEMBERED:
                self._replies.popitem(last=False)

    def _pass_on(self, command: Move | Undo | NewGame | PauseGame) -> None:
        def reply(why: Text | None) -> None:
            said = _reply(command.id, None if why is None else "refused", why)
            self._remember(command.id, said)
            self._answer(said)

        match command:
            case Move():
                self._inbox.put(self._move(command, reply))
            case Undo():
                asked = TEXTS("proposal_correction" if command.correction else "proposal_undo")
                self._ask(asked, TakeBack(command.correction, reply))
            case NewGame():
                title = _check(command).title
                begin = Begin(
                    command.game, command.seats, command.options, abandon=True, reply=reply
                )
                self._ask(TEXTS("proposal_begin", game=title), begin)
            case PauseGame():
                on = not self._snapshot().paused if command.on is None else command.on
                self._inbox.put(Pause(on, reply))

    def _ask(self, text: Text, wish: TakeBack | Begin) -> None:
        self._inbox.put(Propose(text, wish) if self._confirm else wish)

    def _move(self, command: Move, reply: Callable[[Text | None], None]) -> Intend:
        record = self._snapshot().record
        if record is None or record.ended:
            raise Refused("no_game", TEXTS("no_game"))
        try:
            move = decode_move(record.game, command.move)
        except Malformed as error:
            raise Refused("malformed", Text(str(error), str(error))) from None
        if record.game.secret(record.state, move, command.seat):
            raise Refused("secret", TEXTS("command_secret"))
        # Bound to the state it was judged in: in another one it could be a secret.
        if command.seq not in (None, record.seq):
            raise Refused("stale", TEXTS("stale"))
        return Intend((Act(command.seat, move),), record.seq, reply)


def _decode(data: bytes) -> Move | Undo | NewGame | PauseGame:
    try:
        return msgspec.json.decode(data, type=Move | Undo | NewGame | PauseGame)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("malformed", Text(str(error), str(error))) from None


def _check(command: NewGame) -> Any:
    if command.game not in GAMES:
        raise Refused("no_such_game", TEXTS("command_no_game", games=", ".join(GAMES)))
    game = load(command.game)
    try:
        game.new(command.seats, command.options)
    except Malformed as error:
        raise Refused("malformed", Text(str(error), str(error))) from None
    return game


def _reply(id: str | None, code: str | None, why: Text | None) -> bytes:
    return payload(id=id, ok=code is None, code=code, why=why and both(why))
