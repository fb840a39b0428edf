"""An evening at the table: games chosen, paused, corrected, begun anew; people who come and go."""

from __future__ import annotations

import pytest

from firmware_host import house, settings
from firmware_host.inbox import Begin, Close, Correct, Intend, Pick, Set, TakeOver
from firmware_host.snapshot import Invitation
from firmware_host.tags import Tag, Tags
from game_logic import GAMES, load
from game_logic.breakout.moves import Push
from game_logic.core import CHANCE, Act, Drawn, Piece, encode
from hw_tests.rig import KNOTS, Rig


def choose(rig: Rig, words: str) -> None:
    """With the buttons, as people do: next until it stands there, then confirm."""
    for _ in range(40):
        question = rig.shot.question
        assert question is not None, f"nothing is asked, where {words!r} was wanted"
        if words in question.options[question.at].en:
            rig.press("confirm")
            return
        rig.press("next")
    raise AssertionError(f"{words!r} is none of {[option.en for option in question.options]}")


# -- games --------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", GAMES)
def test_every_game_is_begun_from_the_menu(id, tmp_path):
    rig = Rig(tmp_path, "pad", begin=None)
    assert rig.shot.question.kind == "table", "without a game the table asks which"
    game = load(id)
    choose(rig, game.title.en)
    if game.seats[0] != game.seats[1]:
        choose(rig, f"{game.seats[1]} players")
    assert rig.record.game.id == id
    seats = list(rig.view["seats"])
    assert len(seats) == game.seats[1]
    assert seats == [game.seat_name(seat).en for seat in range(len(seats))]


def test_a_game_is_chosen_by_its_tag(tmp_path):
    rig = Rig(tmp_path, "pad", begin=None)
    uid = "04a1b2c3d4e5f6"
    rig.sim.parts.senses.tags = Tags({uid: Tag("alcatraz")})
    rig.sim.world.hold_tag(bytes.fromhex(uid))
    rig.wait()
    assert "Alcatraz" in rig.shot.question.text.en
    choose(rig, "4 players")
    assert rig.record.game.id == "alcatraz"


def test_another_game_closes_the_one_that_is_open(tmp_path):
    rig = Rig(tmp_path)
    rig.push(3, "left")
    rig.press("next")
    choose(rig, "Another game")
    choose(rig, "La grande évasion")
    choose(rig, "2 players")
    assert rig.record.game.id == "la_grande_evasion"
    games = rig.journal.games()
    assert [game.open for game in games] == [False, True]
    assert rig.view["seats"] == ["Ana", "Bo"], "the same people, since they are as many"


def test_after_the_end_the_same_people_may_play_again(tmp_path):
    rig = Rig(tmp_path)
    rig.table.inbox.put(Close())
    rig.wait()
    assert rig.record.ended
    rig.press("confirm")
    choose(rig, "Again")
    assert not rig.record.ended
    assert rig.view["seats"] == ["Ana", "Bo"]


def test_setting_up_the_start_and_confirming_begins_anew(tmp_path):
    rig = Rig(tmp_path)
    for row in (1, 2, 3, 4, 5):
        rig.push(row, "left")
    before = rig.record.id
    rig.sim.world.arrange({})  # everything is taken off the wall
    rig.wait()
    assert rig.shot.question is not None
    assert rig.record.id == before, "nothing is guessed"
    choose(rig, "new game")
    rig.wait()
    assert rig.record.id == before + 1
    assert rig.at_rest()


# -- corrections --------------------------------------------------------------------------------


def test_when_the_table_is_right_the_game_is_corrected_and_that_can_be_undone(tmp_path):
    rig = Rig(tmp_path)
    rig.push(3, "left")
    rig.push(2, "left")
    before = rig.state
    rig.sim.world.put("r5c3", (Piece(KNOTS[0]),))
    rig.wait()
    assert rig.shot.notice.kind == "mend"
    rig.press("next")
    assert rig.shot.question.kind == "mend"
    choose(rig, "Keep the table")
    assert rig.record.game.image(rig.state)["r5c3"] == (Piece(KNOTS[0]),)
    assert rig.at_rest()
    assert [event.kind for event in rig.events].count("correction") == 1
    rig.sim.world.put("r5c3", ())
    rig.press("undo")
    assert rig.state == before


def test_a_correction_that_no_rule_allows_is_refused_and_changes_nothing(tmp_path):
    rig = Rig(tmp_path)
    rig.push(3, "left")
    before, said = rig.record, []
    wrong = rig.record.game.renamed(rig.state, 0, "Ana")
    wrong = type(wrong)(**{f: getattr(wrong, f) for f in wrong.__struct_fields__} | {"red": -1})
    rig.table.inbox.put(Correct(wrong, said.append))
    rig.wait()
    assert rig.record.seq == before.seq
    assert said[0] is not None


# -- people -------------------------------------------------------------------------------------


def test_somebody_leaves_and_another_takes_the_seat(tmp_path):
    rig = Rig(tmp_path)
    rig.push(3, "left")
    rig.press("next")
    choose(rig, "Somebody leaves")
    choose(rig, "Bo")
    choose(rig, "Somebody else")
    assert rig.view["seats"] == ["Ana", "Blue"]
    rig.push(2, "left")
    assert len(rig.moves) == 3


def test_the_house_plays_on_for_a_seat_and_says_what_to_push(tmp_path):
    rig = Rig(tmp_path)
    gone = 1 - rig.turn
    rig.push(3, "left")
    rig.table.inbox.put(TakeOver(gone, None))
    rig.wait(5.0)
    assert rig.view["seats"][gone] == house.NAME
    assert rig.moves[-1].by == gone
    assert rig.shot.notice.kind == "arrange", "its knot is for people to put in"
    rig.sim.world.arrange(rig.record.game.image(rig.state))
    rig.wait()
    assert rig.at_rest()
    rig.push(2, "left", rig.turn)
    assert rig.moves[-1].by == 1 - gone or rig.moves[-2].by == 1 - gone


def test_a_whole_game_may_be_played_against_the_house(tmp_path):
    rig = Rig(tmp_path, "screen", begin=None)
    options = {"secrets": "table", "turn_limit": 12}
    rig.table.inbox.put(Begin("la_grande_evasion", (house.NAME, house.NAME), options))
    for _ in range(100):
        if rig.shot.record is not None and rig.record.ended:
            break
        rig.wait(20.0)
        if rig.shot.notice is not None and rig.shot.notice.confirm:
            rig.press("confirm")
    assert rig.record.ended
    assert rig.record.game.outcome(rig.state) is not None


@pytest.mark.parametrize(
    ("seat", "name"), [(7, "Zoé"), (-1, "Zoé"), (0, " "), (0, "Bo"), (0, "x" * 99)]
)
def test_a_seat_is_not_given_to_nobody(seat, name, tmp_path):
    rig, said = Rig(tmp_path), []
    before = rig.record.seq
    rig.table.inbox.put(TakeOver(seat, name, said.append))
    rig.wait()
    assert said[0] is not None
    assert rig.record.seq == before


# -- pause, language, sound, phones -------------------------------------------------------------


def test_a_game_is_paused_and_goes_on_from_the_panel(tmp_path):
    rig = Rig(tmp_path)
    rig.press("next")
    choose(rig, "Pause")
    assert rig.shot.paused
    before = rig.record.seq
    rig.push(3, "left")
    assert rig.record.seq == before
    rig.press("confirm")
    rig.wait()
    assert not rig.shot.paused
    assert rig.record.seq == before + 1, "what hands did meanwhile is read afterwards"


def test_language_and_sound_are_set_at_the_panel_and_told(tmp_path):
    rig = Rig(tmp_path)
    rig.press("next")
    choose(rig, "Français")
    assert rig.shot.language == "fr"
    rig.press("next")
    choose(rig, "Sound: turn off")
    assert rig.shot.mute
    assert [event.kind for event in rig.events].count("set") == 2
    rig.table.inbox.put(Set(mute=False))
    rig.wait()
    assert not rig.shot.mute
    assert rig.shot.language == "fr"


def test_a_phone_is_invited_from_the_menu_until_it_has_come_or_a_button_is_pressed(tmp_path):
    rig = Rig(tmp_path, door=lambda seat: Invitation(seat, "ABCD2345", "HTTP://X/S/ABCD2345"))
    rig.press("next")
    choose(rig, "A phone joins")
    choose(rig, "Bo")
    assert rig.shot.invitation == Invitation(1, "ABCD2345", "HTTP://X/S/ABCD2345")
    rig.press("next")
    assert rig.shot.invitation is None
    assert rig.at_rest()


def test_without_a_page_nobody_is_invited(tmp_path):
    rig = Rig(tmp_path)
    rig.press("next")
    options = [option.en for option in rig.shot.question.options]
    assert not any("phone" in option for option in options)


def test_the_dice_of_the_box_are_waited_for_or_left_to_the_house(tmp_path):
    rig = Rig(tmp_path, "screen", begin=None, door=lambda seat: None)
    choose(rig, "those of the box")
    assert rig.shot.luck == "box"
    assert [event.kind for event in rig.events].count("set") == 1
    rig.table.inbox.put(Begin("prison_break", ("Ana", "Bo", "Cy")))
    rig.wait()
    assert rig.shot.awaited == "box"
    assert rig.shot.notice.why == rig.record.game.prompt(rig.state, None)
    before = rig.record.seq
    rig.press("confirm")
    assert rig.moves[-1].by == CHANCE
    assert rig.record.seq == before + 1
    rig.table.inbox.put(Set(luck="house"))
    rig.wait()
    assert rig.shot.awaited is None
    assert rig.record.seq > before + 1


def test_without_a_page_to_say_them_on_dice_are_the_house_s(tmp_path):
    rig = Rig(tmp_path, "screen", begin=None)
    assert not any("the box" in option.en for option in rig.shot.question.options)
    rig.table.inbox.put(Set(luck="box"))
    rig.table.inbox.put(Begin("prison_break", ("Ana", "Bo", "Cy")))
    rig.wait()
    assert rig.shot.awaited is None
    assert any(act.by == CHANCE for act in rig.moves)


@pytest.mark.parametrize("luck", [None, "box"])
def test_what_is_set_is_set_at_the_next_start(tmp_path, luck):
    file = tmp_path / settings.FILE
    kept = settings.Settings("fr", mute=True, luck=luck)
    settings.save(file, kept)
    assert settings.load(file) == kept


def test_the_menu_is_left_by_undo_and_undoes_nothing(tmp_path):
    rig = Rig(tmp_path)
    rig.push(3, "left")
    before = rig.record.seq
    rig.press("next")
    assert rig.shot.question.kind == "table"
    rig.press("undo")
    assert rig.shot.question is None
    assert rig.record.seq == before


# -- what has come to light ---------------------------------------------------------------------


def test_a_closed_undo_asks_once_more(tmp_path):
    rig = Rig(tmp_path)
    assert isinstance(rig.moves[0].move, Drawn), "the lot has said who begins"
    rig.press("undo")
    assert rig.shot.question.kind == "proposal"
    choose(rig, "No")
    before = rig.record.seq
    rig.press("undo")
    choose(rig, "Yes")
    rig.wait()
    assert rig.record.seq > before


def test_the_menu_answers_a_page_too(tmp_path):
    rig = Rig(tmp_path)
    rig.press("next")
    options = [option.en for option in rig.shot.question.options]
    rig.table.inbox.put(Pick(options.index("Pause")))
    rig.wait()
    assert rig.shot.paused


def test_a_piece_held_to_a_pad_asks_what_it_does(tmp_path):
    rig = Rig(tmp_path, "pad", begin=None)
    game = load("dig_your_way_out")
    rig.sim.open_box(game)
    rig.table.inbox.put(Begin(game.id, ("Ana", "Bo"), {"secrets": "table"}))
    rig.wait(5.0)
    rig.press("confirm")  # the board is set up
    pawns = [Piece("pawn", pawn.id) for pawn in game.box.pawns[:2]]
    mine, other = pawns[rig.turn], pawns[1 - rig.turn]
    rig.sim.world.hold(rig.sim.world.tag_of(mine))
    rig.wait()
    question = rig.shot.question
    assert question is not None
    assert game.piece(mine).en in question.text.en
    for answer in question.answers:
        after = game.play(rig.state, answer.acts[0].move, rig.turn)
        assert game.image(after) != game.image(rig.state)
    rig.press("confirm")
    assert rig.moves[-1] == question.answers[0].acts[0]
    rig.sim.world.hold(rig.sim.world.tag_of(other))
    rig.wait()
    assert "nothing to play" in next(e.text.en for e in rig.events if e.kind == "refused")


def test_moves_told_by_menu_where_nothing_is_seen_need_no_putting_right(tmp_path):
    rig = Rig(tmp_path, "pad")
    seat = rig.turn
    rig.table.inbox.put(Intend((Act(seat, Push(3, "left")),)))
    rig.wait()
    assert rig.moves[-1].move == Push(3, "left")
    assert rig.shot.notice is None
    assert encode(rig.state)


def test_the_menu_says_why_something_else_may_not_be_done(tmp_path):
    rig = Rig(tmp_path, "pad")
    rig.press("confirm")
    while not any(True for _ in rig.record.game.attempts(rig.state)):
        rig.table.inbox.put(Intend((Act(rig.turn, Push(1, "left")),)))
        rig.wait()
    choose(rig, "Why not")
    assert "R6" in rig.shot.question.options[0].en
    before = rig.record.seq
    rig.press("confirm")
    assert rig.record.seq == before
    assert rig.shot.question.kind == "menu", "and now that they know, what they may do"


def test_where_no_pad_answers_the_house_draws_once_people_say_so(tmp_path):
    rig = Rig(tmp_path, "pad", begin=None)
    rig.sim.open_box(load("alcatraz"))
    rig.sim.order("missing reader left; missing reader right")
    rig.wait(20.0)
    rig.table.inbox.put(Begin("alcatraz", ("Ana", "Bo", "Cy"), {"secrets": "table"}))
    rig.wait(20.0)
    assert rig.record.game.chance(rig.state) is not None
    assert rig.shot.awaited == "confirm"
    before = rig.record.seq
    rig.press("confirm", "confirm")  # the board is set up; then the card
    rig.wait()
    assert rig.record.seq > before


def test_a_throw_that_the_house_has_rolled_in_place_of_does_not_count_later(tmp_path):
    """People threw, the tower was silent, and they left it to the house; then the tower is back."""
    rig = Rig(tmp_path, "screen-tower", begin=None)
    rig.table.inbox.put(Begin("prison_break", ("Ana", "Bo", "Cy"), {"secrets": "table"}))
    rig.wait(3.0)
    assert rig.shot.awaited == "tower"
    rig.sim.order("silent_tower tower")
    rig.sim.tower.drop({"die": 2})
    rig.wait(30.0)
    assert rig.shot.awaited == "confirm"
    before = rig.record.seq
    rig.press("confirm")
    assert rig.record.seq == before + 1
    rig.sim.faults.mend()
    rig.wait(20.0)
    assert rig.record.seq == before + 1
    assert "does not count" in rig.shot.notice.text.en
    rig.sim.tower.remove("die")
    rig.sim.tower.drop({"die": 4})
    rig.wait(5.0)
    assert rig.record.seq == before + 2
    assert rig.moves[-1].move.face == 4
