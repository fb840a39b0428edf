"""The 18 passives: their moment, their effect, their bonus (R32, R33, A32)."""

from __future__ import annotations

import pytest

from game_logic.core import CHANCE
from game_logic.dig_your_way_out.moves import (
    Buy,
    Choose,
    Craft,
    Dig,
    Duck,
    Go,
    Pass,
    PlayCard,
    PlayWeapon,
    Racket,
    Refuse,
    Reveal,
    Search,
    SetDie,
    TakeCard,
    Walk,
)
from hw_tests.dig_your_way_out.prison import (
    GAME,
    asks,
    beatings,
    can,
    cards,
    drew,
    game_of,
    has,
    lay,
    lost,
    play,
    quietly,
    roll,
    stock,
    took,
    turn,
    why_not,
)

MEMBERS = {
    "crew": "crew_2",
    "bikers": "bikers_4",
    "queers": "queers_1",
    "cartel": "cartel_3",
    "bratva": "bratva_2",
    "triad": "triad_3",
}


def one_with(card, secrets="house", seats=3, seat=0, bonus=False, **board):
    """A seat with that passive; a member of its gang if the bonus is wanted."""
    state = game_of(seats, secrets=secrets)
    if secrets == "house":
        state = lay(state, seat, passive=card)
    if bonus:
        board["gang"] = MEMBERS[GAME.box.passives[card].gang]
    return lay(state, seat, **board)


def test_r32_a_passive_is_revealed_once_and_costs_no_action(secrets):
    state = play(one_with("p06", secrets), Reveal("p06"))
    assert state.turn.actions == 2
    assert GAME.view(state, None)["prisoners"][0]["passive"]["id"] == "p06"
    assert why_not(state, Reveal("p06")) == "already_revealed"


def test_r32_only_ones_own(secrets):
    state = one_with("p06", secrets)
    if secrets == "house":
        assert why_not(state, Reveal("p17")) == "not_your_passive"
    else:  # any that nobody has shown
        state = play(state, Reveal("p17"))
        assert state.prisoners[0].passive == "p17"
    assert why_not(state, Reveal("p99")) in ("not_your_passive", "already_revealed")


def test_r32_at_the_table_no_passive_is_revealed_twice():
    state = play(game_of(secrets="table"), Reveal("p06"))
    state = turn(state, seat=1)
    assert why_not(state, Reveal("p06")) == "not_your_passive"


def test_r33_the_bonus_is_for_members_of_the_gang_who_want_it(secrets):
    state = one_with("p06", secrets)
    assert why_not(state, Reveal("p06", bonus=True)) == "not_a_member"
    state = one_with("p06", secrets, bonus=True)
    assert play(state, Reveal("p06")).prisoners[0].cigarettes == 4
    assert play(state, Reveal("p06", bonus=True)).prisoners[0].cigarettes == 7


def test_a32_not_while_something_else_is_open(secrets):
    state = play(one_with("p06", secrets), Walk(), roll(1))
    assert why_not(state, Reveal("p06")) == "not_the_moment"


def test_a32_not_on_other_players_turns(secrets):
    state = turn(one_with("p06", secrets), seat=1)
    assert why_not(state, Reveal("p06"), by=0) == "not_your_turn"


def test_a32_not_without_an_effect(secrets):
    assert why_not(one_with("p03", secrets), Reveal("p03")) == "no_effect"
    assert why_not(one_with("p13", secrets), Reveal("p13")) == "no_effect"
    assert why_not(one_with("p05", secrets), Reveal("p05")) == "no_effect"
    shivs = lay(one_with("p17", secrets), 1, hand="shiv " * 20)
    assert why_not(shivs, Reveal("p17")) == "no_effect"
    spoons = stock(one_with("p01", secrets, place="refectory"), spoon=0)
    assert why_not(spoons, Reveal("p01")) == "no_effect"


def test_a32_the_active_player_is_asked_first(secrets):
    """Attacker and defender both might be the boxer."""
    state = lay(lay(game_of(secrets=secrets), hand="shiv"), 1, hand="shiv")
    state = play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse())
    assert asks(state) == ("racket_boxer", 0)
    assert asks(play(state, Pass())) == ("racket_fight", 1)


def test_p01_former_cook(secrets):
    state = one_with("p01", secrets, place="refectory")
    assert play(state, Reveal("p01")).prisoners[0].hand == ("spoon", "spoon")
    assert why_not(lay(state, place="yard"), Reveal("p01")) == "not_the_moment"
    state = one_with("p01", secrets, bonus=True, place="refectory")
    assert cards(drew(play(state, Reveal("p01", bonus=True)), "tie")) == (3, 0, 0)


def test_p02_gravedigger_a41(secrets):
    state = one_with("p02", secrets, bonus=True, hand="spoon shovel")
    assert why_not(state, Reveal("p02")) == "not_the_moment"
    state = play(state, Dig("spoon"))
    assert state.prisoners[0].points == 1
    state = play(state, Reveal("p02", bonus=True), Dig("shovel"))
    assert (state.prisoners[0].points, state.turn.actions) == (4, 1)
    assert cards(drew(state, "tie")) == (1, 0, 0)


def test_p02_needs_a_second_tool():
    state = play(one_with("p02", hand="spoon"), Dig("spoon"))
    assert why_not(state, Reveal("p02")) == "no_effect"


def test_p02_only_right_after_the_dig(secrets):
    state = drew(play(one_with("p02", secrets, hand="spoon spoon"), Dig("spoon"), Search()), "tie")
    assert why_not(state, Reveal("p02")) == "not_the_moment"


def test_p03_nurse(secrets):
    state = one_with("p03", secrets, bonus=True, beatings=2)
    assert beatings(play(state, Reveal("p03"))) == (0, 0, 0)
    state = play(state, Reveal("p03", bonus=True))
    assert asks(state) == ("pick_beat", 0)
    assert beatings(quietly(play(state, Choose(2)))) == (0, 0, 1)


def test_p04_boxer_twice_for_bikers(secrets):
    state = lay(game_of(secrets=secrets), hand="shiv shiv shiv")
    state = lay(state, 1, passive="p04") if secrets == "house" else state
    state = lay(state, 1, gang="bikers_1", hand="spoon")
    state = quietly(play(state, Racket(1, "shovel"), PlayWeapon("shiv"), Refuse()))
    state = play(state, Reveal("p04", bonus=True), Duck(), PlayWeapon("shiv"), Duck())
    state = play(state, PlayWeapon("shiv"))
    assert why_not(state, Duck()) == "no_duck"
    assert beatings(quietly(play(state, Pass()))) == (0, 1)


def test_p05_pickpocket(secrets):
    state = lay(one_with("p05", secrets, bonus=True), 1, hand="tie tie tie")
    once = took(play(state, Reveal("p05"), Choose(1)), 1, "tie")
    assert cards(once) == (1, 2, 0)
    twice = took(took(play(state, Reveal("p05", bonus=True), Choose(1)), 1, "tie"), 1, "tie")
    assert cards(twice) == (2, 1, 0)


def test_p06_forger(secrets):
    state = one_with("p06", secrets)
    assert play(state, Reveal("p06")).prisoners[0].cigarettes == 4


def test_p07_blacksmith_a37(secrets):
    state = one_with("p07", secrets, place="yard", gang="bratva_1", hand="spoon")
    assert why_not(state, Reveal("p07")) == "not_the_moment"
    state = play(state, Craft("file_spoon", ("spoon",)))
    assert len(play(state, Reveal("p07")).prisoners[0].hand) == 3
    assert len(play(state, Reveal("p07", bonus=True)).prisoners[0].hand) == 4


def test_p08_smuggler(secrets):
    state = one_with("p08", secrets, place="yard", cigarettes=3)
    bought = play(state, Reveal("p08"), Buy("two_shivs"))
    assert bought.prisoners[0].cigarettes == 0
    assert bought.turn.actions == 1
    assert why_not(lay(state, cigarettes=0), Reveal("p08")) == "no_effect"
    assert why_not(turn(state, actions=0), Reveal("p08")) == "not_the_moment"
    assert why_not(lay(state, place="cells"), Reveal("p08")) == "not_the_moment"
    state = one_with("p08", secrets, bonus=True, place="yard")
    free = play(state, Reveal("p08", bonus=True), Buy("shovel"))
    assert free.prisoners[0].hand == ("shovel",)


def test_p09_lookout(secrets):
    state = lay(one_with("p09", secrets, seat=1, bonus=True), hand="shiv")
    state = play(state, Racket(1, "spoon"), PlayWeapon("shiv"))
    assert beatings(play(state, Reveal("p09"))) == (0, 0, 0)
    state = quietly(play(state, Reveal("p09", bonus=True)))
    assert (beatings(state), state.stock[3]) == ((1, 0, 0), 20)


def test_p10_ferret(secrets):
    state = drew(play(one_with("p10", secrets, bonus=True), Search()), "tie")
    three = drew(play(state, Reveal("p10")), "tie", "tie", "tie")
    assert cards(three) == (4, 0, 0)
    five = drew(play(state, Reveal("p10", bonus=True)), *["tie"] * 5)
    assert cards(five) == (6, 0, 0)
    assert why_not(one_with("p10", secrets), Reveal("p10")) == "not_the_moment"


def test_p11_ghost_a40(secrets):
    state = one_with("p11", secrets, bonus=True)
    moved = play(state, Reveal("p11"), Go("yard"))
    assert (moved.prisoners[0].place, moved.turn.actions) == ("yard", 2)
    state = play(state, Reveal("p11", bonus=True))
    assert why_not(state, Go("cells")) == "same_place"
    assert why_not(state, Go("solitary")) == "not_solitary"
    assert play(state, Go("yard")).turn.actions == 3


def won(secrets="house", bonus=False):
    state = one_with("p12", secrets, bonus=bonus, hand="shiv")
    state = lay(state, 1, hand="tie tie cap cap")
    state = quietly(play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse()))
    state = play(play(state, Pass()), Pass())  # the loser takes the beating
    return took(state, 1, "tie")


def test_p12_kingpin(secrets):
    state = won(secrets)
    assert asks(state) == ("won", 0)
    state = took(took(play(state, Reveal("p12")), 1, "tie"), 1, "cap")
    assert cards(state) == (3, 1, 0)


def test_p12_the_bratva_kingpin_looks_and_chooses():
    state = play(won(bonus=True), Reveal("p12", bonus=True))
    assert asks(state) == ("take_chosen", 0)
    assert GAME.view(state, 0)["looked_at"] == {"seat": 1, "hand": ("cap", "cap", "tie")}
    assert "looked_at" not in GAME.view(state, 1)
    assert GAME.secret(state, TakeCard("cap"), 0)
    assert "cap" in GAME.told(state, TakeCard("cap"), 0, 1).en
    assert "cap" not in GAME.told(state, TakeCard("cap"), 0, 2).en
    state = play(state, TakeCard("cap"), TakeCard("cap"))
    assert has(state, 0, "cap cap tie")


def test_p12_the_bratva_kingpin_at_the_table():
    state = won("table", bonus=True)
    assert cards(play(state, Reveal("p12", bonus=True))) == (3, 1, 0)


def test_p13_godfather(secrets):
    state = lay(lay(one_with("p13", secrets, bonus=True), 1, cigarettes=3), 2, cigarettes=1)
    cash = [p.cigarettes for p in play(state, Reveal("p13")).prisoners]
    assert cash == [2, 2, 0]
    cash = [p.cigarettes for p in play(state, Reveal("p13", bonus=True)).prisoners]
    assert cash == [3, 1, 0]


def test_p14_mason(secrets):
    state = play(one_with("p14", secrets, bonus=True, hand="spoon"), Dig("spoon"))
    assert play(state, Reveal("p14")).prisoners[0].points == 2
    assert play(state, Reveal("p14", bonus=True)).prisoners[0].points == 3
    state = play(one_with("p14", secrets, hand="shovel"), Dig("shovel"))
    assert why_not(state, Reveal("p14")) == "not_the_moment"


def test_p14_the_last_point_wins(secrets):
    state = play(one_with("p14", secrets, points=10, hand="spoon"), Dig("spoon"))
    assert GAME.outcome(state) is None
    assert GAME.outcome(play(state, Reveal("p14"))).winners == (0,)


def test_p15_card_sharp_a39(secrets):
    state = play(one_with("p15", secrets, bonus=True), Walk(), roll(1))
    assert can(state, Reveal("p15"))
    state = play(state, Reveal("p15", bonus=True), SetDie(6))
    assert why_not(state, Go("refectory")) == "not_rolled"
    state = play(state, Go("yard"))
    assert (state.turn.actions, state.turn.free_walks) == (1, 1)
    state = play(state, Walk(), roll(5), Go("infirmary"))
    assert (state.turn.actions, state.turn.free_walks) == (1, 0)


def test_p15_a_free_move_is_left_when_the_actions_are_gone(secrets):
    state = turn(one_with("p15", secrets, bonus=True), actions=1)
    state = play(state, Walk(), roll(1), Reveal("p15", bonus=True), SetDie(1), Go("refectory"))
    assert can(state, Walk())
    state = play(state, Walk(), roll(1), Go("cells"))
    assert why_not(state, Walk()) == "no_actions"


def test_p16_lawyer_against_a_beating(secrets):
    state = lay(one_with("p16", secrets, seat=1, bonus=True), hand="ambush")
    state = play(state, PlayCard("ambush"), Choose(1))
    assert asks(state) == ("blow", 1)
    state = drew(play(state, Reveal("p16", bonus=True)), "tie", "tie")
    assert (beatings(state), cards(state)) == ((0, 0, 0), (0, 2, 0))


def test_p16_lawyer_against_solitary(secrets):
    state = lay(one_with("p16", secrets, seat=1), hand="to_solitary")
    state = play(state, PlayCard("to_solitary"), Choose(1))
    assert asks(state) == ("exile", 1)
    assert play(state, Reveal("p16")).prisoners[1].place == "cells"
    assert play(state, Pass()).prisoners[1].place == "solitary"


def test_p16_everybody_with_a_hidden_passive_is_asked_so_that_nothing_leaks():
    state = lay(one_with("p03", seat=1), hand="ambush")
    state = play(state, PlayCard("ambush"), Choose(1))
    assert asks(state) == ("blow", 1)
    assert GAME.moves(state) == (Pass(),)


def test_p17_armourer(secrets):
    state = one_with("p17", secrets, bonus=True)
    assert play(state, Reveal("p17")).prisoners[0].hand == ("shiv",) * 2
    assert play(state, Reveal("p17", bonus=True)).prisoners[0].hand == ("shiv",) * 3


def test_p18_ringleader(secrets):
    state = one_with("p18", secrets, seats=4, bonus=True)
    state = lay(lay(lay(state, 1, hand="tie"), 2, place="yard", hand="tie"), 3, hand="cap")
    assert beatings(quietly(play(state, Reveal("p18")))) == (0, 1, 0, 1)
    state = quietly(play(state, Reveal("p18", bonus=True)))
    state = lost(lost(state, 1, "tie"), 3, "cap")
    assert (cards(state), beatings(state)) == ((0, 0, 1, 0), (0, 1, 0, 1))
    assert state.discard == ("tie", "cap")


def test_p18_a_card_lost_at_random_is_seen_by_all():
    state = one_with("p18", bonus=True)
    state = quietly(play(lay(state, 1, hand="tie cap"), Reveal("p18", bonus=True)))
    assert asks(state) == ("lose", CHANCE)
    assert GAME.chance(state).sees is None


@pytest.mark.parametrize("card", sorted(GAME.box.passives))
def test_every_passive_says_what_it_does_in_its_owners_view(card):
    state = one_with(card)
    mine = GAME.view(state, 0)["passive"]
    assert mine["says"]["fr"] != mine["says"]["en"]
    assert mine["gang"] in MEMBERS
    assert GAME.view(state, 1)["prisoners"][0]["passive"] is None
