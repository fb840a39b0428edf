"""The workbench without a browser: deeds of hands, what is left after a power cut, and hints."""

from __future__ import annotations

import random

import msgspec
import pytest

from drivers.clock import FreeClock
from firmware_host.config import PROFILES, profile
from firmware_host.inbox import Begin, Intend
from firmware_host.journal import InlineWriter, Journal
from firmware_host.plug import given
from firmware_host.runner import run_free
from firmware_host.simulated import SimulatedTable
from firmware_host.table import Table
from firmware_host.web.bench_state import BenchState, choices
from firmware_host.workbench import CannotDo, Workbench
from firmware_host.workbench.deeds import (
    Cock,
    Deed,
    Hold,
    Lift,
    Lower,
    Mend,
    Order,
    Press,
    Push,
    PutRight,
    Slide,
    Throw,
)
from firmware_host.workbench.hints import hint
from firmware_host.workbench.stacks import added, taken
from game_logic.alcatraz.moves import Riot, Walk
from game_logic.core import Act, Piece

A, B, C = (Piece("pawn", id) for id in "abc")


def under(piece):
    return msgspec.structs.replace(piece, covered=True)


class Rig:
    """A table with a workbench, in free time."""

    def __init__(self, folder, table="wall", game=None, seats=("Ana", "Bo", "Cy"), left=None):
        self.clock = FreeClock(1000.0)
        self.sim = SimulatedTable(profile(table), self.clock)
        self.bench = Workbench(self.sim)
        book = Journal.open(folder / "bench.db")
        record = book.open_game()
        self.table = Table(
            self.sim.parts,
            InlineWriter(book, self.clock.now),
            self.clock,
            below=random.Random(2).randrange,
            listen=self.bench.heard,
            record=record,
        )
        if record is None:
            chosen = game or self.sim.config.game
            many = 2 if chosen in ("breakout", "la_grande_evasion", "dig_your_way_out") else 3
            self.table.inbox.put(Begin(chosen, seats[:many]))
        else:
            self.bench.resume(record, left)
        self.wait(4.0)

    def wait(self, seconds=1.5):
        run_free(self.table, self.clock, self.sim.agenda, self.bench.step, until=bool, most=seconds)

    def do(self, *deeds):
        for deed in deeds:
            self.bench.do(deed, self.shot.record)
        self.wait()

    @property
    def shot(self):
        return self.table.snapshot

    def hint(self):
        return hint(self.shot, self.sim.world.pieces, self.bench.reach)


# -- stacks ---------------------------------------------------------------------------------------


def test_a_piece_is_taken_with_all_that_stands_on_it():
    stack = (under(A), under(B), C)
    assert taken(stack, 2) == ((C,), (under(A), B))
    assert taken(stack, 1) == ((under(B), C), (A,))
    assert taken(stack, 0) == (stack, ())
    beside = (A, under(B), C)
    assert taken(beside, 0) == ((A,), (under(B), C))


def test_a_piece_is_put_beside_or_on_top():
    assert added((A,), (B,)) == (A, B)
    assert added((A,), (B,), 0) == (under(A), B)
    assert added((under(A), B), (C,), 0) == (under(A), under(B), C)
    assert added((A, B), (C,), 0) == (under(A), C, B)


# -- deeds ----------------------------------------------------------------------------------------


def test_a_knot_from_the_box_through_an_opening_is_a_move(tmp_path):
    rig = Rig(tmp_path)
    knot = rig.hint().piece.kind
    seq = rig.shot.record.seq
    rig.do(Lift(kind=knot), Push("3_left"))
    assert rig.shot.record.seq == seq + 1
    left = {thing.name: many for thing, many in rig.bench.frame.box}
    assert {name for name, many in left.items() if many == 24} == {knot}


def test_a_piece_in_the_hand_is_on_no_space_unless_it_slides(tmp_path):
    rig = Rig(tmp_path, "squares-evasion")
    pieces = rig.sim.world.pieces
    pawn = pieces["window_3"]
    rig.do(Lift("window_3"))
    assert pieces["window_3"] == ()
    assert rig.bench.frame.hand == pawn
    rig.do(Slide("square_1"), Slide("square_2"))
    assert pieces["square_1"] == ()
    assert pieces["square_2"] == pawn
    count = sum(many for _, many in rig.bench.frame.box)
    assert count == 0, "a piece that slides is not in the box"
    rig.do(Lower("square_3"))
    assert pieces["square_2"] == ()
    assert pieces["square_3"] == pawn
    rig.do(Lift("window_2"), Lower("square_3", on=0))
    assert [p.covered for p in pieces["square_3"]] == [True, False]
    rig.do(Lift("square_3", 0), Lower())
    assert pieces["square_3"] == ()
    assert sum(many for _, many in rig.bench.frame.box) == 2
    rig.do(PutRight())
    assert pieces["window_3"] == pawn


def test_a_hand_that_is_called_away_puts_its_piece_back(tmp_path):
    rig = Rig(tmp_path, "squares-evasion")
    pieces = rig.sim.world.pieces
    rig.do(Lift("window_3"), Slide("square_9"), Lift("window_2"))
    assert pieces["square_9"] == ()
    assert len(pieces["window_3"]) == 1
    rig.do(Lower("window_2"))


def test_dice_cards_and_buttons(tmp_path):
    rig = Rig(tmp_path, "pad", "dig_your_way_out")
    rig.do(Throw({"die": 4}))
    assert rig.bench.frame.dice[0][1:] == ("tray", 4)
    rig.do(Cock("die"))
    assert rig.bench.frame.dice[0].where == "cocked"
    card = rig.bench.frame.cards[0]
    rig.bench.do(Hold(card=card.sign), rig.shot.record)
    rig.wait(0.5)
    assert any(tag.place for tag in rig.sim.world.tags.values())
    rig.wait(1.0)
    assert not any(tag.place for tag in rig.sim.world.tags.values())
    rig.do(Press("next"))
    assert rig.shot.question is not None or rig.shot.notice is not None


REFUSED = [
    Lift("r1c1"),
    Lift("nowhere", 3),
    Lift(kind="knot_green"),
    Lower("z9"),
    Push("9_left", "knot_red"),
    Push("1_up", "knot_red"),
    Push("1_left", "figure_red"),
    Push("1_left"),
    Hold(card="card:h01"),
    Throw({"die": 1}),
    Cock("die"),
    Press("self-destruct"),
    Order("nack"),
    Order(""),
    Order("nack expander 0x20 p=often"),
    Order("nack expander 0x20; stuck bus 1"),
    Order("missing expander 0x20 colour=red"),
]


def test_what_cannot_be_done_is_refused_in_both_languages_and_changes_nothing(tmp_path):
    rig = Rig(tmp_path)
    before = rig.bench.frame
    for deed in REFUSED:
        with pytest.raises(CannotDo) as refusal:
            rig.do(deed)
        assert refusal.value.text.fr
        assert refusal.value.text.en
        rig.wait(0.3)
        assert rig.bench.frame[:3] == before[:3], deed
        assert rig.bench.frame.faults == (), deed


@pytest.mark.parametrize(
    "text",
    [
        b'{"do":"lift","space":7}',
        b'{"do":"fly"}',
        b'{"do":"press"}',
        b'{"do":"press","button":"undo","hard":true}',
        b"[]",
        b'{"do":"throw","dice":{"die":"six"}}',
        b"\xff",
        b"[" * 5000,
    ],
    ids=repr,
)
def test_what_is_no_deed_is_not_understood(text):
    with pytest.raises((msgspec.MsgspecError, UnicodeDecodeError, RecursionError)):
        msgspec.json.decode(text, type=Deed)


def test_faults_are_ordered_seen_and_mended(tmp_path):
    rig = Rig(tmp_path)
    assert "missing" in rig.bench.breakable()["screen 0x3c"]
    rig.do(Order("missing screen 0x3d"), Order("nack expander 0x20 p=0.01"))
    assert set(rig.bench.frame.faults) == {("missing", "screen 0x3d"), ("nack", "expander 0x20")}
    rig.do(Mend("missing", "screen 0x3d"))
    assert rig.bench.frame.faults == (("nack", "expander 0x20"),)
    rig.do(Mend())
    assert rig.bench.frame.faults == ()


def test_a_power_cut_leaves_pieces_dice_and_faults_where_they_were(tmp_path):
    rig = Rig(tmp_path, "places-dig")
    rig.do(Throw({"die": 6}), Order("missing screen 0x3d"))
    rig.do(Lift("cells", 1), Lower("yard"))
    pieces = {s: p for s, p in rig.sim.world.pieces.items() if p}
    left = rig.bench.remember()
    again = Rig(tmp_path, "places-dig", left=left)
    assert {s: p for s, p in again.sim.world.pieces.items() if p} == pieces
    assert again.bench.frame.dice[0][1:] == ("tray", 6)
    assert again.bench.frame.faults == (("missing", "screen 0x3d"),)


def test_the_next_process_is_told_what_has_changed():
    words = ["run", "--sim", "--page", "127.0.0.1:0", "--table=wall", "--seats", "A,B"]
    changed = {"--page": "127.0.0.1:4711", "--table": "pad"}
    assert given(words, changed) == [
        *("run", "--sim", "--seats", "A,B"),
        *("--page", "127.0.0.1:4711", "--table", "pad"),
    ]


# -- hints ----------------------------------------------------------------------------------------


def test_who_follows_the_hints_plays_breakout(tmp_path):
    """Every hint can be done, and leads on."""
    rig = Rig(tmp_path)
    for _ in range(20):
        now = rig.hint()
        if now.use == "right":
            rig.do(PutRight())
        elif now.use in ("question", "confirm"):
            rig.do(Press("confirm"))
        else:
            rig.do(Lift(kind=now.piece.kind, id=now.piece.id), Push(now.to))
    assert len(rig.shot.record.line) > 12


def test_who_follows_the_hints_moves_a_pawn(tmp_path):
    rig = Rig(tmp_path, "places-dig")
    now = rig.hint()
    if now.use == "confirm":
        rig.do(Press("confirm"))
        now = rig.hint()
    seq = rig.shot.record.seq
    there = rig.sim.world.pieces[now.origin]
    rig.do(Lift(now.origin, there.index(now.piece)), Lower(now.to))
    rig.wait(3.0)
    assert rig.shot.record.seq > seq


@pytest.mark.parametrize("choice", choices(), ids=lambda choice: choice["id"])
def test_every_game_begins_on_every_table_made_for_it(tmp_path, choice):
    """Its board and its box are drawn, and there is something to do."""
    assert set(choice["tables"]) <= set(PROFILES)
    for n, table in enumerate(choice["tables"]):
        folder = tmp_path / str(n)
        folder.mkdir()
        rig = Rig(folder, table, choice["id"])
        state = BenchState(rig.bench, table).of(rig.shot, rig.bench.frame)
        assert state["game"]["id"] == choice["id"]
        assert 'data-space="' in state["board"]
        assert all(thing["svg"].startswith("<svg") for thing in state["box"])
        assert state["hint"]["text"]
        assert state["words"][f"table_{table}"]
        french = BenchState(rig.bench, table).of(rig.shot._replace(language="fr"), rig.bench.frame)
        assert french["hint"]["text"] != state["hint"]["text"]
        msgspec.json.encode(state)


def test_a_game_finds_its_pieces_set_up(tmp_path):
    """Also where the house draws who begins where (Alcatraz)."""
    rig = Rig(tmp_path, "places")
    state = rig.shot.record.state
    game = rig.shot.record.game
    image = {s: p for s, p in game.image(state).items() if p}
    assert image
    assert {s: p for s, p in rig.sim.world.pieces.items() if p} == image
    assert rig.shot.notice is None


def test_what_no_sensor_sees_follows_the_game_and_nothing_else_does(tmp_path):
    """Untagged guards come by themselves; a pawn on a reader is for people to move."""
    rig = Rig(tmp_path, "places")
    game = rig.shot.record.game
    before = dict(rig.sim.world.pieces)
    seat = game.to_act(rig.shot.record.state)[0]
    riot = next(m for m in game.moves(rig.shot.record.state, seat) if isinstance(m, Riot))
    rig.table.inbox.put(Intend((Act(seat, riot),)))
    rig.wait()
    image = game.image(rig.shot.record.state)
    assert image != {s: p for s, p in before.items() if p}, "a guard has come"
    assert {s: p for s, p in rig.sim.world.pieces.items() if p} == image
    state = rig.shot.record.state
    seat = game.to_act(state)[0]
    walk = next(m for m in game.moves(state, seat) if isinstance(m, Walk))
    rig.table.inbox.put(Intend((Act(seat, walk),)))
    rig.wait()
    assert rig.shot.notice.kind == "arrange"
    assert {s: p for s, p in rig.sim.world.pieces.items() if p} == image
    rig.do(PutRight())
    assert rig.shot.notice is None


def test_on_a_table_that_sees_nothing_the_pieces_follow_the_menu(tmp_path):
    rig = Rig(tmp_path, "pad", "prison_break")
    for _ in range(12):
        now = rig.hint()
        dice = {"die": None} if now.use == "tower" else None
        rig.do(Throw(dice) if dice else Press("confirm"))
        if len(rig.shot.record.game.image(rig.shot.record.state)) > 6:
            break
    image = rig.shot.record.game.image(rig.shot.record.state)
    assert any(piece.kind == "pawn" for there in image.values() for piece in there)
    assert {s: p for s, p in rig.sim.world.pieces.items() if p} == image
