"""The 24 gang cards, each where it works."""

from __future__ import annotations

import pytest

from game_logic.core import CHANCE
from game_logic.dig_your_way_out.moves import (
    Buy,
    Craft,
    Discard,
    Done,
    EndTurn,
    Go,
    Heal,
    MoveMichel,
    Pass,
    PayOff,
    PlayCard,
    PlayWeapon,
    Racket,
    Refuse,
    Reroll,
    Search,
    Sell,
    SetDie,
    Sneak,
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
    lay,
    play,
    quietly,
    roll,
    took,
    turn,
    why_not,
)


def member(card, secrets="house", seats=2, **board):
    return lay(game_of(seats, secrets=secrets), gang=card, **board)


def beaten_up(state, tool="shovel"):
    """Seat 0 rackets seat 1, who does not fight."""
    state = play(state, Racket(1, tool))
    state = play(state, PlayWeapon("shiv")) if asks(state)[0] == "racket_weapon" else state
    state = quietly(play(state, Refuse()))
    return quietly(play(state, Pass())) if asks(state) == ("racket_fight", 1) else state


def test_bikers_1_takes_one_more(secrets):
    state = lay(member("bikers_1", secrets, hand="shiv"), 1, hand="tie tie tie")
    state = took(took(beaten_up(state), 1, "tie"), 1, "tie")
    assert cards(quietly(state)) == (2, 1)


def test_bikers_2_keeps_the_weapon_but_needs_one(secrets):
    state = lay(member("bikers_2", secrets, hand="shiv"), 1, hand="spoon")
    state = play(state, Racket(1, "spoon"))
    assert asks(state) == ("racket_answer", 1)
    assert cards(state) == (1, 1)
    assert why_not(member("bikers_2", secrets), Racket(1, "spoon")) == "no_weapon"


def test_bikers_3_loses_no_card(secrets):
    state = lay(lay(game_of(secrets=secrets), hand="shiv"), 1, hand="tie", gang="bikers_3")
    state = beaten_up(state)
    assert (cards(state), beatings(state)) == ((0, 1), (0, 1))


def test_bikers_4_rackets_twice(secrets):
    state = turn(member("bikers_4", secrets, hand="shiv"), rackets=1)
    assert can(state, Racket(1, "spoon"))
    assert why_not(turn(state, rackets=2), Racket(1, "spoon")) == "racket_used"


@pytest.mark.parametrize(
    ("move", "hand", "shivs"),
    [
        (Craft("craft_shivs", ("blade", "tie")), "blade tie", 3),
        (Craft("file_spoon", ("spoon",)), "spoon", 2),
    ],
)
def test_bratva_1_a37_one_more_shiv(move, hand, shivs, secrets):
    state = play(member("bratva_1", secrets, place="yard", hand=hand), move)
    assert state.prisoners[0].hand == ("shiv",) * shivs


def test_bratva_1_only_for_shivs():
    state = member("bratva_1", place="yard", hand="spike tie")
    state = play(state, Craft("craft_pickaxe", ("spike", "tie")))
    assert state.prisoners[0].hand == ("pickaxe",)


@pytest.mark.parametrize("place", ["cells", "showers"])
def test_bratva_2_crafts_anywhere_but_in_solitary(place, secrets):
    state = member("bratva_2", secrets, place=place, hand="spoon")
    file = Craft("file_spoon", ("spoon",))
    assert can(state, file)
    assert why_not(lay(state, place="solitary"), file) == "craft_place"


def test_bratva_3_crafts_with_one_beating(secrets):
    state = member("bratva_3", secrets, place="yard", hand="spoon", beatings=1)
    file = Craft("file_spoon", ("spoon",))
    assert can(state, file)
    assert why_not(lay(state, beatings=2), file) == "craft_beaten"


def test_bratva_4_fights_with_spikes(secrets):
    state = lay(member("bratva_4", secrets, hand="spike"), 1, hand="tie")
    state = play(state, Racket(1, "spoon"), PlayWeapon("spike"), Refuse())
    state = quietly(state)
    assert why_not(state, PlayWeapon("spike")) == "not_a_weapon"
    state = quietly(took(quietly(play(state, Pass())), 1, "tie"))
    assert state.discard == ("spike",)


def test_cartel_1_a38_two_more_once_per_sale(secrets):
    state = member("cartel_1", secrets, place="yard", hand="tie tie dealer cap")
    state = play(state, Sell("tie"), Sell("tie"), Done())
    assert state.prisoners[0].cigarettes == 4
    state = play(lay(state, place="cells"), PlayCard("dealer"), Sell("cap"))
    assert state.prisoners[0].cigarettes == 7


def test_cartel_2_buys_cheaper(secrets):
    state = member("cartel_2", secrets, place="yard", cigarettes=7)
    state = play(state, Buy("shovel"))
    assert state.prisoners[0].cigarettes == 0


def test_cartel_3_sells_anywhere(secrets):
    assert can(member("cartel_3", secrets, place="solitary", hand="tie"), Sell("tie"))


def test_cartel_4_is_paid_at_the_start_of_the_turn(secrets):
    state = member("cartel_4", secrets)
    assert play(state, EndTurn(), EndTurn()).prisoners[0].cigarettes == 1
    assert play(state, EndTurn()).prisoners[0].cigarettes == 0


def test_crew_1_rerolls_once():
    state = play(member("crew_1"), Walk(), roll(1), Reroll())
    assert asks(state) == ("roll_die", CHANCE)
    state = play(state, roll(5))
    assert why_not(state, Reroll()) == "no_reroll"
    assert play(state, Go("yard")).turn.actions == 1
    assert why_not(play(game_of(), Walk(), roll(1)), Reroll()) == "no_reroll"


def test_crew_2_sneaks_for_one_action_once():
    state = turn(member("crew_2"), actions=3)
    state = play(state, Sneak("yard"))
    assert state.turn.actions == 2
    state = play(state, Sneak("cells"))
    assert state.turn.actions == 0


def test_crew_3_nudges_the_die_without_wrap():
    state = play(member("crew_3"), Walk(), roll(1))
    nudges = [move for move in GAME.moves(state) if isinstance(move, SetDie)]
    assert nudges == [SetDie(2)]
    state = play(state, SetDie(2))
    assert why_not(state, SetDie(3)) == "no_nudge"
    assert play(state, Go("infirmary")).prisoners[0].place == "infirmary"


def test_crew_4_greets_once_per_turn(secrets):
    state = turn(lay(game_of(secrets=secrets), 1, gang="crew_4", place="yard"), actions=6)
    state = play(state, Sneak("yard"))
    if secrets == "house":
        assert GAME.chance(state).sees == (1,)
    state = drew(state, "tie")
    assert cards(state) == (0, 1)
    state = play(state, Sneak("cells"), Sneak("yard"))
    assert cards(state) == (0, 1)
    assert asks(state) == ("turn", 0)


def test_triad_1_searches_one_more(secrets):
    state = play(member("triad_1", secrets), Search())
    assert cards(drew(state, "tie", "cap")) == (2, 0)


def test_triad_2_draws_two_more_and_discards_two(secrets):
    state = drew(play(member("triad_2", secrets), Search()), "tie", "cap", "blade")
    assert cards(state) == (3, 0)
    assert asks(state) == ("shed", 0)
    state = play(state, Discard("tie"), Discard("cap"))
    assert (cards(state), state.discard) == ((1, 0), ("tie", "cap"))
    assert asks(state) == ("turn", 0)


def test_triad_3_holds_thirteen(secrets):
    state = member("triad_3", secrets, hand="tie " * 13)
    assert asks(play(state, EndTurn())) == ("turn", 1)
    assert asks(play(lay(state, hand="cap"), EndTurn())) == ("shed", 0)


def test_triad_4_searches_twice(secrets):
    state = drew(play(member("triad_4", secrets), Search()), "tie")
    state = drew(play(state, Search()), "tie")
    assert why_not(turn(state, actions=1), Search()) == "search_used"


def test_queers_1_heals_anywhere(secrets):
    assert can(member("queers_1", secrets, place="showers", beatings=1), Heal())


def test_queers_2_pays_the_attacker(secrets):
    state = lay(lay(game_of(secrets=secrets), hand="shiv"), 1, gang="queers_2", cigarettes=3)
    state = play(state, Racket(1, "spoon"), PlayWeapon("shiv"), PayOff())
    assert [p.cigarettes for p in state.prisoners] == [2, 1]
    assert asks(state) == ("turn", 0)


def test_queers_3_draws_after_a_racket(secrets):
    state = lay(lay(game_of(secrets=secrets), hand="shiv"), 1, gang="queers_3")
    state = drew(quietly(beaten_up(state)), "tie")
    assert cards(state) == (0, 1)


def test_queers_4_ignores_one_beating(secrets):
    state = member("queers_4", secrets, place="yard", hand="spoon", beatings=1)
    assert can(state, Craft("file_spoon", ("spoon",)))


def test_a39_gangs_do_not_change_the_die_for_michel():
    for gang, move in (("crew_1", Reroll()), ("crew_3", SetDie(2))):
        state = lay(game_of(michel="michel"), gang=gang)
        state = play(state, MoveMichel(), roll(1))
        assert why_not(state, move) in ("no_reroll", "no_nudge")
        assert GAME.moves(state) == (Go("cells"), Go("refectory"))
