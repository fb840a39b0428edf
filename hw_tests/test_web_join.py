"""Phones come and go: by a code that the table shows, never past the table."""

from __future__ import annotations

from threading import Thread

import pytest

from firmware_host.config import Config
from firmware_host.texts import TEXTS
from hw_tests.served import Served, read, wait


@pytest.fixture
def served(tmp_path):
    table = Served(tmp_path)
    yield table
    table.close()


def claim(served, phone, seat):
    """Join while somebody holds the key: the answer comes when the table has given its own."""
    answers = []
    code = served.invite(seat)
    asking = Thread(target=lambda: answers.append(phone.ask("join", code=code)))
    asking.start()
    wait(lambda: (q := served.shot.question) and q.kind == "proposal")

    def finish():
        asking.join(20)
        return answers[0]

    return finish


def press(served, *buttons):
    from firmware_host.inbox import Press

    read()
    for button in buttons:
        served.table.inbox.put(Press(button))


def test_a_code_becomes_a_key_once(served):
    phone, other = served.phone(), served.phone()
    assert phone.get("/api/state", params={"seat": "0"}).status_code == 403
    code = served.invite(0)
    answer = phone.ask("join", code=code)
    assert answer.json() == {"ok": True, "seat": 0, "host": False}
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    wait(lambda: served.shot.invitation is None)
    assert phone.state(0)["you"] == {"seat": 0, "seats": [0], "host": False}
    assert phone.state(0)["moves"] == [] or served.turn == 0
    assert other.ask("join", code=code).status_code == 403
    assert other.state()["seats"][0]["joined"]
    assert not other.state()["seats"][1]["joined"]


def test_looking_at_a_link_uses_no_code_up(served):
    code = served.invite(1)
    for path in (f"/S/{code}", f"/s/{code.lower()}"):
        assert served.phone().get(path).status_code == 200
    assert served.phone().ask("join", code=code.lower()).status_code == 200


def test_a_second_claim_is_the_table_s_to_allow_and_the_old_key_dies(served):
    ana, thief = served.phone(0), served.phone()
    finish = claim(served, thief, 0)
    assert served.shot.question.text == TEXTS("claim_seat", name="Ana")
    press(served, "confirm")  # it stands on no
    assert finish().status_code == 403
    assert ana.state(0)["you"]["seats"] == [0]
    assert thief.get("/api/state", params={"seat": "0"}).status_code == 403

    finish = claim(served, thief, 0)
    press(served, "next", "confirm")
    assert finish().status_code == 200
    assert thief.state(0)["you"]["seats"] == [0]
    assert ana.get("/api/state", params={"seat": "0"}).status_code == 403
    assert not ana.state()["you"]["seats"]


def test_nobody_agrees_from_afar_to_take_another_s_seat(served):
    """Bo wants Ana's hand: only her own phone or a button of the table may agree."""
    ana, bo = served.phone(0), served.phone(1, None)
    finish = claim(served, bo, 0)
    question = bo.state()["question"]
    assert not question["yours"]
    for wish in ({"question": question["id"], "at": 1},):
        assert bo.ask("pick", **wish).json()["code"] == "others_answer"
    assert bo.ask("press", button="next").status_code == 403
    assert bo.ask("press", button="confirm").status_code == 403
    assert ana.state()["question"]["yours"]
    assert ana.ask("pick", question=question["id"], at=0).status_code == 200
    assert finish().status_code == 403
    assert bo.state()["you"]["seats"] == [1]


def test_a_table_without_buttons_lets_the_host_replace_a_lost_phone(tmp_path):
    served = Served(tmp_path, config=Config(name="tests"))
    try:
        served.phone(0)
        host, new = served.phone(None), served.phone()
        finish = claim(served, new, 0)
        assert host.ask("pick", question=host.state()["question"]["id"], at=1).status_code == 200
        assert finish().status_code == 200
        assert new.state(0)["you"]["seats"] == [0]
    finally:
        served.close()


def test_one_phone_goes_around_and_sees_one_hand_at_a_time(served):
    shared = served.phone(0, 1)
    assert shared.state()["you"]["seats"] == [0, 1]
    assert shared.state(0)["you"]["seat"] == 0
    assert shared.state(1)["you"]["seat"] == 1
    assert "hand" not in shared.state()
    assert shared.ask("leave", seat=0).status_code == 200
    assert shared.state()["you"]["seats"] == [1]
    assert shared.get("/api/state", params={"seat": "0"}).status_code == 403


def test_the_host_is_a_key_of_its_own(served):
    host, ana = served.phone(None), served.phone(0)
    assert host.state()["you"] == {"seat": None, "seats": [], "host": True}
    assert host.get("/api/state", params={"seat": "0"}).status_code == 403
    for route, wish in (
        ("games", {"game": "breakout", "seats": ["X", "Y"], "abandon": True}),
        ("close", {}),
        ("settings", {"language": "fr"}),
        ("correct", {"game": 1, "seq": 1, "changes": [{"path": ["turn"], "value": 0}]}),
        ("takeover", {"seat": 1}),
    ):
        assert ana.ask(route, **wish).json()["code"] == "host_only"
        assert served.phone().ask(route, **wish).json()["code"] == "no_key"
    assert host.ask("settings", language="fr", mute=True).status_code == 200
    wait(lambda: served.shot.language == "fr" and served.shot.mute)
    assert host.ask("leave", seat=0).status_code == 200
    assert ana.get("/api/state", params={"seat": "0"}).status_code == 403


def test_the_table_s_own_menu_is_the_host_s_to_answer(served):
    """It begins and ends games, and gives seats to others."""
    host, ana = served.phone(None), served.phone(0)
    assert host.ask("close").status_code == 200
    wait(lambda: served.record.ended)
    press(served, "next")
    wait(lambda: (q := served.shot.question) and q.kind == "table")
    question = ana.state()["question"]
    assert not question["yours"]
    assert ana.ask("pick", question=question["id"], at=0).json()["code"] == "others_answer"
    assert ana.ask("press", button="confirm").json()["code"] == "others_answer"
    assert host.state()["question"]["yours"]
    assert host.ask("pick", question=question["id"], at=0).status_code == 200
    wait(lambda: not served.record.ended)  # the same game again


def test_keys_follow_people_into_the_next_game(served):
    host, ana, bo = served.phone(None), served.phone(0), served.phone(1)
    begun = host.ask("games", game="la_grande_evasion", seats=["Bo", "Cy"], abandon=True)
    assert begun.status_code == 200, begun.text
    wait(lambda: served.record.game.id == "la_grande_evasion")
    assert bo.state(0)["you"]["seats"] == [0]
    assert ana.state()["you"]["seats"] == []
    assert host.state()["you"]["host"]


def test_keys_outlive_the_daemon(tmp_path):
    served = Served(tmp_path)
    ana = served.phone(0)
    game = served.record.id
    cookies = {name.split("_")[0]: value for name, value in ana.cookies.items()}
    served.close()
    served = Served(tmp_path)
    try:
        again = served.phone()
        again.cookies.set(f"cavale_{served.page.port}", cookies["cavale"])
        assert again.state(0)["game"] == game
    finally:
        served.close()


def test_invitations_are_shown_at_the_table_and_told_nobody(served):
    host = served.phone(None)
    answer = host.ask("invite", seat=1)
    assert answer.json() == {"ok": True}
    code = wait(lambda: served.shot.invitation).code
    for path in ("/api/state", "/api/history", "/api/moves", "/"):
        assert code not in host.get(path).text
    assert host.ask("invite", seat=7).status_code == 409
    assert served.phone().ask("invite", seat=0).status_code == 401
