"""Against a real Mosquitto: a whole evening, a broker that dies, commands, many tables."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from threading import Thread

import pytest

from firmware_host import cli
from firmware_host.bench import mqtt as bench
from firmware_host.demo import Evening
from firmware_host.inbox import Correct, TakeBack
from firmware_host.journal import Journal
from firmware_host.mqtt import Link, LinkError, link, topics
from firmware_host.snapshot import Event
from game_logic import load
from game_logic.core import Text
from hw_tests.linked import Linked, config
from hw_tests.mosquitto import PROGRAM, Listener, Mosquitto, free_port, needed, wait
from hw_tests.rig import Rig

ALL = {f"cavale/wall/{topic}" for topic in ("status", "game", "turn", "board", "health/mqtt")}
ALL |= {"cavale/wall/health/screen_0x3c", "homeassistant/device/cavale_wall/config"}
KINDS = ["undo", "correction"]


@pytest.fixture
def broker(tmp_path):
    server = Mosquitto(tmp_path)
    yield server
    server.kill()


@pytest.fixture
def listener(broker):
    hears = Listener(broker)
    yield hears
    hears.close()


# -- a whole evening ----------------------------------------------------------------------------


@needed
def test_mosquitto_sub_sees_a_whole_demo(broker, listener, tmp_path, capsys):
    """Both programs as people run them."""
    command = shutil.which("mosquitto_sub")
    if command is None:
        pytest.skip("NOT TESTED with mosquitto_sub: apt install mosquitto-clients")
    listens = [command, "-p", str(broker.port), "-q", "1", "-F", "%r %t %p"]
    listens += ["-V", "5", "--retain-as-published", "-t", "cavale/#", "-t", "homeassistant/#"]
    with (tmp_path / "heard").open("w") as out:
        sub = subprocess.Popen(listens, stdout=out)
        try:
            told = (tmp_path / "heard").read_text
            wait(lambda: (listener.say("cavale/there?", "-"), told())[1], what="for mosquitto_sub")
            demo = ["demo", "breakout", "--seed", "9", "--broker", broker.url, "--json"]
            cli.main([*demo, "--pace", "40"])  # on a slow machine its hands may outrun the table
            wait(lambda: told().endswith("1 cavale/cavale/status offline\n"), what=told()[-300:])
        finally:
            sub.kill()
            sub.wait()
    *moves, over = map(json.loads, capsys.readouterr().out.splitlines())
    lines = [line.split(" ", 2) for line in told().splitlines() if "there?" not in line]
    retained, events = {}, []
    for kept, topic, payload in lines:
        assert kept == ("0" if topic.endswith("/event") else "1")
        if kept == "1":
            retained[topic.removeprefix("cavale/cavale/")] = payload
        else:
            events.append(json.loads(payload))
    # Nothing missed: every number once, every move of the demo, and the end.
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    assert sum(len(event["text"]) for event in events if event["kind"] == "move") == len(moves)
    assert events[-1]["kind"] == "over"
    game = json.loads(retained["game"])
    assert (game["over"], game["seq"]) == (True, events[-1]["seq"])
    assert game["outcome"]["winners"] == over["winners"]
    assert {"turn", "board", "homeassistant/device/cavale_cavale/config"} <= set(retained)
    tracks = {topic for topic in retained if topic.startswith("tracks/")}
    assert tracks == {f"tracks/{track.id}" for track in load("breakout").tracks(_begun())}


def _begun():
    return load("breakout").new(("Ana", "Bo"))


# -- the broker comes and goes ----------------------------------------------------------------


@needed
def test_a_broker_killed_three_times_loses_no_state(broker, tmp_path):
    """After each death everything retained is there again, and as new as the table."""
    journal = Journal.open(tmp_path / "demo.db")
    evening = Evening(config(broker.url), "breakout", journal, seed=9, pace=10)
    hears = Listener(broker, "cavale/#")
    deaths = []

    def fate():
        for moves in (15, 35, 55):
            wait(lambda moves=moves: evening.moves >= moves, 60)
            broker.kill()
            wait(lambda: not evening._link._client.is_connected())
            broker.start()
            seq = evening.table.snapshot.record.seq
            hall = Listener(broker)
            wait(lambda hall=hall: set(hall.retained) >= ALL, 20)
            wait(lambda hall=hall, seq=seq: hall.json("cavale/wall/game")["seq"] >= seq)
            hall.close()
            deaths.append(moves)

    try:
        killer = Thread(target=fate)
        killer.start()
        evening.run()
        killer.join()
        record = evening.result().record
        final = topics.game(evening.table.snapshot)
        assert deaths == [15, 35, 55]
        wait(evening._link._client.is_connected)
        now = Listener(broker, "cavale/#")
        wait(lambda: now.retained.get("cavale/wall/game") == final["game"])
        for topic, said in final.items():
            assert now.retained[f"cavale/wall/{topic}"] == said
        evening.close()
        wait(lambda: now.retained["cavale/wall/status"] == b"offline")
        now.close()
        assert evening._link._dropped == 0
    finally:
        evening.close()
        journal.close()
        hears.close()
    events = hears.of("cavale/wall/event")
    assert (events[-1]["kind"], events[-1]["seq"]) == ("over", record.seq)
    # Who listens is away for a while after each death too: the numbers tell what it missed.
    numbers = [event["n"] for event in events]
    assert numbers == sorted(numbers)
    assert numbers[-1] == next(evening._link._numbers) - 1


@needed
def test_what_happens_while_the_broker_is_away_is_told_afterwards(broker, listener, linked):
    rig = linked(broker.url)
    wait(lambda: "cavale/wall/turn" in listener.retained)
    broker.kill()
    wait(lambda: not rig.link._client.is_connected())
    rig.push(3, "left")
    rig.push(2, "right")
    broker.start()
    seq = rig.record.seq
    wait(lambda: listener.json("cavale/wall/game")["seq"] == seq)
    wait(lambda: [e["seq"] for e in listener.of("cavale/wall/event")][-1:] == [seq])
    numbers = [e["n"] for e in listener.of("cavale/wall/event")]
    assert sorted(set(numbers)) == list(range(numbers[0], numbers[-1] + 1))


@needed
def test_what_flew_when_the_broker_died_comes_before_what_happened_since(broker, listener, linked):
    rig = linked(broker.url)
    wait(lambda: "cavale/wall/turn" in listener.retained)
    broker.pause()
    rig.push(3, "left")
    wait(lambda: rig.link._flying)
    broker.kill()
    wait(lambda: not rig.link._client.is_connected())
    rig.push(2, "right")
    told = rig.link._client.on_connect

    def slow(*of) -> None:  # paho says again what flew when this is done
        wait(listener.client.is_connected)
        told(*of)
        time.sleep(0.5)

    rig.link._client.on_connect = slow
    broker.start()
    seq = rig.record.seq
    wait(lambda: seq in [e["seq"] for e in listener.of("cavale/wall/event")])
    wait(lambda: seq - 1 in [e["seq"] for e in listener.of("cavale/wall/event")])
    numbers = [e["n"] for e in listener.of("cavale/wall/event")]
    assert numbers == sorted(numbers)


@needed
def test_an_event_said_just_as_the_broker_dies_arrives_and_others_after_it(
    broker, listener, linked, monkeypatch
):
    rig = linked(broker.url)
    wait(lambda: "cavale/wall/turn" in listener.retained)
    client = rig.link._client
    says = client.publish

    def dying(topic, *more, **how):
        if topic.endswith("/event"):
            monkeypatch.undo()
            broker.kill()
            wait(lambda: not client.is_connected())
        return says(topic, *more, **how)

    monkeypatch.setattr(client, "publish", dying)
    rig.push(3, "left")
    wait(lambda: client.publish == says)
    broker.start()
    wait(lambda: rig.record.seq in [e["seq"] for e in listener.of("cavale/wall/event")])
    rig.push(2, "right")
    wait(lambda: rig.record.seq in [e["seq"] for e in listener.of("cavale/wall/event")])


@needed
def test_what_did_not_fit_the_queue_is_counted_and_the_state_is_not_stale(broker, listener, linked):
    rig = linked(broker.url)
    wait(lambda: "cavale/wall/turn" in listener.retained)
    broker.kill()
    wait(lambda: not rig.link._client.is_connected())
    for _ in range(link.KEPT + 7):
        rig.link.heard(Event("trouble", 0.0, rig.record, text=Text("aïe", "ouch")))
    rig.push(3, "left")  # one more: the newest stay
    broker.start()
    wait(lambda: listener.json("cavale/wall/health/mqtt")["dropped"] == 8)
    wait(lambda: [e["kind"] for e in listener.of("cavale/wall/event")][-1:] == ["move"])
    assert listener.json("cavale/wall/game")["seq"] == rig.record.seq
    numbers = [event["n"] for event in listener.of("cavale/wall/event")]
    # Who listens has to come back too, and may have missed the first of them.
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    assert numbers[0] >= 9, "the oldest go first"
    assert numbers[-1] == link.KEPT + 8


@needed
def test_a_table_that_dies_is_offline_and_what_it_left_is_swept(broker, listener, linked, tmp_path):
    listener.say("cavale/wall/tracks/of_old", "{}", retain=True)
    rig = linked(broker.url)
    wait(lambda: listener.retained.get("cavale/wall/status") == b"online")
    wait(lambda: listener.retained.get("cavale/wall/tracks/of_old") == b"")
    rig.link._client.socket().shutdown(2)  # no word of farewell
    wait(lambda: (b"offline") in [p for t, p in listener.messages if t == "cavale/wall/status"])
    wait(lambda: listener.retained["cavale/wall/status"] == b"online")


@needed
def test_home_assistant_is_told_again_when_it_is_born(broker, listener, linked):
    linked(broker.url, commands=True)
    topic = "homeassistant/device/cavale_wall/config"
    wait(lambda: topic in listener.retained)
    told = len(listener.of(topic))
    listener.say("homeassistant/status", "online")
    wait(lambda: len(listener.of(topic)) == told + 1)
    assert "undo" in listener.json(topic)["components"]


# -- never in the way ---------------------------------------------------------------------------


def test_without_a_broker_nothing_waits_and_the_oldest_events_go(tmp_path):
    rig = Linked(tmp_path, config(f"mqtt://127.0.0.1:{free_port()}"))
    event = Event("begin", 0.0, rig.record)
    before = len(rig.link._events)
    for _ in range(link.KEPT + 500 - before):
        rig.link.heard(event)
    assert rig.link._dropped == 500
    assert len(rig.link._events) == link.KEPT
    rig.push(3, "left")
    assert rig.record.seq > 1
    rig.link.close()


@needed
def test_latency_is_the_same_with_a_broker(broker, tmp_path):
    """In free time latency is what the wire and the loop take, to the last digit."""

    def latencies(folder, make):
        folder.mkdir()
        rig = make(folder)
        for row, side in ((1, "left"), (2, "right"), (3, "left"), (4, "right")):
            rig.push(row, side)
        return rig, [event.latency for event in rig.events if event.latency is not None]

    _, without = latencies(tmp_path / "a", lambda f: Rig(f, "wall"))
    rig, with_one = latencies(tmp_path / "b", lambda f: Linked(f, config(broker.url)))
    rig.link.close()
    assert len(without) == 4
    assert with_one == without


def test_the_bench_runs_beside_brokers_of_every_kind():
    cases = list(bench.cases(moves=3))
    assert {case.unit for case in cases} == {"ms"}
    assert all(case.ours > 0 and case.peer > 0 for case in cases)
    told = " ".join(case.case for case in cases)
    assert "not there" in told
    assert "hangs" in told
    assert ("listens" in told) == (PROGRAM is not None)


# -- commands -------------------------------------------------------------------------------------


@needed
def test_a_command_is_answered_and_a_retained_one_refused(broker, listener, linked):
    rig = linked(broker.url, commands=True, confirm=False)
    wait(lambda: "cavale/wall/turn" in listener.retained)
    move = {"type": "push", "row": 2, "side": "left"}
    order = {"id": "a", "do": "move", "seat": rig.turn, "move": move}

    def replies():
        rig.wait(0.1)
        return listener.of("cavale/wall/reply")

    listener.say("cavale/wall/command", order)
    assert wait(replies)[0]["ok"]
    assert rig.view["wall"][1][0] != "."
    listener.say("cavale/wall/command", {"id": "b", "do": "undo"}, retain=True)
    wait(lambda: len(replies()) == 2)
    assert replies()[1]["code"] == "retained"


@needed
def test_a_retained_command_does_not_wait_for_the_next_start(broker, listener, linked):
    listener.say("cavale/wall/command", {"id": "a", "do": "pause"}, retain=True)
    rig = linked(broker.url, commands=True, confirm=False)
    wait(lambda: listener.of("cavale/wall/reply"))
    assert [reply["code"] for reply in listener.of("cavale/wall/reply")] == ["retained"]
    wait(lambda: listener.retained["cavale/wall/command"] == b"")
    assert not rig.wait().paused


@needed
def test_undo_and_correction_are_events_of_their_own(broker, listener, linked):
    rig = linked(broker.url)
    rig.push(3, "left")
    rig.table.inbox.put(TakeBack())
    rig.wait()
    rig.table.inbox.put(Correct(rig.record.line[-1].state))
    rig.wait()
    wait(lambda: [e["kind"] for e in listener.of("cavale/wall/event")][-2:] == KINDS)
    last = listener.of("cavale/wall/event")[-1]
    assert last["text"][0]["fr"]
    assert last["seq"] == rig.record.seq


@needed
def test_a_flood_of_bytes_does_not_reach_the_table(broker, listener, linked):
    rig = linked(broker.url, commands=True)
    wait(lambda: "cavale/wall/turn" in listener.retained)
    for size in (link.LARGEST + 1, 100_000, 5_000_000):
        listener.say("cavale/wall/command", b"x" * size)
    listener.say("cavale/wall/command", {"id": "after", "do": "pause", "on": True})
    wait(lambda: rig.wait(0.1).paused)
    wait(lambda: len(listener.of("cavale/wall/reply")) == 2)
    assert [reply["code"] for reply in listener.of("cavale/wall/reply")] == ["too_long", None]


@needed
def test_commands_are_off_unless_asked_for(broker, listener, linked):
    rig = linked(broker.url)
    wait(lambda: "cavale/wall/turn" in listener.retained)
    listener.say("cavale/wall/command", {"id": "a", "do": "pause"})
    time.sleep(0.3)
    rig.wait()
    assert not rig.shot.paused
    assert listener.of("cavale/wall/reply") == []


# -- many tables ----------------------------------------------------------------------------------


@needed
def test_three_tables_on_one_broker_never_collide(broker, listener, linked):
    rigs = {name: linked(broker.url, name) for name in ("x", "x_game", "yard")}
    for n, rig in enumerate(rigs.values()):
        for row in range(1, n + 2):
            rig.push(row, "left")
    for name, rig in rigs.items():
        wait(lambda name=name: f"cavale/{name}/turn" in listener.retained)
        said = topics.game(rig.shot)["game"]
        wait(lambda name=name, said=said: listener.retained[f"cavale/{name}/game"] == said)
    configs = [listener.json(t) for t in listener.retained if t.startswith("homeassistant/")]
    assert len(configs) == 3
    ids = [part["unique_id"] for c in configs for part in c["components"].values()]
    assert len(ids) == len(set(ids))


@needed
def test_two_tables_of_one_name_are_told(broker, linked, tmp_path, caplog):
    first = linked(broker.url)
    wait(first.link._client.is_connected)
    (tmp_path / "other").mkdir()
    second = Linked(tmp_path / "other", config(broker.url))
    wait(lambda: "is another table called 'wall'" in caplog.text)
    second.link.close()


# -- what cannot even be tried ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "more", "says"),
    [
        ("mqtt://", {}, "mqtt.url"),
        ("mqtt://host:port", {}, "mqtt.url"),
        ("mqtt://ana:secret@host", {}, "password_file"),
        ("mqtt://host", {"user": "ana", "password_file": "/nowhere"}, "/nowhere"),
        ("mqtts://host", {"ca": "/nowhere.crt"}, "mqtt.ca"),
    ],
)
def test_a_broker_that_cannot_be_tried_is_explained(url, more, says):
    with pytest.raises(LinkError, match=says) as error:
        Link(config(url, **more), [])
    assert "secret" not in str(error.value)
