"""What a damaged save or a correction by hand may look like, and what is said about it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from game_logic.alcatraz import steps
from game_logic.alcatraz.box import swap
from game_logic.alcatraz.state import IDLE, Turn
from game_logic.pile import Pile
from hw_tests.alcatraz.table import BOX, GAME, NAMES, prison

S = prison(at=("yard", "yard", "chapel"), holds={0: ("key",)}, cards={0: ("x1",)}, parts={1: "A"})
TABLE = prison(cards={0: ("?",)}, secrets="table")
START = GAME.new(NAMES[:3], {"layout": list(range(1, 13))})


def sheet(seat, **changes):
    return replace(S, prisoners=swap(S.prisoners, seat, replace(S.prisoners[seat], **changes)))


def turn(**changes):
    return replace(S, turn=replace(S.turn, **changes))


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (replace(S, seats=("Ana",)), "1 players"),
        (replace(S, guards=(1, 2)), "guards is not given"),
        (replace(S, tasks=()), "tasks is not given"),
        (replace(S, scapegoat=7), "no such player"),
        (replace(S, duty=(5,)), "no such player"),
        (replace(S, closed=(12,)), "no such location"),
        (replace(S, layout=(0,) * 12), "laid twice"),
        (replace(S, layout=()), "tiles are missing"),
        (replace(S, faces=(0,) * 11), "no visible face"),
        (replace(S, faces=(2,) * 12), "two faces"),
        (replace(S, tasks=("task_z9", *S.tasks[1:])), "no such task"),
        (sheet(0, place=40), "stands nowhere"),
        (sheet(0, place=-1), "2 of 3 pawns"),
        (sheet(0, objects=("rope",)), "no such object"),
        (sheet(0, objects=("key",) * 4), "4 objects"),
        (sheet(0, objects=("key", "drugs")), "not in order"),
        (sheet(0, objects=()), "tokens are lost"),
        (sheet(0, stamina=4), "4 Stamina"),
        (sheet(0, cash=-1), "-1 Cash"),
        (sheet(0, parts="BA"), "has marked BA"),
        (sheet(0, parts="Z"), "has marked Z"),
        (sheet(0, parts="ABCDEF"), "yet the game goes on"),
        (sheet(0, cards=("x1", "x2", "x3")), "holds 3 blackmail cards"),
        (sheet(0, cards=()), "blackmail cards are lost"),
        (sheet(0, cards=("x2",)), "blackmail cards are lost"),
        (replace(TABLE, prisoners=sheet(0, cards=("x1",)).prisoners), "nobody has shown"),
        (replace(S, guards=(5, *S.guards[1:])), "more than four guards"),
        (replace(S, guards=(1, *S.guards[1:])), "9 guards in round 1"),
        (replace(S, round=2), "8 guards in round 2"),
        (replace(S, lying=swap(S.lying, 0, ("drugs",))), "no space"),
        (replace(S, tasks=("task_f1", *S.tasks[1:])), "task cards are lost"),
        (replace(S, task_pile=Pile()), "task cards are lost"),
        (replace(S, step=steps.Card(99)), "gone round"),
        (replace(S, bonus=9), "bonus is 9"),
        (replace(S, turn=IDLE), "nobody's when it must be"),
        (replace(S, step=steps.Talk()), "somebody's turn when it cannot be"),
        (replace(S, step=steps.Lot()), "does not come at this time"),
        (replace(START, bonus=1), "the game has begun"),
        (replace(START, guards=(1, *START.guards[1:])), "1 guards at the set-up"),
        (replace(START, prisoners=S.prisoners), "before its guards"),
        (replace(prison(turn=None), closed=(1,)), "left of a turn or a round"),
        (turn(ap=-1), "spent more than he had"),
        (turn(offers=9), "9 trade offers"),
        (turn(stamina=2), "2 Stamina spent"),
        (replace(S, turn=Turn(0, 1, bribed=(0,))), "bribed guards"),
        (replace(prison(turn=None), step=steps.Ballot((0, 1, 2))), "not counted"),
        (replace(prison(turn=None), step=steps.Ballot((9, None, None))), "for nobody"),
        (replace(prison(turn=None), step=steps.Ballot((None,))), "not those of the voters"),
        (replace(S, step=steps.Ballot((None,) * 3, (0, 1))), "those who are tied"),
        (replace(prison(turn=None), step=steps.Tie((1,))), "no tie"),
        (replace(S, step=steps.Over(1)), "who should not"),
        (replace(S, step=steps.Bargain(0)), "seat = 0, which is not there"),
        (replace(S, step=steps.Seizing(3)), "seat = 3, which is not there"),
        (replace(S, step=steps.Aiming("x99")), "card = x99, which is not there"),
        (replace(S, step=steps.Surrendering("x6", ())), "seats = "),
        (replace(S, step=steps.Bringing(-2, 1)), "place = "),
        (replace(S, step=steps.Lifting(0)), "left = "),
        (replace(S, step=steps.Taking(("gun",), 1)), "are not there or do not fit"),
        (replace(S, step=steps.Bargain(2)), "between two locations"),
        (replace(S, step=steps.Bargain(1, ("gun",))), "goods that are not there"),
        (replace(S, step=steps.Naming()), "for no task"),
        (replace(S, step=steps.Consent(((1, "key"),), (1,))), "that nobody has"),
        (replace(S, step=steps.Posting(99, 0)), "origin = "),
    ],
)
def test_what_cannot_be_is_named(state, why):
    assert any(why in problem for problem in GAME.problems(state)), GAME.problems(state)


def test_a_part_may_not_be_in_play_twice():
    twice = swap(swap(S.tasks, 0, "task_f1"), 1, None)
    pile = S.task_pile.take("task_f1")
    assert "a part of the plan is in play twice" in GAME.problems(
        replace(S, tasks=twice, task_pile=pile)
    )


def test_a_reward_needs_a_card():
    spent = tuple(card for card in BOX.tasks if card not in S.tasks)
    state = replace(S, task_pile=Pile(), spent=spent, step=steps.Reward())
    assert GAME.problems(state) == ("there is no task card for the reward",)
