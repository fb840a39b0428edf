"""`cavale doctor`: each thing that can be wrong has its line and its remedy, in bounded time."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from drivers.clock import FreeClock
from drivers.sim.bus import SimBus
from drivers.sim.faults import KINDS as FAULTS
from drivers.sim.radio import Tag
from drivers.sim.tca9548a import SimTca9548a
from drivers.tower_frames import frame
from firmware_host.cli import main
from firmware_host.config import PROFILES, parse, profile
from firmware_host.doctor import State, examine_simulated, machine
from firmware_host.journal import Journal
from firmware_host.simulated import SimulatedTable

HOST = Path(__file__).parent.parent / "firmware_host"
KINDS = tomllib.loads((HOST / "data" / "doctor.toml").read_text("utf-8"))


class Visit:
    """A simulated table that the doctor comes to."""

    def __init__(self, folder, table, faults=""):
        self.config = profile(table) if table in PROFILES else parse(table, "table.toml")
        self.clock = FreeClock(1000.0)
        self.sim = SimulatedTable(self.config, self.clock, seed=4)
        self.sim.order(faults)
        self.journal = folder / "cavale.db"

    def findings(self):
        return list(self.coming())

    def coming(self):
        return examine_simulated(self.sim, self.clock, self.journal)


@pytest.fixture
def visit(tmp_path):
    return lambda *args: Visit(tmp_path, *args)


@pytest.mark.parametrize("table", PROFILES)
def test_healthy_tables_are_well(table, visit):
    well = visit(table)
    found = well.findings()
    assert {each.state for each in found} == {State.OK}
    names = {each.what for each in found}
    config = well.config
    assert {f"screen 0x{s.address:02x}" for s in config.screen} <= names
    assert {f"reader {r.name}" for r in config.reader} <= names
    assert {f"mux 0x{m.address:02x}" for m in config.mux} <= names
    assert ("tower" in names) == (config.tower is not None)
    assert {"python", "packages", "journal", "disk", "pins"} <= names


SICK = [
    # table, faults, what is named, how, and a word of its remedy in both languages
    ("wall", "missing expander 0x21", "expander 0x21", "missing", "wires", "fils"),
    ("wall", "nack expander 0x21 p=0.1", "expander 0x21", "flaky", "loose", "contact"),
    ("wall", "nack expander 0x21 p=0.6", "expander 0x21", "flaky", "loose", "contact"),
    ("wall", "missing screen 0x3d", "screen 0x3d", "missing", "address", "adresse"),
    ("wall", "nack screen 0x3d p=0.2", "screen 0x3d", "flaky", "hz = 100_000", "hz = 100_000"),
    ("wall", "stuck bus 1", "bus 1", "stuck", "one by one", "une à une"),
    ("wall", "dead pins input=5 level=false", "button confirm", "button_closed", "GPIO5", "GPIO5"),
    ("wall", "dead pins input=17 level=false", "interrupt", "line_low", "GPIO17", "GPIO17"),
    ("places", "stuck bus 3", "bus 3", "stuck", "cut the power", "coupez"),
    ("places", "missing mux 0x70", "mux 0x70", "missing", "power", "alimentation"),
    ("places", "nack mux 0x71 p=0.2", "mux 0x71", "flaky", "shorten", "raccourcissez"),
    ("places", "missing reader yard", "reader yard", "missing", "wires", "fils"),
    ("places", "nack reader yard p=0.1", "reader yard", "flaky", "loose", "contact"),
    ("places", "deaf_reader reader yard", "reader yard", "reader_deaf", "RSTPDN", "RSTPDN"),
    ("places", "late_answer reader yard", "reader yard", "reader_flaky", "3.3 V", "3,3 V"),
    ("places", "garbage_answer reader yard", "reader yard", "reader_flaky", "3.3 V", "3,3 V"),
    ("pad", "unplugged tower", "tower", "tower_no_port", "plug it in", "branchez"),
    ("pad", "silent_tower tower", "tower", "tower_silent", "firmware", "programme"),
    ("pad", "serial_noise tower p=0.05", "tower", "tower_noisy", "cable", "câble"),
    ("pad", "dropped_bytes tower p=0.05", "tower", "tower_noisy", "cable", "câble"),
]


@pytest.mark.parametrize(("table", "faults", "what", "code", "en", "fr"), SICK)
def test_each_fault_has_its_line_and_its_remedy(table, faults, what, code, en, fr, visit):
    found = visit(table, faults).findings()
    (line,) = [each for each in found if each.what == what and each.state is not State.OK]
    assert line.code == code
    assert en in line.remedy.en
    assert fr in line.remedy.fr
    others = [each for each in found if each.state is not State.OK and each is not line]
    assert {each.code for each in others} <= {"unasked"}, "nothing else is blamed"


@pytest.mark.parametrize(
    "faults",
    [
        "brownout expander 0x20",
        "late_tower tower",
        "tower_reboot tower",
        "duplicated_frames tower",
        "brownout reader left; brownout mux 0x70",
    ],
)
def test_what_the_drivers_put_right_is_no_illness(faults, visit):
    table = "wall" if "expander" in faults else "pad"
    assert {each.state for each in visit(table, faults).findings()} == {State.OK}


def test_what_is_behind_something_sick_is_named_as_not_asked(visit):
    found = {each.what: each for each in visit("places", "missing mux 0x70").findings()}
    assert found["reader yard"].code == "unasked"
    assert found["reader yard"].state is State.SICK
    assert "mux 0x70" in found["reader yard"].remedy.en
    assert found["reader laundry"].state is State.OK


def test_a_mux_that_does_not_switch(visit):
    text = (HOST / "tables" / "places.toml").read_text("utf-8")
    unwired = text.replace("reset = 22\n", "").replace("reset = 27\n", "")
    hung = visit(unwired, "stuck_channel mux 0x70")
    found = {each.what: each for each in hung.findings()}
    assert found["mux 0x70"].code == "mux_hung"
    assert "RESET" in found["mux 0x70"].remedy.en
    assert found["reader laundry"].code == "unasked", "it is in everybody's way"

    broken = visit("places", "stuck_channel mux 0x70")
    broken.sim.pins.factory.pin(22)._resets.clear()  # the wire is off
    found = {each.what: each for each in broken.findings()}
    assert found["mux 0x70"].code == "mux_still_hung"
    assert "GPIO22" in found["mux 0x70"].remedy.fr


def test_a_mux_that_hangs_meanwhile_is_freed_and_said(visit):
    later = visit("places")
    found = {}
    for each in later.coming():
        found[each.what] = each
        if each.what == "mux 0x70":
            later.sim.order("stuck_channel mux 0x71 after=0.01")
    assert found["mux 0x71"].code == "mux_freed"
    assert found["mux 0x71"].state is State.ODD
    assert found["reader laundry"].state is State.OK


def test_a_bus_that_sticks_meanwhile_costs_its_chips_and_no_more(visit):
    later = visit("places")
    found = []
    for each in later.coming():
        found.append(each)
        if each.what == "mux 0x71":
            later.sim.order("stuck bus 3")
    states = {each.what: each.code for each in found}
    assert states["bus 3"] == "stuck"
    assert {code for what, code in states.items() if what.startswith("reader")} == {"unasked"}
    assert states["tower"] == "tower"


def test_another_chip_at_an_expander_s_address(visit):
    other = visit("wall")
    bus = other.sim.buses[1]
    bus.detach(other.sim.expanders[2])
    bus.attach(SimTca9548a(0x77))
    bus.chips[-1].address = 0x22
    (line,) = [each for each in other.findings() if each.state is State.SICK]
    assert (line.what, line.code) == ("expander 0x22", "not_mcp23017")
    assert "PCF8574" in line.remedy.en


def test_a_chip_at_another_address_is_pointed_to(visit):
    moved = visit("wall")
    moved.sim.oleds[0].address = 0x3E
    (line,) = [each for each in moved.findings() if each.state is State.SICK]
    assert line.what == "screen 0x3c"
    assert "0x3e answers" in line.remedy.en
    assert "0x3e répond" in line.remedy.fr


@pytest.mark.parametrize(("number", "odd"), [(errno.EOPNOTSUPP, set()), (errno.EBUSY, {"held"})])
def test_a_bare_address_that_cannot_be_sent(number, odd, visit):
    """By the controller of a Pi 5, or because a kernel driver has claimed the chip."""
    well = visit("wall")
    bus = well.sim.buses[1]

    def refuse(address):
        if number == errno.EOPNOTSUPP or address == 0x3C:
            raise OSError(number, os.strerror(number))
        SimBus.write_quick(bus, address)

    bus.write_quick = refuse
    found = well.findings()
    assert {each.code for each in found if each.state is not State.OK} == odd
    (line,) = [each for each in found if each.what == "bus 1"]
    assert line.found.en == "answering: 0x20, 0x21, 0x22, 0x23, 0x3c, 0x3d"


def test_tags_and_versions_are_told(visit):
    well = visit("pad")
    well.sim.radio.put(Tag(b"\x04abcdef"), well.sim.readers["left"].antenna.place)
    found = {each.what: each for each in well.findings()}
    assert found["reader left"].found.en == "PN532 1.6, tags: 1"
    assert found["reader right"].found.fr == "PN532 1.6, étiquettes : 0"
    assert not any(chip.antenna.on for chip in well.sim.readers.values()), "fields are off again"


def test_a_tower_with_other_dice_or_another_language(visit):
    other = visit("pad")
    other.sim.tower.dice = {"red": 6}
    other.sim.tower.reboot()
    (line,) = [each for each in other.findings() if each.state is State.SICK]
    assert (line.what, line.code) == ("tower", "tower_dice")
    assert "die (it has: red (6))" in line.found.en
    newer = visit("pad")
    hello = frame("HELLO 3f9a01c2 0 12 2 tower-9 die:6")
    newer.sim.tower.to_host["newer"] = lambda data: hello if b"HELLO" in data else b""
    (line,) = [each for each in newer.findings() if each.state is State.SICK]
    assert line.code == "tower_version"
    assert "up to date" in line.remedy.en


def test_a_tower_s_rolls_stay_with_it(visit):
    well = visit("pad")
    well.sim.tower.drop({"die": 3})
    found = {each.what: each for each in well.findings()}
    assert found["tower"].state is State.OK
    assert len(well.sim.tower.firmware.waiting) == 1


def test_spaces_that_the_game_does_not_have(visit):
    text = 'game = "alcatraz"\n[[reader]]\nname = "a"\nspace = "chappel"\n'
    found = {each.what: each for each in visit(text).findings()}
    assert found["table"].code == "spaces_unknown"
    assert "chappel" in found["table"].found.en


def test_an_empty_table_needs_nothing(visit):
    assert {each.state for each in visit("").findings()} == {State.OK}


def test_with_everything_broken_it_still_comes_to_an_end(visit):
    faults = "missing mux 0x71; nack mux 0x70 p=0.05; silent_tower tower; stuck bus 1"
    faults += "".join(f"; deaf_reader reader {r.name}" for r in profile("places").reader)
    worst = visit("places", faults)
    assert State.OK in {each.state for each in worst.findings()}
    assert worst.clock.now() - 1000.0 < 15.0
    deaf = visit("places", faults.partition(";")[2].partition(";")[2])
    deaf.findings()
    assert deaf.clock.now() - 1000.0 < 15.0


# -- the machine ---------------------------------------------------------------------------------


def test_journals_and_disks(visit, tmp_path):
    well = visit("")
    Journal.open(well.journal).close()
    assert {each.what: each.code for each in well.findings()}["journal"] == "journal"
    well.journal.write_bytes(b"no database at all " * 100)
    (line,) = [each for each in well.findings() if each.state is State.SICK]
    assert "damaged" in line.found.en
    assert well.journal.read_bytes().startswith(b"no database"), "left as it is"
    (line, _) = machine.journal(well.journal / "below" / "a-file.db")
    assert line.state is State.SICK
    assert "--journal" in line.remedy.en
    (line, disk) = machine.journal(tmp_path / "new" / "folder" / "cavale.db")
    assert line.code == "journal_new"
    assert disk.code == "disk"
    assert not (tmp_path / "new").exists()


def test_a_full_disk(tmp_path, monkeypatch):
    full = SimpleNamespace(free=12_345_678)
    monkeypatch.setattr("shutil.disk_usage", lambda path: full)
    (_, disk) = machine.journal(tmp_path / "cavale.db")
    assert disk.state is State.SICK
    assert disk.found.en == "only 12 MB free"


def test_versions_are_compared_as_numbers():
    assert machine.fits("2.0.1.post3", "gpiozero<3,>=2.0.1")
    assert machine.fits("13.0", "Pillow<14,>=10.4")
    assert not machine.fits("14.0.0", "Pillow<14,>=10.4")
    assert not machine.fits("2.0", "gpiozero<3,>=2.0.1")
    assert machine.fits("2", "x>=2.0.0")
    assert not machine.fits("3.0", "x<3")


def test_two_pin_libraries_that_hide_each_other(tmp_path, monkeypatch):
    assert list(machine.two_pin_libraries()) == []
    for name in ("RPi.GPIO", "rpi_lgpio"):
        folder = tmp_path / f"{name}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    (line,) = machine.two_pin_libraries()
    assert line.code == "pins_two"
    assert "uninstall RPi.GPIO" in line.remedy.fr


def test_the_speed_of_a_bus_as_the_kernel_tells_it(tmp_path):
    assert machine.speed(1, 400_000, tmp_path).state is State.UNKNOWN
    node = tmp_path / "i2c-adapter" / "i2c-1" / "of_node"
    node.mkdir(parents=True)
    (node / "clock-frequency").write_bytes((400_000).to_bytes(4, "big"))
    assert machine.speed(1, 400_000, tmp_path).state is State.OK
    line = machine.speed(1, 100_000, tmp_path)
    assert line.state is State.ODD
    assert "dtparam=i2c_arm_baudrate=100000" in line.remedy.en


def test_groups_that_the_table_needs(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(os, "getegid", lambda: 99999)
    monkeypatch.setattr(os, "getgroups", lambda: [99999])
    told = {each.what: each for each in machine.groups(profile("places"))}
    assert set(told) == {"group i2c", "group gpio", "group dialout"}
    assert told["group dialout"].code == "group_not"
    assert "usermod -aG dialout" in told["group dialout"].remedy.fr
    assert {each.what for each in machine.groups(profile("wall"))} == {"group i2c", "group gpio"}
    assert list(machine.groups(parse("", "table.toml"))) == []


# -- the command ---------------------------------------------------------------------------------

NOWHERE = """
[[screen]]
address = 0x3C
bus = 99
[tower]
port = "/dev/no-such-tower"
dice = ["die"]
"""


def test_a_machine_without_the_bus_is_told_so_with_a_remedy(tmp_path, capsys):
    table = tmp_path / "table.toml"
    table.write_text(NOWHERE)
    journal = str(tmp_path / "cavale.db")
    assert main(["doctor", "--json", "--table", str(table), "--journal", journal]) == 1
    *told, summary = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    lines = {line["what"]: line for line in told}
    assert lines["bus 99"]["code"] == "bus_none"
    assert "/dev/i2c-99" in lines["bus 99"]["found"]
    assert "--sim" in lines["bus 99"]["remedy"]
    assert lines["screen 0x3c"]["code"] == "unasked"
    assert lines["bus 99 speed"]["state"] == "unknown"
    assert lines["tower"]["code"] == "tower_no_port"
    assert summary["sick"] == 3
    assert not summary["healthy"]


def test_json_has_one_shape_and_ends_with_the_summary(tmp_path, capsys):
    journal = ["--journal", str(tmp_path / "cavale.db")]
    assert main(["doctor", "--sim", "--table", "places", "--json", *journal]) == 0
    *lines, summary = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    shape = {"what", "where", "state", "code", "found", "remedy", "detail", "health"}
    assert all(set(line) == shape for line in lines)
    assert summary == {"healthy": True, "ok": len(lines), "odd": 0, "sick": 0, "unknown": 0}


def test_people_get_a_table_in_their_language(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")
    command = ["doctor", "--sim", "--table", "pad", "--journal", str(tmp_path / "cavale.db")]
    assert main([*command, "--language", "fr", "--faults", "unplugged tower"]) == 1
    said = capsys.readouterr().out
    assert "remède" in said
    assert "son port n'est pas là" in said
    assert "port = sous [tower]" in said, "brackets are no markup"
    assert "À réparer : 1" in said
    assert main([*command, "--language", "en"]) == 0
    assert "fit to play" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--faults", "missing screen 0x3c"], "give --sim too"),
        (["--sim", "--faults", "flood bus 1"], "no fault 'flood'"),
        (["--table", "nowhere.toml"], "no such file"),
    ],
)
def test_bad_arguments_and_tables_end_with_2(argv, says, capsys, tmp_path):
    assert main(["doctor", *argv, "--journal", str(tmp_path / "cavale.db")]) == 2
    assert says in capsys.readouterr().err


def test_every_sentence_is_used_and_every_illness_has_a_remedy():
    source = "".join(file.read_text("utf-8") for file in (HOST / "doctor").glob("*.py"))
    for code, kind in KINDS.items():
        assert f'"{code}"' in source, f"{code} is never found"
        if kind["state"] in ("sick", "odd"):
            for language in ("fr", "en"):
                assert kind["remedy"][language]
        fields = {
            language: set(re.findall(r"\{(\w+)", kind["found"][language]))
            for language in ("fr", "en")
        }
        assert fields["fr"] == fields["en"]


def test_packages_are_checked_against_what_was_installed():
    told = {each.what: each for each in machine.software()}
    assert told["python"].found.en == sys.version.split()[0]
    assert "smbus2" in told["packages"].found.en


def test_every_fault_that_befalls_a_part_is_documented():
    text = (HOST.parent / "docs" / "table.md").read_text("utf-8")
    parts = {name: kind for name, kind in FAULTS.items() if kind.befalls is not Tag}
    assert len(parts) >= 18
    assert [name for name in parts if f"`{name}" not in text] == []
