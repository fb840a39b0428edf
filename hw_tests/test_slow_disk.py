"""An SD card may take a second for a commit: what people did is on the screens meanwhile, as not
yet final; what the house drew is not, since it could come out otherwise after a power cut."""

from __future__ import annotations

from firmware_host import wall
from firmware_host.clerk import SLOW
from firmware_host.config import profile
from firmware_host.demo import Evening
from firmware_host.journal import Journal
from game_logic.core import CHANCE
from hw_tests.rig import KNOTS, Rig


def test_a_push_is_provisional_while_it_is_written_and_final_afterwards(tmp_path):
    rig = Rig(tmp_path, cost=lambda: 1.0)
    rig.wait(2.0)
    before = rig.record.seq
    wall.push(rig.sim.world, 3, "left", KNOTS[rig.turn])
    shot = rig.wait(0.8)
    assert shot.record.seq == before
    assert shot.notice.kind == "provisional"
    assert shot.notice.said.en.endswith("(writing it down…)")
    (said,) = [e for e in rig.events if e.text == shot.notice.said]
    assert said.latency < 0.4
    rig.wait(1.0)
    assert rig.record.seq == before + 1
    assert rig.at_rest()
    assert rig.events[-1].latency is None, "it is not counted twice"


def test_a_takeback_is_provisional_too(tmp_path):
    seconds = [0.02]
    rig = Rig(tmp_path, cost=lambda: seconds[-1])
    rig.push(3, "left")
    seconds.append(1.0)
    before = rig.record.seq
    rig.sim.world.pass_by("gate:3_left")
    rig.sim.world.put("r3c1", ())
    shot = rig.wait(0.6)
    assert shot.record.seq == before
    assert shot.notice.kind == "provisional"
    rig.wait(1.0)
    assert rig.record.seq == before + 1
    assert rig.at_rest()


def test_a_quick_disk_is_not_spoken_of(tmp_path):
    rig = Rig(tmp_path, cost=lambda: SLOW / 2)
    rig.push(3, "left")
    assert {event.kind for event in rig.events} == {"begin", "move"}


def test_what_the_house_drew_is_not_shown_before_it_is_kept(tmp_path):
    provisional = []
    journal = Journal.open(tmp_path / "cavale.db")
    drawn = []

    def look() -> bool:
        notice = evening.table.snapshot.notice
        provisional.extend([notice] if notice and notice.kind == "provisional" else [])
        return evening.moves > 60

    def heard(event, sim):
        drawn.extend(act for act in event.acts if act.by == CHANCE)

    evening = Evening(
        profile("screen"), "prison_break", journal, seed=1, cost=lambda: 0.3, listen=heard
    )
    evening.run(until=look)
    journal.close()
    assert drawn
    assert provisional == []
