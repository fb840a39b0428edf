"""What stays secret, and how the house counts hands it does not know."""

from __future__ import annotations

import random

import pytest

from game_logic.core import CHANCE, Drawn, decode_state, encode, pick
from game_logic.dig_your_way_out.moves import (
    Choose,
    Cooperate,
    Craft,
    Dig,
    Discard,
    EndTurn,
    Pass,
    PlayCard,
    PlayWeapon,
    Racket,
    Refuse,
    Reveal,
    Search,
    Sell,
)
from hw_tests.dig_your_way_out.prison import (
    GAME,
    NAMES,
    asks,
    cards,
    drew,
    game_of,
    known,
    lay,
    play,
    quietly,
    why_not,
)

# -- the house deals ------------------------------------------------------------------------------


def test_a_drawn_card_is_told_to_its_owner_alone():
    state = play(game_of(3), Search())
    drawn = Drawn("search", "rare_phone")
    assert "mobile phone" in GAME.told(state, drawn, CHANCE, 0).en
    told = GAME.told(state, drawn, CHANCE, 1)
    assert told == GAME.told(state, drawn, CHANCE, None)
    assert told.en == "Ana draws a card."
    after = play(state, drawn)
    assert GAME.view(after, 0)["hand"] == ("rare_phone",)
    for other in (1, 2, None):
        assert GAME.view(after, other)["prisoners"][0]["cards"] == 1
        assert "rare_phone" not in str(GAME.view(after, other))


def test_a_demand_does_not_tell_whether_the_target_has_the_tool():
    state = lay(game_of(3), hand="shiv")
    with_spoon = lay(lay(state, 1, hand="spoon"), 2, hand="tie")
    without = lay(lay(state, 1, hand="tie"), 2, hand="spoon")
    demand = (Racket(1, "spoon"), PlayWeapon("shiv"))
    one, two = play(with_spoon, *demand), play(without, *demand)
    assert one != two
    assert GAME.view(one, 0) == GAME.view(two, 0)
    assert GAME.prompt(one, 0) == GAME.prompt(two, 0)
    assert GAME.to_act(one) == GAME.to_act(two)


def test_the_wait_for_a_passive_does_not_tell_which_it_is():
    """Whatever the victim holds, he is asked; once it is revealed, he is not."""
    for card in ("p16", "p06"):
        state = lay(lay(game_of(), hand="ambush ambush"), 1, passive=card)
        state = play(state, PlayCard("ambush"), Choose(1))
        assert asks(state) == ("blow", 1)
    state = lay(lay(game_of(), hand="ambush"), 1, passive="p06", revealed=True)
    state = play(state, PlayCard("ambush"), Choose(1))
    assert asks(state) == ("turn", 0)


def test_undo_closes_where_something_came_out():
    state = lay(game_of(), hand="informer tie", passive="p06")
    assert GAME.closes_undo(state, Reveal("p06"))
    assert not GAME.closes_undo(state, PlayCard("informer"))
    state = play(lay(state, 1, hand="cap"), PlayCard("informer"))
    assert GAME.closes_undo(state, Choose(1))
    state = play(lay(game_of(), 0, hand="ambush"), PlayCard("ambush"))
    assert not GAME.closes_undo(state, Choose(1))
    assert GAME.closes_undo(play(game_of(), Search()), Drawn("search", "tie"))


# -- hands stay at the table ----------------------------------------------------------------------


def test_draws_are_counted_and_ask_nobody():
    state = play(game_of(secrets="table"), Search())
    assert asks(state) == ("turn", 0)
    assert (state.prisoners[0].unknown, state.pile) == (1, 76)
    assert GAME.view(state, 0)["hand"] == ()
    assert GAME.view(state, 0)["unknown"] == 1


def test_a_named_card_must_be_one_that_is_left():
    """All three signet rings lie on the discard: nobody can sell a fourth."""
    state = lay(game_of(secrets="table"), place="yard", hand="ring ring ring tie")
    state = play(state, Sell("ring"), Sell("ring"), Sell("ring"))
    assert why_not(state, Sell("ring")) == "not_in_hand"
    assert state.prisoners[0].unknown == 1


def test_a_tool_nobody_took_cannot_be_dug():
    state = lay(game_of(secrets="table"), hand="tie tie")
    assert why_not(state, Dig("shovel")) == "not_in_hand"


def test_what_was_taken_openly_is_known():
    state = play(lay(game_of(secrets="table"), place="yard", cigarettes=8, hand="tie"))
    state = known(state, 1, "shovel")
    assert state.prisoners[1].hand == ("shovel",)
    assert why_not(lay(state, place="cells"), Dig("shovel")) == "not_in_hand"


def test_an_unseen_card_makes_the_known_ones_doubtful():
    """After a random take the spoon may be in either hand, and only one of them can dig it."""
    state = known(lay(game_of(secrets="table"), hand="light_fingers spoon"), 1, "shovel")
    state = lay(state, 1, hand="tie")
    state = play(state, PlayCard("light_fingers"), Choose(1))
    assert [(p.hand, p.unknown) for p in state.prisoners] == [((), 2), ((), 1)]
    mine = play(state, Dig("shovel"))
    assert mine.prisoners[0].points == 3
    mine = play(mine, EndTurn())
    assert why_not(mine, Dig("shovel")) == "not_in_hand"
    his = play(state, EndTurn(), Dig("shovel"))
    assert his.prisoners[1].points == 3


def test_unknown_cards_that_must_be_tools_are_no_search_cards():
    """The only two unknown cards are known to be a spoon and a shovel, in some order."""
    state = known(known(game_of(secrets="table"), 0, "spoon"), 1, "shovel")
    state = lay(state, hand="redeal", place="yard")
    state = play(state, PlayCard("redeal"))
    assert cards(state) == (1, 1)
    assert why_not(state, Sell("tie")) == "not_in_hand"
    assert {move.card for move in GAME.moves(state) if isinstance(move, Sell)} == {
        "spoon",
        "shovel",
    }
    state = play(state, Sell("spoon"))
    assert why_not(play(state, EndTurn()), Dig("spoon")) == "not_in_hand"


def test_crafted_cards_are_known_to_all():
    state = lay(game_of(secrets="table"), place="yard", hand="tie spike")
    state = play(state, Craft("craft_pickaxe", ("spike", "tie")))
    assert (state.prisoners[0].hand, state.prisoners[0].unknown) == (("pickaxe",), 0)


def test_the_discard_comes_back_into_the_unknown():
    state = lay(game_of(secrets="table"), hand="tie " * 3, place="showers")
    loose = dict(state.loose)
    state = play(state, EndTurn(), EndTurn())
    assert dict(state.loose) == loose


@pytest.mark.parametrize("seed", range(4))
def test_every_true_deal_can_be_played_at_the_table(seed):
    """A game dealt by the house, told to a table as people would tell it: never refused."""
    rng = random.Random(seed)
    options = {"turn_limit": 60, "michel": "michel"}
    truth = GAME.new(NAMES[:4], options)
    table = GAME.new(NAMES[:4], {**options, "secrets": "table"})
    while GAME.outcome(truth) is None:
        (by,) = GAME.to_act(truth)
        if by == CHANCE:
            chance = GAME.chance(truth)
            move = pick(chance.parts[0], rng.randrange)
            topic = truth.todo[-1].topic
            if topic == "lose":  # the owner says which card it was
                table = GAME.play(table, Discard(move.card), truth.todo[-1].seat)
            elif chance.sees is None:
                table = GAME.play(table, move, CHANCE)
        else:
            move = rng.choice(GAME.moves(truth, by))
            if truth.todo and truth.todo[-1].topic == "take_chosen":
                pass  # it goes from hand to hand, unseen
            else:
                table = _told(table, truth, move, by)
        truth = GAME.play(truth, move, by)
        table = _asked_at_the_table_only(table, truth)
        assert GAME.problems(table) == ()
        assert truth.todo or cards(table) == cards(truth)
        for theirs, ours in zip(table.prisoners, truth.prisoners, strict=True):
            assert theirs.points == ours.points
            assert theirs.place == ours.place
            assert theirs.cigarettes == ours.cigarettes
    assert GAME.outcome(table).winners == GAME.outcome(truth).winners


def _told(table, truth, move, by):
    assert GAME.to_act(table) == (by,), (table.todo, truth.todo)
    assert move in GAME.moves(table, by)
    return GAME.play(table, move, by)


def _asked_at_the_table_only(table, truth):
    """Questions that the house answers itself where it knows the hands."""
    while table.todo and table.todo[-1].topic in ("loot", "forfeit"):
        task = table.todo[-1]
        if truth.todo and truth.todo[-1].topic == task.topic:
            break
        if task.topic == "loot":
            gone = task.tool in truth.prisoners[task.winner].hand and not (
                truth.todo and truth.todo[-1].topic == "take"
            )
            table = GAME.play(table, Cooperate(task.tool) if gone else Pass())
        else:
            table = GAME.play(table, Pass())
    return table


# -- restarts -------------------------------------------------------------------------------------


def test_a_racket_in_progress_survives_a_restart(secrets):
    state = lay(lay(game_of(secrets=secrets), hand="shiv shiv"), 1, hand="shiv spoon")
    state = quietly(play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse()))
    state = play(state, PlayWeapon("shiv"))
    again = decode_state(GAME, encode(state))
    assert again == state
    assert GAME.problems(again) == ()
    assert GAME.moves(again, 0) == GAME.moves(state, 0)
    assert play(again, PlayWeapon("shiv")) == play(state, PlayWeapon("shiv"))


def test_a_search_in_progress_survives_a_restart():
    state = play(lay(game_of(), place="showers"), Search(), Drawn("search", "tie"))
    again = decode_state(GAME, encode(state))
    assert drew(again, "cap", "tie") == drew(state, "cap", "tie")
