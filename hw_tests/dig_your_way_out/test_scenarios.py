"""The scenarios of the rules, S1 to S49, where they can be in both homes of the secrets."""

from __future__ import annotations

from game_logic.core import Drawn
from game_logic.dig_your_way_out.moves import (
    Buy,
    Cooperate,
    Craft,
    Dig,
    Discard,
    EndTurn,
    Go,
    Heal,
    Join,
    MoveMichel,
    Pass,
    PayOff,
    PlayWeapon,
    Racket,
    Refuse,
    Reveal,
    Search,
    Sell,
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
    has,
    known,
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

PICKAXE = Craft("craft_pickaxe", ("spike", "tie"))


def test_s01_search_in_the_cells(secrets):
    state = drew(play(game_of(secrets=secrets), Search()), "tie")
    assert cards(state) == (1, 0)


def test_s02_search_in_the_refectory(secrets):
    state = lay(game_of(secrets=secrets), place="refectory")
    assert cards(drew(play(state, Search()), "tie", "cap")) == (2, 0)


def test_s03_no_second_search(secrets):
    state = drew(play(game_of(secrets=secrets), Search()), "tie")
    assert why_not(state, Search()) == "search_used"


def test_s04_a_roll_of_1_leads_to_cells_or_refectory(secrets):
    state = play(lay(game_of(secrets=secrets), place="yard"), Walk(), roll(1))
    goes = [move for move in GAME.moves(state) if isinstance(move, Go)]
    assert goes == [Go("cells"), Go("refectory")]
    assert play(state, Go("cells")).prisoners[0].place == "cells"


def test_s05_from_the_cells_a_1_leads_to_the_refectory(secrets):
    state = play(game_of(secrets=secrets), Walk(), roll(1))
    assert why_not(state, Go("cells")) == "same_place"
    assert why_not(state, Go("yard")) == "not_rolled"
    assert play(state, Go("refectory")).prisoners[0].place == "refectory"


def test_s06_a_careful_move_needs_two_actions(secrets):
    state = turn(game_of(secrets=secrets), actions=1)
    assert why_not(state, Sneak("yard")) == "careful_cost"


def racket(secrets, mine="blade shiv shiv", his="blade shiv pickaxe"):
    state = game_of(secrets=secrets)
    state = lay(lay(state, 0, place="yard", hand=mine), 1, place="yard", hand=his)
    return play(state, Racket(1, "pickaxe"), PlayWeapon("blade"))


def test_s07_the_target_refuses_and_loses(secrets):
    state = quietly(play(racket(secrets), Refuse(), by=None))
    fight = (("blade", 1), ("shiv", 0), ("shiv", 1), ("shiv", 0))
    for weapon, seat in fight:
        assert asks(state) == ("racket_fight", seat)
        state = play(state, PlayWeapon(weapon), by=seat)
    if secrets == "house":
        assert GAME.moves(state) == (Pass(),)
    state = quietly(play(state, Pass(), by=1))
    if secrets == "table":
        assert asks(state) == ("loot", 1)
        state = play(state, Cooperate("pickaxe"))
    state = quietly(state)
    assert beatings(state) == (0, 1)
    assert has(state, 0, "pickaxe")
    assert has(state, 1, "")
    assert sorted(state.discard) == ["blade", "blade"]
    assert state.stock[3] == 20
    assert asks(state) == ("turn", 0)


def test_s08_the_target_cooperates(secrets):
    state = play(racket(secrets), Cooperate("pickaxe"))
    assert beatings(state) == (0, 0)
    assert has(state, 0, "pickaxe shiv shiv")
    assert has(state, 1, "blade shiv")
    assert state.discard == ("blade",)


def test_s09_without_the_tool_the_winner_takes_a_random_card(secrets):
    state = racket(secrets, mine="blade shiv shiv pickaxe", his="tie cap")
    state = quietly(play(quietly(play(state, Refuse())), Pass(), by=1))
    if secrets == "table":
        assert asks(state) == ("loot", 1)
        state = play(state, Pass())  # "I do not have that tool"
    state = quietly(took(state, 1, "cap"))
    assert beatings(state) == (0, 1)
    assert has(state, 0, "cap pickaxe shiv shiv")
    assert has(state, 1, "tie")


def test_s09_nobody_is_asked_for_a_tool_that_is_in_no_hand(secrets):
    state = quietly(play(racket(secrets, his="tie cap"), Refuse()))
    state = quietly(took(quietly(play(state, Pass(), by=1)), 1, "cap"))
    assert cards(state) == (3, 1)
    assert asks(state) == ("turn", 0)


def test_s10_the_attacker_gives_up_and_loses(secrets):
    state = quietly(play(racket(secrets), Refuse()))
    state = quietly(play(state, PlayWeapon("blade"), Pass()))
    state = quietly(took(state, 0, "shiv"))
    assert beatings(state) == (1, 0)
    assert has(state, 0, "shiv")
    assert has(state, 1, "pickaxe shiv shiv")


def test_s11_no_racket_without_a_weapon(secrets):
    state = known(game_of(secrets=secrets), 0, "spoon")
    assert why_not(state, Racket(1, "spoon")) == "no_weapon"


def test_s12_no_racket_in_another_place(secrets):
    state = lay(game_of(secrets=secrets), hand="blade")
    state = lay(state, 1, place="yard")
    assert why_not(state, Racket(1, "spoon")) == "target_away"


def test_s13_never_more_than_two_beatings(secrets):
    state = lay(racket(secrets, his=""), 1, beatings=2)
    state = quietly(play(state, Refuse()))
    state = quietly(play(state, Pass())) if state.todo else state
    assert beatings(state) == (0, 2)


def yard(secrets, hand="spike tie", **more):
    return lay(game_of(secrets=secrets), place="yard", hand=hand, **more)


def test_s14_no_craft_with_a_beating(secrets):
    assert why_not(yard(secrets, beatings=1), PICKAXE) == "craft_beaten"


def test_s15_dig_with_one_beating(secrets):
    state = lay(game_of(secrets=secrets), hand="spoon", beatings=1)
    assert play(state, Dig("spoon")).prisoners[0].points == 1


def test_s16_no_dig_with_two_beatings(secrets):
    state = lay(game_of(secrets=secrets), hand="spoon", beatings=2)
    assert why_not(state, Dig("spoon")) == "dig_beaten"


def test_s17_heal_twice(secrets):
    state = lay(game_of(secrets=secrets), place="infirmary", beatings=2)
    state = play(state, Heal(), Heal())
    assert beatings(state) == (0, 0)
    assert why_not(turn(state, actions=1), Heal()) == "not_beaten"


def test_s18_no_craft_in_the_showers(secrets):
    assert why_not(lay(yard(secrets), place="showers"), PICKAXE) == "craft_place"


def test_s19_craft_a_pickaxe(secrets):
    state = play(yard(secrets), PICKAXE)
    assert sorted(state.discard) == ["spike", "tie"]
    assert state.stock[1] == 10
    assert state.prisoners[0].hand == ("pickaxe",)


def test_s20_nothing_from_an_empty_pile(secrets):
    state = stock(yard(secrets, cigarettes=9), pickaxe=0)
    assert why_not(state, PICKAXE) == "pile_empty"
    assert why_not(state, Buy("pickaxe")) == "pile_empty"


def test_s21_buy_shivs(secrets):
    state = yard(secrets, "", cigarettes=5)
    two, one = play(state, Buy("two_shivs")), play(state, Buy("shiv"))
    assert (two.prisoners[0].hand, two.prisoners[0].cigarettes) == (("shiv", "shiv"), 0)
    assert (one.prisoners[0].hand, one.prisoners[0].cigarettes) == (("shiv",), 3)


def test_s22_sell_three_cards(secrets):
    state = yard(secrets, "tie spike shovel")
    state = play(state, Sell("tie"), Sell("spike"), Sell("shovel"))
    assert state.prisoners[0].cigarettes == 7
    assert (state.discard, state.stock[2]) == (("tie", "spike"), 11)
    assert state.turn.actions == 1


def test_s23_two_copies_of_an_accessory_do_not_count():
    state = lay(game_of(), hand="ring ring")
    assert why_not(state, Join("cartel")) == "accessories_missing"


def test_s23_at_the_table_a_copy_is_refused_when_it_is_discarded():
    state = play(lay(game_of(secrets="table"), hand="ring ring"), Join("cartel"), Discard("ring"))
    assert why_not(state, Discard("ring")) == "accessory_twice"


def test_s24_joining_another_gang(secrets):
    state = lay(game_of(secrets=secrets), gang="crew_2", hand="ring chain")
    state = play(state, Join("cartel"), Discard("ring"), Discard("chain"))
    state = play(state, Drawn("cartel", "cartel_4"))
    assert state.prisoners[0].gang == "cartel_4"
    assert state.gangs[1].under == ("crew_2",)
    assert sorted(state.discard) == ["chain", "ring"]


def test_s25_twelve_cards_at_the_end_of_the_turn(secrets):
    state = play(lay(game_of(secrets=secrets), hand="tie " * 12), EndTurn())
    assert asks(state) == ("shed", 0)
    state = play(state, Discard("tie"))
    assert asks(state) == ("shed", 0)
    state = play(state, Discard("tie"))
    assert asks(state) == ("turn", 1)
    assert cards(state) == (10, 0)


def test_s26_past_the_goal_wins_at_once(secrets):
    state = lay(game_of(4, secrets=secrets), points=8, hand="shovel")
    over = GAME.outcome(play(state, Dig("shovel")))
    assert (over.winners, over.scores[0]) == ((0,), 11)


def test_s27_below_the_goal_the_game_goes_on(secrets):
    state = lay(game_of(3, secrets=secrets), points=10, hand="spoon")
    state = play(state, Dig("spoon"))
    assert GAME.outcome(state) is None
    assert state.prisoners[0].points == 11


def shaken(secrets, first, hand, **more):
    """Seat 0 walks into Michel(le)."""
    state = lay(game_of(secrets=secrets, michel="michel"), hand=hand, **more)
    return play(state, Sneak("showers"), Drawn("michel", first))


def test_s28_a_card_without_a_shiv(secrets):
    state = shaken(secrets, "m1", "spoon")
    assert asks(state) == ("turn", 0)
    assert (cards(state), beatings(state)) == ((1, 0), (0, 0))
    assert state.michel_discard == ("m1",)


def test_s29_a_tool_buys_michel_off(secrets):
    state = shaken(secrets, "m5", "spoon")
    assert asks(state) == ("michel_answer", 0)
    state = play(state, Cooperate("spoon"))
    assert (cards(state), beatings(state), state.stock[0]) == ((0, 0), (0, 0), 11)


def test_s30_a_won_fight_gives_a_card(secrets):
    state = shaken(secrets, "m5", "spoon shiv")
    state = drew(play(state, PlayWeapon("shiv"), Drawn("michel", "m2")), "tie")
    assert has(state, 0, "spoon tie")
    assert (beatings(state), state.stock[3]) == ((0, 0), 20)
    assert state.michel_discard == ("m5", "m2")


def test_s31_a_lost_fight_costs_the_tool(secrets):
    state = shaken(secrets, "m5", "spoon shiv")
    state = play(state, PlayWeapon("shiv"), Drawn("michel", "m8"), Pass())
    state = quietly(state)
    assert asks(state) == ("forfeit", 0)
    state = play(state, Discard("spoon"))
    assert (cards(state), beatings(state), state.stock[0]) == ((0, 0), (1, 0), 11)


def test_s32_or_a_random_card(secrets):
    state = lay(game_of(secrets=secrets, michel="michel"), hand="tie cap")
    state = play(lay(state, 1, hand="spoon"), Sneak("showers"), Drawn("michel", "m5"))
    state = quietly(play(state, Pass()))
    if secrets == "table":
        assert asks(state) == ("forfeit", 0)
        state = play(state, Pass())  # "I have none of these tools"
    state = lost(state, 0, "cap")
    assert has(state, 0, "tie")
    assert (beatings(state), state.discard) == ((1, 0), ("cap",))


def test_s33_michel_rackets_clockwise_from_who_moved_him(secrets):
    state = game_of(4, secrets=secrets, michel="michelle")
    for seat in (0, 2, 3):
        state = lay(state, seat, place="yard")
    state = play(state, EndTurn(), EndTurn(), MoveMichel(), roll(6), Go("yard"))
    order = []
    while GAME.moves(state)[0] in (Drawn("michel", "m1"), Drawn("michel", "m2")) or (
        Drawn("michel", "m3") in GAME.moves(state)
    ):
        order.append(state.todo[-1].seat)
        calm = next(m for m in GAME.moves(state) if m.card in ("m1", "m2", "m3"))
        state = play(state, calm)
    assert order == [2, 3, 0]
    assert asks(state) == ("turn", 3)


def test_s34_a_team_wins_together(secrets):
    state = game_of(4, secrets=secrets, teams=True)
    state = lay(lay(state, 0, points=5, hand="spoon"), 2, points=10)
    over = GAME.outcome(play(state, Dig("spoon")))
    assert over.winners == (0, 2)


def test_s35_in_the_other_teams_block(secrets):
    state = game_of(4, secrets=secrets, teams=True)
    state = lay(state, place="cells_b", hand="spike tie spoon")
    assert can(state, PICKAXE)
    assert why_not(state, Dig("spoon")) == "dig_own_block"
    assert why_not(lay(state, place="cells_a"), PICKAXE) == "craft_own_block"


def test_s36_a_2_leads_to_both_blocks_and_the_infirmary(secrets):
    state = lay(game_of(4, secrets=secrets, teams=True), place="yard")
    state = play(state, Walk(), roll(2))
    goes = {move.place for move in GAME.moves(state) if isinstance(move, Go)}
    assert goes == {"cells_a", "cells_b", "infirmary"}


def test_s37_helpers_lose_with_the_fighter(secrets):
    state = game_of(4, secrets=secrets, teams=True)
    for seat, hand in enumerate(("shiv shiv shiv", "shovel", "", "shiv tie")):
        state = lay(state, seat, place="yard", hand=hand)
    state = quietly(play(state, Racket(1, "shovel"), PlayWeapon("shiv"), Refuse()))
    assert asks(state) == ("racket_fight", 1)
    state = play(state, Pass())
    assert asks(state) == ("racket_help", 3)
    state = play(state, PlayWeapon("shiv"))
    assert asks(state) == ("racket_fight", 0)
    state = play(state, PlayWeapon("shiv"), Pass(), Pass())
    state = quietly(state)
    if secrets == "table":
        state = play(state, Cooperate("shovel"))
    state = took(quietly(state), 3, "tie")
    assert beatings(state) == (0, 1, 0, 1)
    assert cards(state) == (3, 0, 0, 0)
    assert has(state, 0, "shiv shovel tie")


def test_s38_a_member_gets_effect_and_bonus(secrets):
    state = lay(game_of(secrets=secrets), gang="cartel_1")
    state = lay(state, passive="p06") if secrets == "house" else state
    state = play(state, Reveal("p06", bonus=True))
    assert state.prisoners[0].cigarettes == 7
    assert why_not(state, Reveal("p06", bonus=True)) == "already_revealed"


def test_s39_where_weapons_go(secrets):
    state = quietly(play(racket(secrets, mine="blade shiv", his="shiv"), Refuse()))
    state = quietly(play(state, PlayWeapon("shiv"), PlayWeapon("shiv")))
    state = quietly(state)
    assert state.discard == ("blade",)
    assert state.stock[3] == 20
    assert beatings(state) == (0, 1)


def test_s40_michel_comes_before_the_hand_limit(secrets):
    state = game_of(secrets=secrets, michel="michel")
    state = lay(state, hand="tie " * 10 + "spoon")
    state = play(state, MoveMichel(), roll(1), Go("cells"), Drawn("michel", "m4"))
    state = play(state, Cooperate("spoon"))
    assert cards(state) == (10, 0)
    state = play(state, Drawn("michel", "m1"))
    assert asks(state) == ("turn", 1)


def test_s41_one_shiv_left(secrets):
    state = lay(yard(secrets, "", cigarettes=5), 1, hand="shiv " * 19)
    assert why_not(state, Buy("two_shivs")) == "pile_empty"
    assert play(state, Buy("shiv")).prisoners[0].cigarettes == 3


def test_s42_in_solitary(secrets):
    state = lay(yard(secrets), place="solitary")
    assert why_not(state, Search()) == "search_nothing"
    assert why_not(state, PICKAXE) == "craft_place"
    state = play(state, Walk(), roll(1))
    assert {m.place for m in GAME.moves(state) if isinstance(m, Go)} == {"cells", "refectory"}


def test_s43_queers_4_ignores_one_beating(secrets):
    one = lay(game_of(secrets=secrets), gang="queers_4", beatings=1, hand="spike tie spoon")
    assert can(lay(one, place="yard"), PICKAXE)
    assert can(one, Dig("spoon"))
    two = lay(one, beatings=2)
    assert why_not(lay(two, place="yard"), PICKAXE) == "craft_beaten"
    assert can(two, Dig("spoon"))


def test_s44_the_smuggler_pays_half_of_the_reduced_price(secrets):
    state = yard(secrets, "", gang="cartel_2", cigarettes=4)
    state = lay(state, passive="p08") if secrets == "house" else state
    assert why_not(state, Buy("shovel")) == "too_dear"
    paid = play(state, Reveal("p08"), Buy("shovel"))
    assert (paid.prisoners[0].hand, paid.prisoners[0].cigarettes) == (("shovel",), 0)
    assert paid.turn.actions == 1
    free = play(state, Reveal("p08", bonus=True), Buy("shovel"))
    assert free.prisoners[0].cigarettes == 4


def test_s45_the_gravedigger_wins_with_the_second_spoon(secrets):
    state = lay(game_of(5, secrets=secrets), points=6, hand="spoon spoon")
    state = lay(state, passive="p02") if secrets == "house" else state
    state = play(state, Dig("spoon"))
    assert GAME.outcome(state) is None
    state = play(state, Reveal("p02"))
    assert asks(state) == ("dig_again", 0)
    assert GAME.outcome(play(state, Dig("spoon"))).winners == (0,)


def test_s46_no_racket_among_teammates(secrets):
    state = lay(game_of(4, secrets=secrets, teams=True), hand="shiv")
    assert why_not(state, Racket(2, "spoon")) == "target_teammate"


def test_s47_the_lookout_cancels_the_racket(secrets):
    state = racket(secrets)
    state = lay(state, 1, passive="p09") if secrets == "house" else state
    state = play(state, Reveal("p09"))
    assert state.discard == ("blade",)
    assert beatings(state) == (0, 0)
    assert asks(state) == ("turn", 0)
    assert why_not(state, Racket(1, "pickaxe")) == "racket_used"


def test_s48_a_racket_paid_off(secrets):
    state = lay(racket(secrets), 1, gang="queers_2", cigarettes=2)
    state = play(state, PayOff())
    assert [p.cigarettes for p in state.prisoners] == [2, 0]
    assert state.discard == ("blade",)
    assert asks(state) == ("turn", 0)


def test_s49_an_empty_hand_gives_nothing(secrets):
    state = quietly(play(racket(secrets, his="shiv"), Refuse()))
    state = quietly(play(state, PlayWeapon("shiv"), PlayWeapon("shiv")))
    assert beatings(state) == (0, 1)
    assert cards(state) == (1, 0)
    assert asks(state) == ("turn", 0)
