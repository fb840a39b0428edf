"""Evenings by phone: moves, votes, undo, corrections, dice by hand, and a stream that keeps up."""

from __future__ import annotations

import random

from firmware_host.config import profile
from firmware_host.inbox import Press
from firmware_host.texts import TEXTS
from hw_tests.served import Served, later, read, wait

NAMES = ("Ana", "Bo", "Cy")


def test_a_whole_game_by_two_phones(serve):
    served = serve("breakout", options={"figures_to_win": 1})
    phones, rng = (served.phone(0), served.phone(1)), random.Random(2)
    watcher = served.phone().events()
    _, kind, first = next(watcher)
    assert kind == "state"
    while not served.record.game.outcome(served.record.state):
        seat, before = served.turn, served.record.seq
        listed = phones[seat].get("/api/moves", params={"seat": str(seat)}).json()
        (mine,) = listed["seats"]
        wish = {"game": listed["game"], "seat": seat, "decision": mine["decision"]}
        answer = phones[seat].ask("intents", **wish, moves=[rng.choice(mine["moves"])["move"]])
        assert answer.status_code == 200, answer.text
        wait(lambda before=before: served.record.seq > before)
    told = phones[0].state()
    assert told["over"]["winners"]
    assert told["prompt"] == told["over"]["text"]
    last = first
    while last["seq"] < served.record.seq:
        _, _, now = next(watcher)
        assert now["seq"] >= last["seq"]
        last = now
    assert last["over"] == told["over"]
    assert last["log"][-1]["text"] == told["log"][-1]["text"]


def test_one_phone_s_bet_makes_nobody_else_s_stale(serve):
    served = serve("la_grande_evasion", NAMES)
    phones = [served.phone(seat) for seat in range(3)]
    asked = [phone.state(seat) for seat, phone in enumerate(phones)]
    for seat, (phone, told) in enumerate(zip(phones, asked, strict=True)):
        move = told["moves"][seat]
        assert move["secret"]
        wish = {"game": told["game"], "seat": seat, "decision": told["decision"]}
        answer = phone.ask("intents", **wish, moves=[move["move"]])
        assert answer.status_code == 200, answer.text
        again = phone.ask("intents", **wish, moves=[move["move"]])
        assert again.status_code == 409  # that decision is made
    wait(lambda: all(p.state(s)["hand"][0]["items"] for s, p in enumerate(phones)))


def test_a_stream_says_what_is_new_and_goes_on_where_it_was(serve):
    served = serve()
    phones = (served.phone(0), served.phone(1))
    turn = served.turn
    stream = phones[turn].events(turn)
    id, _, told = next(stream)
    stream.close()
    again = phones[turn].events(turn, **{"Last-Event-ID": id})
    assert phones[turn].play(turn).status_code == 200
    other, _, now = next(again)  # not the old state once more
    assert other != id
    assert now["seq"] > told["seq"]
    again.close()


def test_a_stream_of_a_seat_that_another_phone_takes_ends(serve):
    served = serve()
    ana, host = served.phone(0), served.phone(None)
    stream = ana.events(0)
    next(stream)
    assert host.ask("leave", seat=0).status_code == 200
    while (kind := next(stream)[1]) == "state":
        pass
    assert kind == "gone"
    assert next(stream, None) is None


def test_streams_end_with_the_daemon(tmp_path):
    served = Served(tmp_path)
    stream = served.phone().events()
    next(stream)
    phone = served.phones.pop()  # it holds on while the daemon goes
    try:
        ended = later(lambda: list(stream))
        served.close()
        assert ended() is not None
    finally:
        phone.close()


def test_undo_is_free_until_something_came_out_and_then_the_table_s(serve):
    served = serve()
    phones = (served.phone(0), served.phone(1))
    asker, other = phones
    assert asker.state()["undo"] == "agreed"  # who starts has come out
    before = served.record.state
    assert phones[served.turn].play(served.turn).status_code == 200
    told = wait(lambda: (now := other.state())["undo"] == "free" and now)
    assert other.ask("undo", game=told["game"], seq=told["seq"]).status_code == 200
    wait(lambda: served.record.state == before)
    told = asker.state()
    assert asker.ask("undo", game=told["game"], seq=told["seq"]).status_code == 409
    wish = {"game": told["game"], "seq": told["seq"], "agreed": True}
    finish = later(lambda: asker.ask("undo", **wish))
    question = wait(lambda: (q := asker.state()["question"]) and q["kind"] == "proposal" and q)
    assert question["text"] == TEXTS("proposal_undo").en
    assert not question["yours"]  # whoever asks does not agree
    assert asker.ask("pick", question=question["id"], at=1).status_code == 403
    assert other.state()["question"]["yours"]
    assert other.ask("pick", question=question["id"], at=1).status_code == 200
    assert finish().status_code == 200


def test_a_pause_holds_the_game(serve):
    served = serve()
    phones = (served.phone(0), served.phone(1))
    assert phones[0].ask("pause", on=True).status_code == 200
    wait(lambda: phones[1].state()["paused"])
    answer = phones[served.turn].play(served.turn)
    assert answer.status_code == 409
    assert answer.json()["why"] == TEXTS("paused").en
    assert phones[0].ask("pause", on=False).status_code == 200
    wait(lambda: not phones[1].state()["paused"])


def test_dice_may_be_given_by_hand_where_a_tower_waits(serve):
    served = serve(None, config=profile("pad"))
    host = served.phone(None)
    assert host.ask("games", game="prison_break", seats=list(NAMES)).status_code == 200
    wait(lambda: served.shot.awaited == "tower")
    assert "chance" not in served.phone().state()  # without a key one only looks
    told = host.state()
    (part, *_) = told["chance"]["parts"]
    assert [move["face"] for move in part["moves"]] == [1, 2, 3, 4, 5, 6]
    wish = {"game": told["game"], "seq": told["seq"], "moves": [part["moves"][3]]}
    assert host.ask("intents", **wish | {"seq": told["seq"] - 1}).status_code == 409
    assert served.phone().ask("intents", **wish).status_code == 401
    assert host.ask("intents", **wish).status_code == 200
    faces = wait(lambda: (dice := host.state()["dice"]) and dice["faces"])
    assert [die["face"] for die in faces] == [4]
    assert "<svg" in host.state()["dice"]["svg"]


def test_the_page_speaks_both_languages(serve):
    served = serve()
    phone = served.phone()
    assert phone.state(language="fr")["prompt"] != phone.state(language="en")["prompt"]
    assert phone.state()["language"] == "en"
    assert phone.state(language="xx")["language"] == "en"
    words = phone.get("/api/words").json()
    assert all(entry["fr"] and entry["en"] for entry in words.values())


def test_games_of_before_are_told_as_everybody_saw_them(serve):
    served = serve()
    host = served.phone(None)
    phones = (served.phone(0), served.phone(1))
    turn = served.turn
    assert phones[turn].play(turn).status_code == 200
    assert host.ask("close").status_code == 200
    wait(lambda: served.record.ended)
    assert host.ask("games", game="la_grande_evasion", seats=["Ana", "Bo"]).status_code == 200
    wait(lambda: served.record.game.id == "la_grande_evasion")
    stranger = served.phone()
    games = stranger.get("/api/history").json()["games"]
    assert [(game["rules"], game["open"]) for game in games] == [
        ("la_grande_evasion", True),
        ("breakout", False),
    ]
    log = stranger.get("/api/history", params={"game": 1}).json()["log"]
    assert len(log) == 3
    assert NAMES[turn] in log[-1]["text"][0]
    now = stranger.get("/api/history", params={"game": 2}).json()
    assert now["game"] == 2


def test_what_is_asked_at_the_table_is_answered_there_too(serve):
    """The table's own buttons go on working beside the phones."""
    served = serve()
    host = served.phone(None)
    assert host.ask("pause", on=True).status_code == 200
    wait(lambda: served.shot.paused)
    read()
    assert host.ask("press", button="confirm").status_code == 200
    wait(lambda: not served.shot.paused)
    served.table.inbox.put(Press("next"))
    assert host.ask("press", button="undo").status_code == 400  # that has a route of its own
