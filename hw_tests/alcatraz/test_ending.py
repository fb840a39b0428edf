"""The end (R60–R66): scenarios, and an independent look at all groups of players."""

from __future__ import annotations

import random
from itertools import combinations, combinations_with_replacement, product

import pytest

from game_logic.alcatraz.ending import left_behind
from game_logic.alcatraz.moves import COMPLETE, Vote
from game_logic.alcatraz.state import Prisoner
from game_logic.alcatraz.steps import Acting, Ballot, Card, Fate, Over, Reward
from game_logic.core import Drawn
from hw_tests.alcatraz.table import BOX, GAME, play, prison, task, why_not

LETTERS = "ABCDEF"


def end_check(parts, *, scapegoat=0, last, **given):
    """The last player completes a task of the letter `last`; no reward card is left (A12)."""
    seats = len(parts)
    card = f"task_{last.lower()}1"
    before = dict(enumerate(parts)) | {seats - 1: parts[-1].replace(last, "")}
    s = prison(
        seats,
        scapegoat=scapegoat,
        turn=seats - 1,
        parts=before,
        tasks={"chapel": card},
        spent=tuple(other for other in BOX.tasks if other != card),
        holds={seats - 1: BOX.tasks[card].objects},
        **given,
    )
    return play(s, COMPLETE)


def stays(s):
    return s.step.stays if isinstance(s.step, Over) else None


def test_r60_s4_the_spare_player_stays():
    """Stéphane (Scapegoat) ABC, Clint BDF, Olivier DF and just now E."""
    s = end_check(("ABC", "BDF", "DEF"), last="E")
    assert stays(s) == 1
    outcome = GAME.outcome(s)
    assert (outcome.winners, outcome.reason) == ((0, 2), "escaped")
    assert "Bo reste en prison" in outcome.text.fr
    assert outcome.scores == (3, 3, 3)


def test_r60_the_check_comes_after_the_reward():
    s = prison(parts={0: "BCDE"}, tasks={"chapel": "task_a1"}, holds={0: ("key", "clothes")})
    s = play(s, COMPLETE)
    assert isinstance(s.step, Reward)
    assert GAME.outcome(s) is None
    assert stays(play(s, task("task_f1"))) == 2


def test_r61_s5_the_scapegoat_stays_if_he_is_not_essential():
    assert stays(end_check(("A", "ABC", "DEF"), last="D")) == 0


def test_r62_r63_r24_an_essential_scapegoat_escapes():
    s = end_check(("AB", "CD", "CDEF"), last="E")
    assert stays(s) == 1
    assert GAME.outcome(s).winners == (0, 2)


def test_r64_s6_fewest_parts():
    assert stays(end_check(("A", "BC", "BCD", "DEF"), last="E")) == 1


def test_r64_s7_then_least_cash():
    assert stays(end_check(("A", "BCD", "BCD", "DEF"), last="E", cash={1: 1})) == 2


def test_r64_then_objects_then_stamina():
    tied = ("A", "BCD", "BCD", "DEF")
    richer = {"cash": {1: 1, 2: 1}}
    with_objects = end_check(tied, last="E", **richer)
    assert isinstance(with_objects.step, Ballot)
    assert stays(end_check(tied, last="E", stamina={2: 1}, **richer)) == 1
    prisoners = [Prisoner(0, parts=held) for held in tied]
    prisoners[1] = Prisoner(0, parts="BCD", objects=("key",))
    prisoners[2] = Prisoner(0, parts="BCD", stamina=3)
    assert left_behind(prisoners, 0) == (2,)


def test_s8_the_game_goes_on_while_all_are_needed():
    s = end_check(("AB", "CD", "EF"), last="F")
    assert isinstance(s.step, Acting)
    with_pile = prison(parts={0: "AB", 1: "CD"}, step=Reward(), turn=0)
    assert isinstance(play(with_pile, task("task_e1")).step, Card)


def test_s37_the_scapegoat_stays_although_the_others_are_essential():
    assert stays(end_check(("AB", "ACD", "BE", "F"), last="F")) == 0


def test_a25_a27_exactly_one_stays():
    everything = [Prisoner(0, parts=LETTERS, cash=seat) for seat in range(4)]
    assert left_behind(everything, 2) == (2,)


# -- R65, A26 -----------------------------------------------------------------------------------

TIED = ("A", "BCD", "BCD", "DEF")


@pytest.mark.parametrize("secrets", ["house", "table"])
def test_r65_those_who_surely_escape_vote(secrets):
    s = end_check(TIED, last="E", secrets=secrets)
    assert s.step == Ballot((None,) * 4, (1, 2))
    assert GAME.to_act(s) == (0, 3)
    assert GAME.moves(s, 3) == (Vote(1), Vote(2))
    assert why_not(s, Vote(3), 0) == "not_tied"
    assert why_not(s, Vote(1), 1) == "not_your_turn"
    assert "Bo, Cy" in GAME.prompt(s, None).en
    s = play(s, (3, Vote(1)), (0, Vote(1)))
    assert stays(s) == 1


def test_r65_their_votes_are_secret_until_both_are_in():
    s = end_check(TIED, last="E")
    one, two = play(s, (3, Vote(1))), play(s, (3, Vote(2)))
    for seat in (None, 0, 1, 2):
        assert GAME.view(one, seat) == GAME.view(two, seat)
    assert GAME.view(one, 3)["vote"] == 1


def test_a26_still_tied_chance_decides():
    s = play(end_check(TIED, last="E"), (0, Vote(1)), (3, Vote(2)))
    assert s.step == Fate((1, 2))
    assert GAME.moves(s) == (Drawn("stays", "yellow"), Drawn("stays", "green"))
    told = GAME.told(s, Drawn("stays", "green"), -1, None)
    assert "Cy stays in prison" in told.en
    assert stays(play(s, Drawn("stays", "green"))) == 2


def test_r65_a_lone_escapee_decides_alone():
    s = prison(
        4, scapegoat=0, turn=3, step=Reward(), parts={0: "A", 1: "BCDE", 2: "BCDE", 3: "BCDEF"}
    )
    s = play(s, task("task_f1"))
    assert s.step == Ballot((None,) * 4, (1, 2, 3))
    assert stays(play(s, (0, Vote(3)))) == 3


# -- R66: as real prisoners would ---------------------------------------------------------------
# Written from the sentences of the rules alone: look at every group that leaves somebody out.


def by_groups(holders, seats, scapegoat):
    """Who could be left out of some group that holds all; the Scapegoat before all others.

    `holders` has for each letter the bits of the seats that marked it.
    """
    everybody = (1 << seats) - 1
    groups = [group for group in range(everybody) if all(held & group for held in holders)]
    spare = {seat for group in groups for seat in range(seats) if not group >> seat & 1}
    if scapegoat in spare:
        return {scapegoat}
    count = {seat: sum(held >> seat & 1 for held in holders) for seat in spare}
    return {seat for seat in spare if count[seat] == min(count.values())}


def sheets(holders, seats):
    return [
        Prisoner(
            0, parts="".join(x for x, held in zip(LETTERS, holders, strict=True) if held >> n & 1)
        )
        for n in range(seats)
    ]


@pytest.mark.parametrize("seats", [3, 4])
def test_r60_to_r66_all_groups_all_plans_up_to_the_order_of_letters(seats):
    """Every way to mark parts, but for the names of the letters, and every Scapegoat.

    A plan is, for each letter, the set of its holders: 8⁶ or 16⁶ plans, of which the 1,716 or
    54,264 unordered ones are tried. The soak test tries all of them as they are.
    """
    for holders in combinations_with_replacement(range(1 << seats), len(LETTERS)):
        prisoners = sheets(holders, seats)
        for scapegoat in range(seats):
            assert set(left_behind(prisoners, scapegoat)) == by_groups(holders, seats, scapegoat)


def test_r60_to_r66_the_names_of_letters_do_not_matter():
    rng = random.Random(4)
    for _ in range(3000):
        seats = rng.choice((3, 4))
        holders = [rng.randrange(1, 1 << seats) for _ in LETTERS]
        scapegoat = rng.randrange(seats)
        found = left_behind(sheets(holders, seats), scapegoat)
        rng.shuffle(holders)
        assert left_behind(sheets(holders, seats), scapegoat) == found


def test_r64_the_least_useful_of_all_who_are_spare():
    """Random sheets: sorted out by an order of their own."""
    rng = random.Random(7)
    ends = 0
    for _ in range(4000):
        seats = rng.choice((3, 4))
        prisoners = [
            Prisoner(
                0,
                stamina=rng.randrange(2),
                cash=rng.randrange(2),
                objects=("key",) * rng.randrange(2),
                parts="".join(x for x in LETTERS if rng.random() < 0.55),
            )
            for _ in range(seats)
        ]
        complete = {
            group
            for size in range(1, seats)
            for group in combinations(range(seats), size)
            if set("".join(prisoners[n].parts for n in group)) == set(LETTERS)
        }
        spare = {n for group in complete for n in range(seats) if n not in group}
        found = left_behind(prisoners, 0)
        if 0 in spare or not spare:
            assert found == ((0,) if spare else ())
            continue
        ends += 1
        ranked = sorted(
            (len(p.parts), p.cash, len(p.objects), p.stamina, n)
            for n, p in enumerate(prisoners)
            if n in spare
        )
        assert found == tuple(rank[-1] for rank in ranked if rank[:-1] == ranked[0][:-1])
    assert ends > 200


@pytest.mark.soak
def test_r60_to_r66_all_plans_of_three():
    for hands in product(range(64), repeat=3):
        _compare(hands, range(3))


@pytest.mark.soak
@pytest.mark.parametrize("first", range(64))
def test_r60_to_r66_all_plans_of_four(first):
    """All 64⁴ plans: seat 0 is the Scapegoat, so that every arrangement of sheets is met."""
    for hands in product(range(64), repeat=3):
        _compare((first, *hands), (0,))


SHEETS = [
    Prisoner(0, parts="".join(x for n, x in enumerate(LETTERS) if mask >> n & 1))
    for mask in range(64)
]
GROUPS = {
    seats: [
        (group, set(range(seats)) - set(group))
        for size in range(1, seats)
        for group in combinations(range(seats), size)
    ]
    for seats in (3, 4)
}


def _compare(hands, scapegoats):
    """The union of every group, against those whom complete groups leave out."""
    spare: set[int] = set()
    for group, left_out in GROUPS[len(hands)]:
        union = 0
        for seat in group:
            union |= hands[seat]
        if union == 63:
            spare |= left_out
    prisoners = [SHEETS[mask] for mask in hands]
    for scapegoat in scapegoats:
        if scapegoat in spare:
            expected = {scapegoat}
        else:
            least = min((hands[n].bit_count() for n in spare), default=0)
            expected = {n for n in spare if hands[n].bit_count() == least}
        assert set(left_behind(prisoners, scapegoat)) == expected
