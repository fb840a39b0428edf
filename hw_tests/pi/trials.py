"""A table on trial: every part is tried once with the help of a person, who is asked for one thing
at a time. `people.py` has the person at the terminal, and the simulated one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import SystemRandom
from typing import Any, NamedTuple, Protocol

from PIL import Image

from drivers.clock import Clock
from drivers.tower_protocol import Roll
from firmware_host.canvas import Canvas
from firmware_host.config import Config
from firmware_host.inbox import Begin
from firmware_host.journal import InlineWriter, Journal
from firmware_host.parts import Parts
from firmware_host.sighting import Grade, Sighting, Sightings
from firmware_host.snapshot import Event
from firmware_host.table import Table
from game_logic import load
from game_logic.core import Piece, Text

PATIENCE = 60.0  # s that a person is given for each thing
STILL = 1.0  # s that the table must see the same

WORDS = {
    "press": Text("appuyez sur le bouton {what}", "press the button {what}"),
    "put": Text("posez {piece} : {place} ({what})", "put {piece}: {place} ({what})"),
    "take": Text("ôtez-le : {place} ({what})", "take it away: {place} ({what})"),
    "pass": Text("passez une pièce par {what}", "pass a piece through {what}"),
    "lay": Text("posez une pièce à étiquette sur le lecteur {what}", "lay a tag on reader {what}"),
    "lift": Text("ôtez-la du lecteur {what}", "lift it off reader {what}"),
    "throw": Text("lancez les dés : {what}", "throw the dice: {what}"),
    "drop": Text("laissez tomber un dé dans la tour", "let a die fall down the chute"),
    "move": Text("faites un coup, comme l'écran le dit", "make one move, as the screen says"),
    "screen": Text(
        "l'écran {what} montre-t-il un cadre autour de {what} ?",
        "does screen {what} show a frame around {what}?",
    ),
    "light": Text("la lumière est-elle {what} ?", "is the light {what}?"),
    "buzzer": Text("entendez-vous le buzzer ?", "do you hear the buzzer?"),
    "faces": Text("les dés montrent-ils {what} ?", "do the dice show {what}?"),
}
NOWHERE, ANY = Text("", ""), Text("une pièce", "a piece")


class Request(NamedTuple):
    """What a person is asked to do, or whether they see it."""

    kind: str
    what: str = ""
    piece: str | None = None  # of this kind; None: any
    place: Text = NOWHERE
    named: Text = ANY

    def __str__(self) -> str:
        return self.text.en

    @property
    def text(self) -> Text:
        said, place, piece = WORDS[self.kind], self.place, self.named
        return Text(
            said.fr.format(what=self.what, place=place.fr, piece=piece.fr),
            said.en.format(what=self.what, place=place.en, piece=piece.en),
        )


class Person(Protocol):
    def do(self, request: Request) -> None: ...

    def sees(self, request: Request) -> bool: ...

    def plays(self, table: Table, events: list[Event]) -> Callable[[], float]:
        """A person who makes moves at the table: a stepper beside it."""
        ...


class Stand:
    """The parts, stepped while a person does what they were asked for."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        parts: Parts,
        person: Person,
        idle: Callable[[float], None],
    ) -> None:
        self.config = config
        self.clock = clock
        self.parts = parts
        self.person = person
        self.pressed: list[str] = []
        self._idle = idle

    def step(self) -> None:
        now = self.clock.now()
        self.pressed += self.parts.step(now)
        for screen in self.parts.screens:
            screen.step(now)
        self.rest(self.parts.next_due)

    def rest(self, due: float) -> None:
        self._idle(min(max(due - self.clock.now(), 0.001), 0.05))

    def until(self, request: Request, seen: Callable[[], Any], found: Callable[[], Any]) -> None:
        """Ask, and wait until it is seen; else say what was found instead."""
        self.person.do(request)
        end = self.clock.now() + PATIENCE
        while not seen():
            assert self.clock.now() < end, f"{request}: not seen; the table has {found()}"
            self.step()

    def seen(self, request: Request) -> None:
        assert self.person.sees(request), f"{request} No"

    def same(self, seconds: float = STILL) -> Sightings:
        """What the board shows once it has been still."""
        end = self.clock.now() + seconds
        while self.clock.now() < end:
            self.step()
        return self.parts.senses.sightings()


# -- the trials -----------------------------------------------------------------------------------


def every(config: Config) -> Iterator[tuple[str, str]]:
    """Each trial that this table is good for, and what it is of."""
    for n in range(len(config.screen)):
        yield "screen", str(n + 1)
    for name in ("confirm", "undo", "next"):
        if getattr(config.panel, name) is not None:
            yield "button", name
    for colour in ("red", "green", "blue"):
        if getattr(config.panel, colour) is not None:
            yield "light", colour
    for name in ("buzzer", "beam"):
        if getattr(config.panel, name) is not None:
            yield name, name
    for space in dict.fromkeys(part.space for part in config.inputs.values() if part.space):
        yield "space", space
    for sign in (part.sign for part in config.inputs.values() if part.sign):
        yield "sign", sign
    for reader in config.reader:
        yield "reader", reader.name
    if config.tower:
        yield "tower", " ".join(config.tower.dice)
    yield "game", config.game


def screen(stand: Stand, number: str) -> None:
    """A frame around its number: a shifted or torn picture shows at the edge."""
    device = stand.parts.screens[int(number) - 1]
    device.show(picture(number, device.size))
    while device.pending and device.health.state != "failed":
        stand.step()
    assert device.health.state == "ok", f"screen {number}: {device.health.last_error}"
    stand.seen(Request("screen", number))


def picture(number: str, size: tuple[int, int]) -> Image.Image:
    canvas = Canvas(*size)
    canvas.frame(0, 0, *size)
    canvas.text(size[0] // 2 - 4, size[1] // 2 - 8, number)
    return canvas.picture


def button(stand: Stand, name: str) -> None:
    stand.until(
        Request("press", name), lambda: name in stand.pressed, lambda: stand.pressed or "no press"
    )
    assert set(stand.pressed) == {name}, f"{name} was asked for, and {stand.pressed} came"


def light(stand: Stand, colour: str) -> None:
    assert stand.parts.panel is not None
    stand.parts.panel.light(*(float(each == colour) for each in ("red", "green", "blue")))
    try:
        stand.seen(Request("light", colour))
    finally:
        stand.parts.panel.light(0, 0, 0)


def buzzer(stand: Stand, _: str) -> None:
    assert stand.parts.panel is not None
    stand.parts.panel.sound(True)
    try:
        stand.seen(Request("buzzer"))
    finally:
        stand.parts.panel.sound(False)


def beam(stand: Stand, _: str) -> None:
    stand.until(
        Request("drop"), lambda: stand.parts.thrown is not None, lambda: "seen nothing fall"
    )


def space(stand: Stand, name: str) -> None:
    """With each kind of piece that its switches tell apart; no other space may change."""
    here = [part for part in stand.config.inputs.values() if part.space == name]
    rules = load(stand.config.game)
    place = rules.place(name)
    before = stand.same().spaces
    assert not _occupied(before), f"clear the board first: {_occupied(before)}"
    for kind in dict.fromkeys(part.piece for part in here):
        named = rules.piece(Piece(kind)) if kind else ANY
        asked = Request("put", name, kind, place, named)
        stand.until(asked, lambda: _occupied(_spaces(stand)), lambda: "an empty board")
        wanted = {name: (kind,) if kind else 1}
        assert _occupied(stand.same().spaces) == wanted, f"{asked}: the table sees otherwise"
        stand.until(
            Request("take", name, place=place),
            lambda: not _occupied(_spaces(stand)),
            lambda: _occupied(_spaces(stand)),
        )


def _spaces(stand: Stand) -> dict[str, Sighting]:
    return stand.parts.senses.sightings().spaces


def _occupied(spaces: dict[str, Sighting]) -> dict[str, object]:
    """The spaces where something is seen, and what."""
    return {
        space: tuple(p.kind for p in seen.pieces) if seen.grade is Grade.KIND else seen.count
        for space, seen in spaces.items()
        if seen.pieces or seen.count
    }


def sign(stand: Stand, name: str) -> None:
    stand.same()
    stand.parts.senses.forget_signs()
    signs = lambda: stand.parts.senses.sightings().signs  # noqa: E731
    stand.until(Request("pass", name), signs, lambda: "seen nothing pass")
    assert set(stand.same().signs) == {name}, f"{name} was asked for, and {signs()} came"
    stand.parts.senses.forget_signs()


def reader(stand: Stand, name: str) -> None:
    readers = stand.parts.readers
    assert readers is not None
    stand.until(
        Request("lay", name),
        lambda: readers.present(name),
        lambda: {each.name: readers.present(each.name) for each in stand.config.reader},
    )
    stand.same()
    elsewhere = [r.name for r in stand.config.reader if r.name != name and readers.present(r.name)]
    assert elsewhere == [], f"{name}'s tag is read by {elsewhere} too: further apart, or near ="
    stand.until(
        Request("lift", name), lambda: readers.present(name) == frozenset(), lambda: "it still"
    )


def tower(stand: Stand, dice: str) -> None:
    roll = lambda: stand.parts.dice  # noqa: E731
    stand.until(Request("throw", dice), lambda: isinstance(roll(), Roll), lambda: roll() or "none")
    assert isinstance(stand.parts.dice, Roll)
    faces = ", ".join(f"{die} {face}" for die, face in stand.parts.dice.dice)
    assert stand.parts.tower is not None
    stand.parts.tower.ack(stand.parts.dice.mark)
    stand.seen(Request("faces", faces))


def game(stand: Stand, id: str, folder: Path) -> None:
    """One move, from the pieces to the journal, through the daemon's own loop."""
    events: list[Event] = []
    book = Journal.open(folder / "trial.db")
    table = Table(
        stand.parts,
        InlineWriter(book, stand.clock.now),
        stand.clock,
        below=SystemRandom().randrange,
        language=stand.config.language,
        listen=events.append,
    )
    names = [f"{n + 1}" for n in range(load(id).seats[0])]
    table.inbox.put(Begin(id, names))
    plays = stand.person.plays(table, events)
    stand.person.do(Request("move", id))
    end = stand.clock.now() + 10 * PATIENCE
    while not any(event.kind == "move" and event.acts[-1].by >= 0 for event in events):
        assert stand.clock.now() < end, f"no move was seen; {table.snapshot.notice}"
        stand.rest(min(table.step(), plays()))
    book.close()


TRIALS: dict[str, Callable[..., None]] = {
    each.__name__: each
    for each in (screen, button, light, buzzer, beam, space, sign, reader, tower, game)
}


def run(stand: Stand, trial: str, what: str, folder: Path) -> None:
    more = (folder,) if trial == "game" else ()
    TRIALS[trial](stand, what, *more)
