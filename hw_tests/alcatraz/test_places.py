"""The twelve locations, both faces (R51–R59, table 5.1)."""

from __future__ import annotations

import pytest

from game_logic.alcatraz.moves import (
    CASH,
    STOP,
    USE,
    Discard,
    Lift,
    Pay,
    Post,
    Take,
    Walk,
)
from game_logic.alcatraz.steps import Acting, Lifting, Paying
from hw_tests.alcatraz.table import BOX, GAME, at, legal, play, prison, why_not

TAKING = {
    "infirmary": "drugs",
    "workshop": "tools",
    "cell_block": "knife",
    "laundry": "clothes",
    "guards_room": "key",
}
BOTH = pytest.mark.parametrize("secrets", ["house", "table"])


def mixed(**alternative: bool) -> list[str]:
    return ["alternative" if place in alternative else "silver" for place in BOX.places]


def free(place, **given):
    """Somebody alone in a location without guards."""
    return prison(at=(place, "chapel", "chapel"), guards={place: 0}, **given)


# -- where objects go ---------------------------------------------------------------------------


@pytest.mark.parametrize(("main", "kind"), TAKING.items())
def test_r52_r53_first_the_main_location_then_the_yard_then_the_visiting_room(main, kind):
    s = free("chapel", holds={0: (kind,) * 3, 1: (kind, kind)}, main_first=True, ap=5)
    for n in range(3):
        s = play(s, Discard(kind))
        assert at(s, main)["objects"] == (kind,) * (n + 1)
    s = prison(at=("chapel",), holds={0: (kind, kind)}, ap=5)
    s = play(s, Discard(kind))
    assert kind in at(s, "yard")["objects"]
    assert kind not in at(s, "visiting_room")["objects"]
    s = play(s, Discard(kind))
    assert kind in at(s, "visiting_room")["objects"]


def test_s29_the_tools_go_to_the_visiting_room():
    s = free("chapel", holds={0: ("tools",)})
    assert "tools" not in at(s, "visiting_room")["objects"]
    assert "tools" in at(play(s, Discard("tools")), "visiting_room")["objects"]


def test_a2_a_discarded_gun_goes_home():
    s = free("chapel", holds={0: ("gun",)}, faces="alternative")
    assert at(play(s, Discard("gun")), "visiting_room")["objects"] == ("gun",)


# -- taking objects -----------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "kind"), TAKING.items())
def test_r56_silver_main_locations_give_one_object(place, kind):
    s = play(free(place), USE)
    assert (s.me.objects, s.turn.ap) == ((kind,), 2)
    assert at(s, place)["objects"] == (kind,) * 2


@pytest.mark.parametrize(("place", "kind"), TAKING.items())
@pytest.mark.parametrize("price", ["cash", "gun"])
def test_r56_r57_alternative_main_locations_give_two_for_an_object_or_cash(place, kind, price):
    s = free(place, faces="alternative", cash={0: 1}, holds={0: ("gun",)})
    s = play(s, USE)
    assert isinstance(s.step, Paying)
    assert set(GAME.moves(s)) == {Pay("gun"), Pay(CASH)}
    s = play(s, Pay(price))
    left = () if price == "gun" else ("gun",)
    assert sorted(s.me.objects) == sorted((kind, kind, *left))
    assert s.turn.ap == 2
    assert isinstance(s.step, Acting)


@pytest.mark.parametrize("place", TAKING)
def test_r54_nothing_left_to_take(place):
    kind = TAKING[place]
    taken = {1: (kind,) * 3}
    assert why_not(free(place, holds=taken, main_first=True), USE) == "nothing_there"


def test_s19_no_space_for_a_fourth_object():
    assert why_not(free("infirmary", holds={0: ("key", "key", "knife")}), USE) == "no_space"


def test_s20_the_single_drug_that_is_left():
    s = free(
        "infirmary", faces="alternative", holds={1: ("drugs", "drugs")}, main_first=True,
        cash={0: 1},
    )  # fmt: skip
    assert at(s, "infirmary")["objects"] == ("drugs",)
    s = play(s, USE, Pay(CASH))
    assert (s.me.objects, s.me.cash) == (("drugs",), 0)


def test_s32_one_space_one_object():
    s = free("infirmary", faces="alternative", holds={0: ("knife", "key", "tools")})
    s = play(s, USE, Pay("knife"))
    assert s.me.objects == ("drugs", "key", "tools")
    assert at(s, "infirmary")["objects"] == ("drugs", "drugs")


def test_a32_cash_frees_no_space():
    s = free("infirmary", faces="alternative", holds={0: ("knife", "key", "tools")}, cash={0: 1})
    s = play(s, USE)
    assert Pay(CASH) not in GAME.moves(s)
    assert why_not(s, Pay(CASH)) == "no_space"
    assert why_not(s, Pay("drugs")) == "not_held"
    assert why_not(s, USE) == "pay_first"


def test_r57_nothing_to_pay_with():
    assert why_not(free("infirmary", faces="alternative"), USE) == "nothing_to_pay"


def test_r55_a32_what_was_paid_cannot_be_taken_back():
    """The yard has no knife; the knife paid goes there, but was not there before."""
    s = free("yard", faces="alternative", holds={0: ("knife",)}, cash={0: 1})
    assert "knife" not in at(s, "yard")["objects"]
    s = play(s, USE, Pay("knife"))
    assert "knife" in at(s, "yard")["objects"]
    assert why_not(s, Take("knife")) == "not_on_shelf"
    assert why_not(s, USE) == "take_first"
    s = play(s, Take("key"), Take("tools"))
    assert s.me.objects == ("key", "tools")


def test_r58_the_silver_yard_is_free():
    s = play(free("yard", cash={0: 1}, ap=0), USE, Pay(CASH), Take("drugs"))
    assert (s.me.objects, s.turn.ap) == (("drugs",), 0)
    assert isinstance(s.step, Acting)


def test_yard_alternative_gives_two_of_choice():
    s = free("yard", faces="alternative", cash={0: 1})
    s = play(s, USE, Pay(CASH), Take("drugs"))
    assert why_not(s, Take("drugs")) == "not_on_shelf"
    s = play(s, Take("key"))
    assert (s.me.objects, s.turn.ap) == (("drugs", "key"), 2)


def test_s33_the_yard_with_a_single_object():
    held = {1: ("clothes", "drugs"), 2: ("tools", "knife")}
    s = free("yard", faces="alternative", holds=held, cash={0: 1})
    assert at(s, "yard")["objects"] == ("key",)
    s = play(s, USE, Pay(CASH))
    assert s.me.objects == ("key",)
    assert at(s, "yard")["objects"] == ()


def test_visiting_room_silver_gives_one_object_of_choice():
    s = play(free("visiting_room"), USE)
    assert len(legal(s, Take)) == 5
    assert play(s, Take("knife")).me.objects == ("knife",)


def test_s21_a_knife_for_the_gun():
    s = free("visiting_room", faces="alternative", holds={0: ("knife",)})
    assert at(s, "cell_block")["objects"] == ("knife",) * 3
    assert "knife" not in at(s, "yard")["objects"]
    s = play(s, USE, Pay("knife"))
    assert s.me.objects == ("gun",)
    assert "knife" in at(s, "yard")["objects"]
    assert at(s, "visiting_room")["objects"] == ()


# -- stamina and cash ---------------------------------------------------------------------------


@pytest.mark.parametrize(("had", "gets"), [(0, 3), (1, 3), (2, 3)])
def test_s30_the_canteen_fills_the_track(had, gets):
    s = play(free("canteen", stamina={0: had}), USE)
    assert (s.me.stamina, s.turn.ap) == (gets, 2)


def test_s36_a31_a_full_track_gains_nothing():
    assert why_not(free("canteen", stamina={0: 3}), USE) == "stamina_full"
    assert why_not(free("recreation_room", cash={0: 3}), USE) == "cash_full"


def test_r58_canteen_alternative_gives_one_stamina_free():
    s = play(free("canteen", faces="alternative", ap=0), USE)
    assert s.me.stamina == 1


def test_recreation_room_gives_cash():
    assert play(free("recreation_room"), USE).me.cash == 2
    assert play(free("recreation_room", cash={0: 2}), USE).me.cash == 3
    s = play(free("recreation_room", faces="alternative", ap=0), USE)
    assert (s.me.cash, s.turn.ap) == (1, 0)


# -- the control post ---------------------------------------------------------------------------


def test_a22_control_post_moves_two_guards_anywhere():
    s = free("control_post", tasks={})
    s = play(s, USE)
    assert s.step == Lifting(2)
    assert why_not(s, Lift("chapel")) == "no_guard_there"
    assert why_not(s, STOP) == "move_one_guard"
    assert why_not(s, Post("chapel")) == "lift_first"
    s = play(s, Lift("laundry"))
    assert sum(s.guards) == 7
    assert GAME.tracks(s)[0].value == 8  # one is in somebody's hand
    assert why_not(s, Post("laundry")) == "same_place"
    assert why_not(s, USE) == "post_first"
    s = play(s, Post("chapel"), Lift("wardens_office"), Post("yard"))
    assert isinstance(s.step, Acting)
    assert at(s, "chapel")["guards"] == at(s, "yard")["guards"] == 1
    assert s.turn.ap == 2


def test_a22_the_second_guard_may_stay():
    s = play(free("control_post"), USE, Lift("laundry"), Post("chapel"), STOP)
    assert isinstance(s.step, Acting)


def test_a22_never_a_fifth_guard():
    s = prison(at=("control_post",), guards={"control_post": 0, "yard": 4})
    s = play(s, USE, Lift("wardens_office"))
    assert why_not(s, Post("yard")) == "place_is_full"


def test_control_post_alternative_moves_one_guard_free():
    s = play(free("control_post", faces="alternative", ap=0), USE, Lift("laundry"), Post("chapel"))
    assert isinstance(s.step, Acting)
    assert s.turn.ap == 0


def test_a17_the_price_is_that_of_the_declaration():
    s = prison(at=("control_post",), guards={"control_post": 2}, ap=2)
    s = play(s, USE)
    assert s.turn.ap == 0
    s = play(s, Lift("control_post"), Post("chapel"), STOP)
    assert s.turn.ap == 0


# -- all together ------------------------------------------------------------------------------


def test_r30_every_location_has_a_function_on_both_faces():
    for place in BOX.places:
        for face in ("silver", "alternative"):
            s = prison(
                at=(place, "chapel"), guards={place: 0}, faces=face, cash={0: 1},
                cards={1: ("x1",)},
            )  # fmt: skip
            assert USE in GAME.moves(s), (place, face)


def test_mixed_faces_play_side_by_side_a39():
    s = free("canteen", faces=mixed(canteen=True), ap=1)
    s = play(s, USE, Walk("infirmary"))
    assert (s.me.stamina, s.turn.ap) == (1, 0)
