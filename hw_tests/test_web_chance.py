"""What people's own dice and cards gave, said on the page: those of the box, or for a sensor."""

from __future__ import annotations

from msgspec.structs import replace

from firmware_host.config import profile
from firmware_host.inbox import Correct, Do
from game_logic import load
from game_logic.core import CHANCE, Act, Drawn
from hw_tests.served import BARE, played, read, wait

NAMES = ("Ana", "Bo", "Cy")

BOX = replace(BARE, luck="box")
TOWER = profile("screen-tower")
COLOURED = replace(TOWER, tower=profile("squares-evasion").tower)


def stand(served, game, chance, **options):
    """The table stands at a moment in which just this is asked of chance."""
    rules = load(game)
    state = played(rules, lambda s: (c := rules.chance(s)) and chance(c), NAMES, **options)
    seq = served.record.seq
    served.table.inbox.put(Correct(state))
    wait(lambda: served.record.seq > seq)
    return state


def said(told, *moves):
    return {"game": told["game"], "seq": told["seq"], "moves": list(moves)}


def several(chance):
    return chance.kind == "dice" and len(chance.parts) > 1


def test_several_dice_are_said_at_once(serve):
    served = serve("la_grande_evasion", NAMES, config=COLOURED)
    stand(served, "la_grande_evasion", several)
    host = served.phone(None)
    told = wait(lambda: (now := host.state()).get("chance") and now)
    faces = [part["moves"][n] for n, part in enumerate(told["chance"]["parts"])]
    answer = host.ask("intents", **said(told, *faces))
    assert answer.status_code == 200, answer.text
    shown = wait(lambda: host.state()["dice"])["faces"]
    assert [die["face"] for die in shown] == [n + 1 for n in range(len(faces))]


def test_a_card_is_said_where_a_pad_is_waited_for(serve):
    served = serve(None, config=profile("pad"))
    host, box = served.phone(None), load("alcatraz")
    served.table.inbox.put(Do(lambda: served.sim.open_box(box)))
    assert host.ask("games", game="alcatraz", seats=list(NAMES)).status_code == 200
    wait(lambda: served.shot.awaited == "pad")
    assert "chance" not in served.phone().state()  # without a key one only looks
    ana = served.phone(0)
    for phone in (host, ana):
        told = phone.state(language="fr")
        (pile,) = told["chance"]["parts"]
        assert told["chance"]["kind"] == "draw"
        assert len(pile["moves"]) == len(pile["texts"]) == len(set(pile["texts"]))
        assert pile["texts"] == sorted(pile["texts"])
    drawn = pile["moves"][1]
    before = served.record
    assert served.phone().ask("intents", **said(told, drawn)).status_code == 401
    stale = said(told, drawn) | {"seq": told["seq"] - 1}
    assert ana.ask("intents", **stale).status_code == 409
    for wrong in ([drawn, drawn], [drawn | {"card": "the moon"}], pile["moves"][:2]):
        answer = ana.ask("intents", **said(told, *wrong))
        assert (answer.status_code, answer.json()["code"]) == (409, "not_asked_for")
    assert served.record is before
    assert ana.ask("intents", **said(told, drawn)).status_code == 200
    wait(lambda: served.record.seq > before.seq)
    (act,) = served.record.line[-1].entry.acts
    assert act == Act(CHANCE, Drawn(drawn["pile"], drawn["card"]))


def test_dice_and_cards_of_the_box_are_waited_for_where_no_sensor_sees_them(serve):
    served = serve(None, config=BOX)
    host = served.phone(None)
    wish = {"game": "prison_break", "seats": list(NAMES), "options": {"secrets": "table"}}
    assert host.ask("games", **wish).status_code == 200
    wait(lambda: served.shot.awaited == "box")
    for kind in ("dice", "draw"):
        state = stand(served, "prison_break", lambda c, kind=kind: c.kind == kind, secrets="table")
        told = wait(lambda: (now := host.state()).get("chance") and now)
        assert told["chance"]["kind"] == kind
        moves = [part["moves"][-1] for part in told["chance"]["parts"]]
        assert host.ask("intents", **said(told, *moves)).status_code == 200
        wait(lambda state=state: served.record.state != state)
    stand(served, "prison_break", lambda chance: chance.kind == "draw", secrets="table")
    told = wait(lambda: (now := host.state()).get("chance") and now)
    assert told["notice"]["confirm"]
    assert told["notice"]["why"] == told["prompt"]
    before = served.record
    read()
    assert host.ask("press", button="confirm").status_code == 200  # nobody cares to draw
    wait(lambda: served.record.seq > before.seq)


def test_who_rolls_and_draws_is_the_host_s_to_set(serve):
    served = serve("dig_your_way_out", NAMES)
    host, ana = served.phone(None), served.phone(0)
    assert host.state()["luck"] == "house"
    assert ana.ask("settings", luck="box").status_code == 403
    assert host.ask("settings", luck="dice").status_code == 400
    assert host.ask("settings", luck="box").status_code == 200
    wait(lambda: host.state()["luck"] == "box")
    state = stand(served, "dig_your_way_out", lambda chance: chance.kind == "dice")
    wait(lambda: served.shot.awaited == "box")
    assert served.record.state == state
    assert host.ask("settings", luck="house").status_code == 200
    wait(lambda: served.record.state != state)


def test_what_only_some_see_is_the_house_s_to_draw(serve):
    """The refusal of one card would tell in whose hand it is."""
    served = serve("dig_your_way_out", NAMES, config=BOX)  # hands are dealt all the same
    ana = served.phone(0)
    assert ana.state(0)["hand"][0]["items"]
    assert "chance" not in ana.state(0)
