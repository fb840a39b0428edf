"""What the screens do by themselves: pages take turns, timers count, screens rest and wake.

All of it by the table's clock, and seen in the simulated chips."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PIL import Image

from drivers.clock import FreeClock
from drivers.sim.radio import Tag
from firmware_host.config import parse, profile
from firmware_host.config_parts import DisplayPart
from firmware_host.display import BLINK, ROLL, WELCOME, Display
from firmware_host.inbox import Pause
from firmware_host.journal import Record
from firmware_host.night import CALM, PLACES
from firmware_host.notices import Notice, Question
from firmware_host.screens import Moment, canvases, draw, glass
from firmware_host.simulated import SimulatedTable
from firmware_host.snapshot import Snapshot
from firmware_host.texts import TEXTS
from game_logic import GAMES, load
from game_logic.core import Text
from hw_tests.rig import Rig
from hw_tests.test_screens import menu, records, thirty

START = 1000.0
STILL = DisplayPart(dim_after=0, off_after=0, shift_every=0)
ADDRESS = "http://192.168.1.23:8000"


class Shown:
    """A display on a simulated table, stepped whenever it or its screens ask for it."""

    def __init__(self, table="pad", display=STILL):
        self.clock = FreeClock(START)
        self.sim = SimulatedTable(replace(profile(table), display=display), self.clock)
        self.display = Display(self.sim.parts)
        self.noticed = float("-inf")
        for screen in self.sim.parts.screens:  # nothing on the bus but what is shown
            screen.heartbeat = screen.refresh = 1e9

    def show(self, shot, seconds=0.0):
        """Show it for so long; every picture that could be seen on the way, and from when."""
        seen = []
        until = self.clock.now() + seconds
        while True:
            now = self.clock.now()
            self.display.show(shot, now, self.noticed)
            assert self.display.due(now) > now
            if not self.display.settled:
                continue
            if not seen or seen[-1][1] != self.pictures:
                seen.append((now - START, self.pictures))
            if min(self.display.due(now), until) <= now:
                return seen
            if now >= until:
                return seen
            self.clock.advance_to(min(self.display.due(now), until))

    @property
    def pictures(self):
        return [image.tobytes() for image in self.sim.pictures()]

    @property
    def lit(self):
        return [oled.lit for oled in self.sim.oleds]

    @property
    def contrast(self):
        return [oled.contrast for oled in self.sim.oleds]

    @property
    def octets(self):
        return sum(bus.octets for bus in self.sim.buses.values())


def drawn(shot, count=1, moment=None):
    return [image.tobytes() for image in draw(shot, count, moment or Moment())]


def quiet(id="alcatraz"):
    return Snapshot(list(records(id, 1, 60))[-1])


def pushed():
    return Snapshot(list(records("breakout", 1, 9))[-1])


# --- pages ------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", GAMES)
def test_on_one_screen_tracks_and_board_take_turns(id):
    shot = quiet(id)
    seen = Shown().show(shot, 19.0)
    pages = [drawn(shot, 1, Moment(page)) for page in range(2)]
    assert [picture for _, picture in seen] == [pages[0], pages[1], pages[0], pages[1]]
    assert [round(at) for at, _ in seen] == [0, 6, 12, 18]


def test_on_two_screens_nothing_takes_turns():
    assert len(Shown("wall").show(quiet(), 60.0)) == 1


def test_how_long_a_page_stands_is_the_tables_choice():
    assert len(Shown(display=replace(STILL, page_every=2)).show(quiet(), 5.0)) == 3
    assert len(Shown(display=replace(STILL, page_every=0)).show(quiet(), 60.0)) == 1


@pytest.mark.parametrize(
    "said",
    [
        {"notice": Notice("mend", Text("Non", "No"))},
        {"question": Question("asked", Text("Quoi ?", "What?"), (Text("a", "a"),) * 2, ())},
        {"flash": Text("Non", "No")},
        {"trouble": Text("Non", "No")},
    ],
)
def test_what_is_asked_or_wrong_comes_at_once_and_stays(said):
    shown, shot = Shown(), quiet()
    shown.show(shot, 8.0)
    assert shown.pictures == drawn(shot, 1, Moment(1))
    seen = shown.show(shot._replace(**said), 30.0)
    assert [picture for _, picture in seen] == [drawn(shot._replace(**said))]


def test_a_move_brings_the_first_page_back():
    shown = Shown()
    one, two = list(records("alcatraz", 1, 60))[-2:]
    shown.show(Snapshot(one), 8.0)
    shown.show(Snapshot(two))
    assert shown.pictures == drawn(Snapshot(two))


def test_an_untouched_menu_takes_turns_with_the_tracks_and_what_confirm_would_pick():
    record = next(r for r in list(records("prison_break", 4, 150))[60:] if menu(r))
    shot = Snapshot(record, question=menu(record))
    shown = Shown()
    seen = shown.show(shot, 7.0)
    assert [picture for _, picture in seen] == [drawn(shot), drawn(shot, 1, Moment(1))]
    band = Image.frombytes("1", (128, 64), seen[1][1][0]).crop((0, 53, 127, 64))
    assert sum(band.convert("L").point(bool).tobytes()) > 127 * 11 / 2  # the option, inverted
    next_one = shot._replace(question=shot.question._replace(at=1))
    shown.show(next_one)
    assert shown.pictures == drawn(next_one)


# --- timers, blinks, and texts that roll by ------------------------------------------------------


def talk():
    return next(r for r in records("alcatraz", 3, 300) if r.game.deadline(r.state))


def test_the_talk_timer_counts_down_by_the_second_for_a_few_dozen_bytes():
    shown = Shown()
    shot = Snapshot(talk(), deadline=START + 120.0)
    shown.show(shot)
    assert shown.pictures == drawn(shot, 1, Moment(seconds=120))
    before = shown.octets
    seen = shown.show(shot, 60.0)
    assert [round(at) for at, _ in seen] == list(range(61))
    assert seen[-1][1] == drawn(shot, 1, Moment(seconds=60))
    assert (shown.octets - before) / 60 < 60


def test_at_zero_the_timer_stays_there():
    shown = Shown()
    shot = Snapshot(talk(), deadline=START + 2.5)
    assert [round(at, 3) for at, _ in shown.show(shot, 9.0)] == [0, 0.5, 1.5, 2.5]
    assert shown.pictures == drawn(shot, 1, Moment(seconds=0))


def test_no_timer_counts_in_a_pause():
    shot = Snapshot(talk(), deadline=START + 120.0, paused=True)
    assert len(Shown(display=replace(STILL, off_after_pause=0)).show(shot, 30.0)) == 1


def test_the_sign_of_danger_blinks_for_a_few_dozen_bytes_until_everybody_is_gone():
    shown = Shown(display=replace(STILL, dim_after=10, page_every=0))
    shot = thirty(26, 3)
    shown.show(shot)
    before = shown.octets
    seen = shown.show(shot, 5.0)
    assert [round(at / BLINK) for at, _ in seen] == list(range(11))
    assert seen[0][1] == drawn(shot)
    assert seen[1][1] == drawn(shot, 1, Moment(lit=False))
    assert (shown.octets - before) / 10 < 40
    shown.show(shot, 6.0)
    assert shown.pictures == drawn(shot)
    assert len(shown.show(shot, 60.0)) == 1


@pytest.mark.parametrize("said", ["trouble", "flash"])
def test_a_text_longer_than_its_room_rolls_by_to_its_end(said):
    text = TEXTS("tags_set_aside", detail="line 3", aside="/var/x/tags.1", path="/var/x/tags.toml")
    shot = quiet()._replace(**{said: text})
    canvas = canvases(shot, 1)[0]
    assert canvas.rolls
    assert canvas.overflows == []
    seen = Shown().show(shot, 30.0)
    assert [round(at / ROLL) for at, _ in seen] == list(range(len(seen)))
    lines = len({picture[0] for _, picture in seen})
    assert [picture for _, picture in seen][:lines] == [
        drawn(shot, 1, Moment(line=n)) for n in range(lines)
    ]
    assert lines > 2


# --- night ------------------------------------------------------------------------------------

NIGHT = DisplayPart(dim_after=60, off_after=300, off_after_pause=20, shift_every=0, page_every=0)


def test_screens_are_dimmed_and_then_rest():
    shown = Shown("wall", NIGHT)
    shot = quiet()
    shown.show(shot, 59.0)
    assert shown.contrast == [NIGHT.bright] * 2
    shown.show(shot, 2.0)
    assert shown.contrast == [NIGHT.dim] * 2
    assert shown.pictures == drawn(shot, 2)
    shown.show(shot, 240.0)
    assert shown.lit == [False] * 2
    assert not any(map(any, shown.pictures))
    assert shown.display.dark


@pytest.mark.parametrize("done", ["a hand", "a move"])
def test_whatever_is_done_wakes_them(done):
    shown = Shown("wall", NIGHT)
    one, two = list(records("alcatraz", 1, 60))[-2:]
    shown.show(Snapshot(one), 400.0)
    assert shown.display.dark
    if done == "a hand":
        shown.noticed = shown.clock.now()
    shot = Snapshot(one if done == "a hand" else two)
    shown.show(shot)
    assert shown.lit == [True] * 2
    assert shown.contrast == [NIGHT.bright] * 2
    assert shown.pictures == drawn(shot, 2)


def test_what_the_devices_do_does_not_wake_them():
    shown = Shown("wall", NIGHT)
    shot = quiet()
    shown.show(shot, 400.0)
    shown.show(shot._replace(trouble=TEXTS("not_answering", name="7")), 5.0)
    assert shown.display.dark


def test_a_timer_that_runs_keeps_them_awake():
    shown = Shown("wall", NIGHT)
    shown.show(Snapshot(talk(), deadline=START + 120.0), 100.0)
    assert shown.contrast == [NIGHT.bright] * 2


def test_a_pause_is_shown_for_a_moment_then_all_is_dark():
    shown = Shown("wall", NIGHT)
    shot = quiet()._replace(paused=True)
    shown.show(shot, 19.0)
    assert shown.pictures == drawn(shot, 2)
    shown.show(shot, 2.0)
    assert shown.lit == [False] * 2
    shown.noticed = shown.clock.now()
    shown.show(shot, 19.0)
    assert shown.pictures == drawn(shot, 2)
    shown.show(shot, 2.0)
    assert shown.lit == [False] * 2


def test_pictures_move_by_a_pixel_and_lose_none():
    every = 30.0
    shown = Shown("wall", replace(STILL, shift_every=every))
    shot = quiet("prison_break")
    seen = shown.show(shot, 4 * every + 1)
    assert [round(at / every) for at, _ in seen] == list(range(5))
    for (_, pictures), place in zip(seen, (*PLACES, PLACES[0]), strict=True):
        boards = canvases(shot, 2)
        assert pictures == [glass(board, place).tobytes() for board in boards]
        for picture, board in zip(pictures, boards, strict=True):
            ink = Image.frombytes("1", (128, 64), picture)
            assert ink.getbbox() is not None
            assert ink.convert("L").histogram()[255] == board.picture.convert("L").histogram()[255]
    assert len({pictures[0] for _, pictures in seen}) == 4


@pytest.mark.parametrize("id", GAMES)
def test_every_picture_can_move(id):
    for record in records(id, 2, 120):
        for shot in (Snapshot(record), Snapshot(record, question=menu(record))):
            for canvas in canvases(shot, 2):
                assert glass(canvas, (1, 0)).tobytes() != glass(canvas).tobytes()


def test_pictures_stay_where_they_are_while_people_play():
    shown = Shown("wall", replace(STILL, shift_every=10))
    shot = pushed()
    shown.show(shot, 8.0)
    shown.noticed = shown.clock.now()
    shown.show(shot, CALM - 1)
    assert shown.pictures == drawn(shot, 2)
    shown.show(shot, 10.0)
    assert shown.pictures != drawn(shot, 2)


def test_never_means_never():
    never = DisplayPart(dim_after=0, off_after=0, off_after_pause=0, shift_every=0)
    shown = Shown("wall", never)
    shown.show(quiet()._replace(paused=True), 10_000.0)
    assert shown.contrast == [never.bright] * 2
    assert shown.lit == [True] * 2


# --- start-up ---------------------------------------------------------------------------------


def test_the_page_is_told_before_a_game_goes_on():
    shown = Shown()
    shot = quiet()._replace(address=ADDRESS)
    seen = shown.show(shot, WELCOME + 0.5)
    starting = drawn(shot, 1, Moment(starting=True))
    assert [picture for _, picture in seen] == [starting, drawn(shot)]
    assert starting == drawn(Snapshot(None, address=ADDRESS))


GAMES_OFFERED = Question("table", Text("Quoi ?", "What?"), (Text("a", "a"), Text("b", "b")), ())


def test_a_table_that_comes_up_tells_its_version_before_its_menu():
    shown = Shown()
    empty = Snapshot(None)
    shown.show(empty)
    offering = empty._replace(question=GAMES_OFFERED)
    seen = shown.show(offering, WELCOME + 0.5)
    assert [picture for _, picture in seen] == [drawn(empty), drawn(offering)]
    assert round(seen[1][0], 3) == WELCOME


@pytest.mark.parametrize("hurry", ["next", "begin", "button"])
def test_whoever_is_in_a_hurry_does_not_wait_for_it(hurry):
    shown = Shown()
    offering = Snapshot(None, question=GAMES_OFFERED)
    shown.show(Snapshot(None))
    shown.show(offering, 1.0)
    after = {
        "next": offering._replace(question=GAMES_OFFERED._replace(at=1)),
        "begin": quiet(),
        "button": offering,
    }[hurry]
    shown.noticed = shown.clock.now() if hurry == "button" else float("-inf")
    shown.show(after)
    assert shown.pictures == drawn(after)


def test_a_hand_ends_the_welcome():
    shown = Shown()
    shot = quiet()._replace(address=ADDRESS)
    shown.show(shot, 1.0)
    shown.noticed = shown.clock.now()
    shown.show(shot)
    assert shown.pictures == drawn(shot)


# --- the whole table --------------------------------------------------------------------------


def test_a_press_in_the_dark_only_wakes_the_screens(tmp_path):
    rig = Rig(tmp_path)
    rig.table.inbox.put(Pause(True))
    rig.wait(30.0)
    assert not any(oled.lit for oled in rig.sim.oleds)
    rig.press("confirm")
    assert all(oled.lit for oled in rig.sim.oleds)
    assert rig.shot.paused
    rig.press("confirm")
    assert not rig.shot.paused


def test_a_knot_wakes_the_screens(tmp_path):
    rig = Rig(tmp_path, replace(profile("wall"), display=NIGHT))
    rig.wait(400.0)
    assert not any(oled.lit for oled in rig.sim.oleds)
    rig.push(3, "left")
    assert [oled.lit for oled in rig.sim.oleds] == [True] * 2
    assert [oled.contrast for oled in rig.sim.oleds] == [NIGHT.bright] * 2


def test_a_tag_that_nobody_knows_wakes_the_screens(tmp_path):
    rig = Rig(tmp_path, replace(profile("pad"), display=replace(NIGHT, off_after=3)))
    rig.wait(5.0)
    assert not any(oled.lit for oled in rig.sim.oleds)
    rig.sim.world.hold(Tag(bytes.fromhex("04a1b2c3d4e5f6")))
    rig.wait(1.0)
    assert all(oled.lit for oled in rig.sim.oleds)


def test_times_of_the_display_come_from_the_table():
    config = parse("[display]\ndim_after = 30\noff_after = 0\n", "x.toml")
    assert (config.display.dim_after, config.display.off_after) == (30, 0)


def test_a_new_game_is_shown_whatever_was_before():
    shown = Shown()
    shown.show(Snapshot(None), 1.0)
    shot = Snapshot(Record.begin(load("breakout"), ("Ana", "Bo"), key=b"k"))
    shown.show(shot)
    assert shown.pictures == drawn(shot)
