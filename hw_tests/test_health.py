"""One structure of health for doctor, MQTT and page, and new only when there is news."""

from __future__ import annotations

import json

from drivers.health import Health
from firmware_host.cli import main
from firmware_host.health import DeviceHealth, HealthWatch, as_json
from firmware_host.mqtt import topics
from hw_tests.rig import Rig

KEYS = {"device", "state", "reads", "misses", "errors", "resets", "error", "last_error"}


def test_reads_are_no_news_and_failures_are_when_they_double():
    health = Health("bus 1", "ok", reads=3)
    watch = HealthWatch([health])
    first = watch.look()
    health.reads += 1000
    assert watch.look() is first
    news = 0
    for _ in range(64):
        health.errors += 1
        before = watch.look()
        news += before is not first
        first = before
    assert news == 7
    health.state, health.last_error = "failed", "silent"
    assert watch.look()[0].error == "silent"
    health.state = "ok"
    assert (watch.look()[0].error, watch.look()[0].last_error) == (None, "silent")


def test_the_snapshot_tells_of_a_chip_that_fails_and_mends(tmp_path):
    rig = Rig(tmp_path)
    name = "expander 0x20"
    calm = rig.shot.health
    assert {health.state for health in calm} == {"ok"}
    assert rig.wait(5).health is calm  # it was read a hundred times meanwhile
    rig.sim.order(f"missing {name} lasting=6")
    told = {h.name: h for h in rig.wait(5).health}[name]
    assert told.state == "failed"
    assert told.errors > 0
    assert told.error
    told = {h.name: h for h in rig.wait(15).health}[name]
    assert (told.state, told.error) == ("ok", None)
    assert told.resets > 0


def test_mqtt_and_doctor_say_it_in_the_same_form(tmp_path, capsys):
    health = DeviceHealth.of(Health("screen 0x3c", "failing", errors=2, last_error="silent"))
    assert set(as_json(health)) == KEYS
    (said,) = topics.health([health]).values()
    assert json.loads(said) == {"v": topics.VERSION, **as_json(health)}
    journal = ["--journal", str(tmp_path / "cavale.db")]
    assert main(["doctor", "--sim", "--table", "places", "--json", *journal]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    counted = [line["health"] for line in lines if line.get("health")]
    assert {"reader yard", "mux 0x70", "tower"} <= {each["device"] for each in counted}
    assert all(set(each) == KEYS for each in counted)
    assert all(each["reads"] > 0 for each in counted if each["device"].startswith("reader"))
