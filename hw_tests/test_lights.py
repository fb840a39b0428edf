"""Light and sound say what the matter is, on the mock pins, timed by the table's clock alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from drivers.clock import FreeClock
from drivers.panel import Panel, Pins
from firmware_host.journal import Record
from firmware_host.lights import SIGNS, Lights
from firmware_host.notices import Notice, Question
from firmware_host.snapshot import Snapshot
from game_logic import load
from game_logic.breakout.moves import Push
from game_logic.core import CHANCE, Act, Drawn, Text
from hw_tests.test_screens import golden, records

SAID = Text("Non.", "No.")


class Lit:
    """A panel on mock pins, and what its light and buzzer do while time goes by."""

    def __init__(self):
        self.factory = MockFactory(pin_class=MockPWMPin)
        pins = Pins(red=5, green=6, blue=13, buzzer=12)
        self.clock = FreeClock(100.0)
        self.panel = Panel(pins, self.clock, factory=self.factory)
        self.lights = Lights(self.panel)

    def show(self, shot):
        self.lights.show(shot, self.clock.now())

    @property
    def colour(self):
        return tuple(round(self.factory.pin(n).state, 2) for n in (5, 6, 13))

    @property
    def sounding(self):
        return bool(self.factory.pin(12).state)

    def heard(self, shot, seconds=2.0):
        """Show it, then let time pass in the steps that `due` asks for: how long each sound and
        silence lasted, up to the last sound."""
        until, since, lengths = self.clock.now() + seconds, self.clock.now(), []
        self.show(shot)
        was = self.sounding
        while (due := self.lights.due(self.clock.now())) < until:
            self.clock.advance_to(due)
            self.show(shot)
            if self.sounding != was:
                lengths.append(round(self.clock.now() - since, 3))
                since, was = self.clock.now(), self.sounding
        return tuple(lengths)


@pytest.fixture
def lit():
    return Lit()


@pytest.fixture
def game():
    """Breakout, Ana to push."""
    new = Record.begin(load("breakout"), ("Ana", "Bo"), key=b"k")
    return new.intent((Act(CHANCE, Drawn("starter", "0")),))


MATTERS = {
    "idle": lambda r: Snapshot(None),
    "turn": Snapshot,
    "ask": lambda r: Snapshot(r, question=Question("menu", SAID, (SAID,), ())),
    "arrange": lambda r: Snapshot(r, Notice("arrange", SAID)),
    "mend": lambda r: Snapshot(r, Notice("mend", SAID)),
    "fault": lambda r: Snapshot(r, trouble=SAID),
    "refused": lambda r: Snapshot(r, flash=SAID),
    "paused": lambda r: Snapshot(r, paused=True),
}


@pytest.mark.parametrize("matter", MATTERS)
def test_each_matter_has_its_colour(lit, game, matter):
    lit.show(MATTERS[matter](game))
    assert lit.colour == SIGNS[matter].colour


def test_no_two_matters_look_the_same():
    looks = [(sign.colour, sign.blink) for sign in SIGNS.values()]
    assert len(set(looks)) == len(looks)
    tunes = [sign.tune for sign in SIGNS.values() if sign.tune]
    assert len(set(tunes)) == len(tunes)
    assert all(sum(tune) < 1.5 for tune in tunes)


def test_what_looks_the_same_to_the_colour_blind_beats_otherwise():
    """Red and green are told apart by their beat, or by one being a moment's flash."""
    reds = [sign for sign in SIGNS.values() if sign.colour[0] > 0.4 and sign.colour[2] == 0]
    greens = [sign for sign in SIGNS.values() if sign.colour[1] >= 0.4 > sign.colour[0]]
    assert reds
    assert greens
    assert all(red.blink or red is SIGNS["arrange"] for red in reds)
    assert not any(green.blink for green in greens)


def test_what_must_be_mended_blinks_by_the_clock_of_the_table(game):
    lit = Lit()
    shot = MATTERS["mend"](game)._replace(mute=True)
    seen = []
    lit.show(shot)
    for _ in range(4):
        seen.append((round(lit.clock.now() - 100, 3), any(lit.colour)))
        lit.clock.advance_to(lit.lights.due(lit.clock.now()))
        lit.show(shot)
    assert seen == [(0, True), (0.4, False), (0.8, True), (1.2, False)]


def test_a_steady_light_asks_for_no_time(lit, game):
    lit.heard(Snapshot(game))
    assert lit.lights.due(lit.clock.now()) == float("inf")


def test_a_table_that_starts_with_a_game_is_quiet(lit, game):
    assert lit.heard(Snapshot(game)) == ()


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("mend", MATTERS["mend"]),
        ("ask", MATTERS["ask"]),
        ("fault", MATTERS["fault"]),
        ("refused", lambda r: Snapshot(r, flash=SAID)),
        ("turn", lambda r: Snapshot(r.intent((Act(0, Push(1, "left")),)))),
    ],
)
def test_each_event_has_its_tune(lit, game, name, after):
    lit.heard(Snapshot(game))
    assert lit.heard(after(game)) == SIGNS[name].tune
    assert not lit.sounding


def test_a_move_after_which_the_same_player_goes_on_is_only_acknowledged(lit):
    quiet = 0
    for one, two in zip(all_of := list(records("prison_break", 1, 60)), all_of[1:], strict=False):
        same = one.game.to_act(one.state) == two.game.to_act(two.state)
        if same and one.game.to_act(one.state)[0] >= 0:
            lit.heard(Snapshot(one))
            assert lit.heard(Snapshot(two)) == SIGNS["accepted"].tune
            quiet += 1
    assert quiet > 3


def test_danger_and_the_end_are_heard_once_each_in_a_whole_game(lit):
    game = list(records("prison_break", 2, 900))
    tunes = [lit.heard(Snapshot(record)) for record in game]
    outcome = game[-1].game.outcome(game[-1].state)
    last = "won" if outcome.winners else "over"
    alarming = [t for t in game[-2].game.tracks(game[-2].state) if t.value >= t.danger]
    assert tunes.count(SIGNS["danger"].tune) == len(alarming) > 0
    assert tunes.count(SIGNS[last].tune) == 1
    assert tunes[-1] == SIGNS[last].tune
    assert lit.colour == SIGNS[last].colour


def test_a_mute_table_lights_up_all_the_same(lit, game):
    lit.show(Snapshot(game, mute=True))
    assert lit.heard(MATTERS["mend"](game)._replace(mute=True), seconds=0.1) == ()
    assert lit.colour == SIGNS["mend"].colour


def test_muting_ends_a_tune_at_once(lit, game):
    lit.show(Snapshot(game))
    lit.show(MATTERS["mend"](game))
    assert lit.sounding
    lit.show(MATTERS["mend"](game)._replace(mute=True))
    assert not lit.sounding
    assert lit.heard(MATTERS["mend"](game)._replace(mute=True)) == ()
    assert lit.heard(Snapshot(game)) == ()
    assert lit.heard(MATTERS["mend"](game)) == SIGNS["mend"].tune


def test_a_dark_table_is_dark_and_silent_and_wakes(lit, game):
    lit.show(Snapshot(game))
    lit.lights.show(MATTERS["fault"](game), lit.clock.now(), dark=True)
    assert lit.colour == (0, 0, 0)
    assert not lit.sounding
    assert lit.lights.due(lit.clock.now()) == float("inf")
    lit.show(Snapshot(game))
    assert lit.colour == SIGNS["turn"].colour


def test_the_table_has_every_event_that_people_should_notice():
    for event in ("turn", "accepted", "refused", "danger", "won", "over", "fault"):
        assert any(SIGNS[event].colour)
        assert SIGNS[event].tune


def test_an_accepted_move_lights_up_for_a_moment(lit, game):
    lit.show(Snapshot(game))
    after = Snapshot(game.intent((Act(0, Push(1, "left")),)))
    lit.show(after)
    assert lit.colour == SIGNS["accepted"].colour
    lit.clock.advance(SIGNS["accepted"].lasting)
    lit.show(after)
    assert lit.colour == SIGNS["turn"].colour


def test_a_table_without_a_panel_needs_nothing(game):
    lights = Lights(None)
    lights.show(Snapshot(game), 1.0)
    assert lights.due(1.0) == float("inf")


def test_a_won_game_sounds_and_looks_otherwise_than_a_lost_one(lit):
    won = golden("breakout-7")
    lit.heard(Snapshot(golden("breakout-7", -1)))
    assert lit.heard(Snapshot(won)) == SIGNS["won"].tune
    lit.show(Snapshot(won))
    lost = Lit()
    lost.heard(Snapshot(golden("alcatraz-5", -1)))
    assert lost.heard(Snapshot(golden("alcatraz-5"))) == SIGNS["over"].tune
    assert lost.colour == SIGNS["over"].colour


def test_the_docs_tell_what_every_sign_means():
    page = (Path(__file__).parents[1] / "docs" / "screens.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(SIGNS)
