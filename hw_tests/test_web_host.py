"""What the host's key is for: putting a position right, and saying who plays on for whom."""

from __future__ import annotations

from collections import Counter

import pytest

from firmware_host import house
from firmware_host.inbox import Correct
from firmware_host.journal import Record
from firmware_host.texts import TEXTS
from firmware_host.web.correcting import label, leaves
from firmware_host.web.words import WORDS
from game_logic import GAMES, load
from game_logic.core import Piece
from hw_tests.served import later, played, wait

NAMES = ("Ana", "Bo", "Cy")
STEPS = ("prisoners", *range(100))  # named by who or which it is


def correct(host, bo, *, agree=True, **wish):
    """Asked for by the host, answered on another phone."""
    told = host.state()
    finish = later(lambda: host.ask("correct", game=told["game"], seq=told["seq"], **wish))
    question = wait(lambda: (q := bo.state()["question"]) and q["kind"] == "proposal" and q)
    assert bo.ask("pick", question=question["id"], at=int(agree)).status_code == 200
    return finish(), question["text"]


def test_a_correction_is_of_what_all_see_agreed_and_possible(serve):
    served = serve("prison_break", NAMES)
    host, bo = served.phone(None), served.phone(1)
    fields = host.get("/api/correct").json()
    known = {tuple(field["path"]): field["value"] for field in fields["fields"]}
    assert known["guilt",] == 0

    def guilt(value, **how):
        return correct(host, bo, changes=[{"path": ["guilt"], "value": value}], **how)

    answer, asked = guilt(7, agree=False)
    assert answer.json()["code"] == "not_agreed"
    assert asked == "Correct by hand? guilt: 7"  # people know what they agree to
    before = served.record
    assert guilt(-3)[0].json()["code"] == "impossible"
    assert served.record is before
    assert guilt(7)[0].status_code == 200
    wait(lambda: served.record.game.view(served.record.state, None)["guilt"] == 7)
    assert TEXTS("corrected").en in host.state()["log"][-1]["text"]


@pytest.mark.parametrize("game", GAMES)
def test_all_that_can_be_set_has_a_name(game):
    """In both languages, and no two have the same."""
    rules = load(game)
    names = NAMES[: rules.seats[1]]
    looked = Counter()

    def look(state):
        record = Record.begin(rules, names, {}).correct(state)
        labels = [label(record, path) for path in leaves(record)]
        assert len(set(labels)) == len(labels)
        for path in leaves(record):
            assert all(f"field_{step}" in WORDS for step in path if step not in STEPS)
        looked["states"] += 1
        return looked["states"] == 60 or not rules.to_act(state)

    played(rules, look, names)


def stands(served, piece, space):
    return piece in served.record.game.image(served.record.state).get(space, ())


def test_a_piece_is_put_where_it_stands(serve):
    served = serve("alcatraz", NAMES)
    host, bo = served.phone(None), served.phone(1)
    told = host.get("/api/correct", params={"language": "fr"}).json()
    (pawn,) = [piece for piece in told["pieces"] if piece["id"] == "red"]
    (here,) = pawn["at"]
    assert pawn["text"] == "le pion rouge"
    there = next(place["space"] for place in told["spaces"] if place["space"] != here)
    red = Piece("pawn", "red")
    shift = {"kind": "pawn", "id": "red", "at": here, "to": there}

    before = served.record
    assert correct(host, bo, pieces=[shift], agree=False)[0].json()["code"] == "not_agreed"
    nowhere = shift | {"to": None}
    assert correct(host, bo, pieces=[nowhere])[0].json()["code"] == "impossible"  # she sits here
    assert served.record is before
    answer, asked = correct(host, bo, pieces=[shift])
    assert answer.status_code == 200, answer.text
    assert asked.startswith("Correct by hand? the red pawn: ")
    wait(lambda: stands(served, red, there))
    assert TEXTS("corrected").en in host.state()["log"][-1]["text"]
    told = host.state()
    assert told["undo"] == "free"
    assert host.ask("undo", game=told["game"], seq=told["seq"]).status_code == 200
    wait(lambda: stands(served, red, here))


def guards(state):
    image = load("prison_break").image(state)
    return any(Piece("guard_key") in pieces for pieces in image.values())


def test_pieces_come_from_beside_the_board_and_go_there(serve):
    """With a number in the same breath: one correction."""
    served = serve("prison_break", NAMES)
    host, bo = served.phone(None), served.phone(1)
    guarded = played(load("prison_break"), lambda s: guards(s) and s.guilt != 2, NAMES)
    served.table.inbox.put(Correct(guarded))
    wait(lambda: served.record.state == guarded)
    told = host.get("/api/correct").json()
    (guard,) = [piece for piece in told["pieces"] if piece["kind"] == "guard_key"]
    assert None in guard["at"]  # some are left in the box
    space = guard["at"][0]
    off = {"kind": "guard_key", "id": None, "at": space, "to": None}
    on = off | {"at": None, "to": space}
    guilt = [{"path": ["guilt"], "value": 2}]
    assert correct(host, bo, pieces=[off], changes=guilt)[0].status_code == 200
    wait(lambda: not stands(served, Piece("guard_key"), space))
    assert served.record.game.view(served.record.state, None)["guilt"] == 2
    assert correct(host, bo, pieces=[on])[0].status_code == 200
    wait(lambda: stands(served, Piece("guard_key"), space))


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"pieces": [{"kind": "pawn", "id": "red", "at": "nowhere", "to": None}]},
        {"pieces": [{"kind": "pawn", "id": "red", "at": None, "to": None}]},
        {"pieces": [{"kind": "queen", "id": None, "at": None, "to": None}]},
        {"pieces": [{"kind": "pawn", "id": "red"}]},
        {"pieces": [{"kind": "pawn", "id": "red", "at": "HERE", "to": "the moon"}]},
    ],
)
def test_a_correction_of_nothing_or_nonsense_is_refused_and_asks_nobody(serve, wish):
    served = serve("alcatraz", NAMES)
    host, told = served.phone(None), served.phone().state()
    image = served.record.game.image(served.record.state)
    here = next(space for space, pieces in image.items() if Piece("pawn", "red") in pieces)
    for piece in wish.get("pieces", ()):
        if piece.get("at") == "HERE":
            piece["at"] = here
    answer = host.ask("correct", game=told["game"], seq=told["seq"], **wish)
    assert answer.status_code == 400, answer.text
    assert served.shot.question is None or served.shot.question.kind != "proposal"


def test_somebody_takes_a_seat_over(serve):
    served = serve("la_grande_evasion", NAMES)
    host, bo = served.phone(None), served.phone(1)
    stream = bo.events(1)
    next(stream)
    for name, status in (("Ana", 409), ("", 400), ("x" * 33, 400), ("a\nb", 400)):
        assert host.ask("takeover", seat=1, name=name).status_code == status
    assert host.ask("takeover", seat=9, name="Zoe").status_code == 409
    assert host.ask("takeover", seat=-1, name="Zoe").status_code == 400
    assert bo.ask("takeover", seat=1, name="Zoe").status_code == 403
    assert served.phone().ask("takeover", seat=1, name="Zoe").status_code == 401
    assert [seat["name"] for seat in host.state()["seats"]] == [*NAMES]
    assert host.ask("takeover", seat=1, name="Zoe").status_code == 200
    wait(lambda: [seat["name"] for seat in host.state()["seats"]] == ["Ana", "Zoe", "Cy"])
    while (kind := next(stream)[1]) == "state":
        pass
    assert kind == "gone"  # the phone was Bo's, not the seat's
    assert served.phone(1).state(1)["moves"]


def test_the_house_takes_a_seat_over_and_plays_it(serve):
    served = serve()
    host, seat = served.phone(None), served.turn
    before = served.record.seq
    assert host.ask("takeover", seat=seat).status_code == 200
    wait(lambda: host.state()["seats"][seat]["name"] == house.NAME)
    wait(lambda: served.turn != seat)
    assert served.record.seq > before + 1


def test_a_game_that_is_over_has_no_seats_to_take(serve):
    served = serve()
    host = served.phone(None)
    assert host.ask("close").status_code == 200
    wait(lambda: served.record.ended)
    answer = host.ask("takeover", seat=0, name="Zoe")
    assert (answer.status_code, answer.json()["code"]) == (409, "no_game")
    told = served.phone().state()
    answer = host.ask("correct", game=told["game"], seq=told["seq"], changes=[])
    assert (answer.status_code, answer.json()["code"]) == (409, "no_game")
