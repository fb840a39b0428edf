"""The drawings of a table, as sources for WireViz: what senses, the panel, the power, a tower."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

from header import BUTTONS, HEADER, LIGHTS, Table
from parts import PARTS, count

COLOURS = [("5V", "RD"), ("3V3", "OG"), ("VCC", "OG"), ("VIN", "OG"), ("GND", "BK"), ("SD", "GN")]
COLOURS += [("SC", "YE"), ("common", "BK"), ("cathode", "BK"), ("emitter", "BK")]
OTHERS = ["WH", "BU", "VT", "GY", "PK", "BN"]
BUS = ["3V3", "GND", "SDA", "SCL"]


class Diagram:
    def __init__(self) -> None:
        self.connectors: dict[str, dict[str, Any]] = {}
        self.cables: dict[str, dict[str, Any]] = {}
        self.connections: list[list[dict[str, list[Any]]]] = []

    def box(self, name: str, kind: str, ends: list[str], header: list[int] | None = None) -> None:
        pins: dict[str, Any] = {"pins": header, "pinlabels": ends} if header else {"pins": ends}
        self.connectors[name] = {"type": kind, **pins, "show_pincount": False}

    def pi(self, used: list[tuple[str, int]]) -> None:
        used = list(dict.fromkeys(used))
        self.box("Pi", "Raspberry Pi, header", [label for label, _ in used], [n for _, n in used])

    def join(self, one: str, ends: list[str], cable: str, other: str, far: list[str]) -> None:
        others = cycle(OTHERS)
        colours = [next((c for word, c in COLOURS if word in end), None) for end in far]
        chosen = [colour or next(others) for colour in colours]
        self.cables[cable] = {"colors": chosen, "show_wirecount": False}
        wires = list(range(1, len(ends) + 1))
        self.connections.append([{one: ends}, {cable: wires}, {other: far}])

    def yaml(self) -> str:
        """YAML is a superset of JSON: each thing on a line of its own."""
        out = ["# Made from firmware_host/tables/ by wiring/make.py"]
        for title, things in (("connectors", self.connectors), ("cables", self.cables)):
            out.append(f"{title}:")
            out += [f"  {k}: {json.dumps(v, ensure_ascii=False)}" for k, v in things.items()]
        out.append("connections:")
        out += [f"  - {json.dumps(c, ensure_ascii=False)}" for c in self.connections]
        return "\n".join(out) + "\n"


def of(table: Table) -> Iterator[tuple[str, Diagram]]:
    """Every drawing that this table needs, by its kind."""
    if table.config.expanders:
        yield "switches", switches(table)
    if table.config.reader:
        yield "readers", readers(table)
    if table.config.screen or any(key.startswith("panel") for key, _ in table.config.pins()):
        yield "panel", panel(table)
    yield "power", power(table)
    if table.config.tower:
        yield "tower", tower()


def gpio(pin: int) -> tuple[str, int]:
    return f"GPIO{pin}", HEADER[pin]


def wires(table: Table, number: int) -> list[tuple[str, int]]:
    """A bus at the header: 3.3 V, ground, SDA, SCL."""
    sda, scl = table.bus(number)
    return [("3V3", 1), ("GND", 9), ("SDA", HEADER[sda]), ("SCL", HEADER[scl])]


def switches(table: Table) -> Diagram:
    """Each expander stands with a strip of terminals that feeds its switches."""
    part, drawn = table.config.expanders, Diagram()
    assert part is not None
    bus, feet = wires(table, part.bus), [*BUS]
    line = [gpio(part.interrupt)] if part.interrupt is not None else []
    drawn.pi([*bus, *line])
    halls = bool(count(table.config)["hall"])
    if halls:
        drawn.box("REG", "regulator 3.3 V: see the power", ["3V3", "GND"])
    for address in part.addresses:
        name, used = f"X{address:02X}", table.inputs(address)
        strip = ["VCC strip", "GND strip"] if halls else ["GND strip"]
        far = [*feet, *(["INT"] if line else [])]
        drawn.box(name, f"MCP23017, 0x{address:02X}", [*far, *strip, *used])
        drawn.join("Pi", [*BUS, *(label for label, _ in line)], f"W{address:02X}", name, far)
        if halls:
            drawn.join("REG", ["3V3", "GND"], f"P{address:02X}", name, strip)
        openings = sum(word.startswith("opening") for word in used.values())
        kinds = [*(["hall"] if openings < len(used) else []), *(["opening"] if openings else [])]
        kind = f"{' and '.join(kinds)} switches"
        ends = [*(word.split()[0] for word in strip), *used.values()]
        drawn.box(f"S{address:02X}", kind, ends)
        drawn.join(name, [*strip, *used], f"C{address:02X}", f"S{address:02X}", ends)
    return drawn


def readers(table: Table) -> Diagram:
    """Each mux stands with a strip of terminals that feeds its readers and resets them."""
    drawn, config = Diagram(), table.config
    muxes = {(mux.bus, mux.address): mux for mux in config.mux}
    ends: list[tuple[str, int]] = []
    for number in sorted({reader.bus for reader in config.reader}):
        ends += [("GND", 9), *(gpio(pin) for pin in table.bus(number))]
    ends += [gpio(pin) for key, pin in config.pins() if key.startswith(("mux", "reader"))]
    drawn.pi(ends)
    drawn.box("REG", "regulator 3.3 V: see the power", ["3V3", "GND"])
    for (number, address), mux in muxes.items():
        behind = [r for r in config.reader if (r.bus, r.mux) == (number, address)]
        lines = {r.reset for r in behind if r.reset is not None}
        inward = [*(gpio(pin)[0] for pin in table.bus(number)), "GND"]
        feet = ["SDA", "SCL", "GND"]
        if mux.reset is not None:
            inward.append(gpio(mux.reset)[0])
            feet.append("RST")
        for pin in sorted(lines):
            inward.append(gpio(pin)[0])
            feet.append("RSTPDN strip")
        channels = [f"{wire}{r.channel}" for r in behind for wire in ("SD", "SC")]
        name = f"MUX{address:02X}"
        drawn.box(name, f"TCA9548A, 0x{address:02X}", ["VIN strip", *feet, *channels])
        drawn.join("Pi", inward, f"W{address:02X}", name, feet)
        drawn.join("REG", ["3V3", "GND"], f"P{address:02X}", name, ["VIN strip", "GND"])
        for r in behind:
            near = ["VIN strip", "GND", f"SD{r.channel}", f"SC{r.channel}"]
            _reader(drawn, r, name, near, "RSTPDN strip", f"{address:02X}{r.channel}")
    for r in (r for r in config.reader if r.mux is None):
        drawn.join("REG", ["3V3", "GND"], f"P {r.name}", r.name, ["VCC", "GND"])
        near = [gpio(pin)[0] for pin in table.bus(r.bus)]
        feet = ["VCC", "GND", "SDA", "SCL", *(["RSTPDN"] if r.reset is not None else [])]
        drawn.box(r.name, "PN532, I²C, 0x24", feet)
        if r.reset is not None:
            near.append(gpio(r.reset)[0])
        drawn.join("Pi", near, f"W {r.name}", r.name, feet[2:])
    return drawn


def _reader(drawn: Diagram, part: Any, at: str, near: list[str], reset: str, number: str) -> None:
    feet = ["VCC", "GND", "SDA", "SCL"]
    if part.reset is not None:
        near, feet = [*near, reset], [*feet, "RSTPDN"]
    drawn.box(part.name, "PN532, I²C, 0x24", feet)
    drawn.join(at, near, f"R{number}", part.name, feet)


def panel(table: Table) -> Diagram:
    drawn, keys = Diagram(), table.config.panel
    buses = sorted({screen.bus for screen in table.config.screen})
    used = {
        key: gpio(pin) for key in keys.__struct_fields__ if (pin := getattr(keys, key)) is not None
    }
    ends = [end for number in buses for end in wires(table, number)] + list(used.values())
    ends += [("5V", 2)] if "buzzer" in used else []
    drawn.pi([*ends, *([("GND ", 39)] if used else [])])
    for n, screen in enumerate(table.config.screen, 1):
        drawn.box(f"OLED{n}", f"OLED {screen.kind}, 0x{screen.address:02X}", BUS)
        drawn.join("Pi", BUS, f"WO{n}", f"OLED{n}", BUS)
    groups = {"Buttons": ("push buttons", BUTTONS, "{}", "common")}
    groups["LED"] = ("RGB LED, common cathode", LIGHTS, "{}, 330 Ω", "cathode")
    for n, (name, (kind, all_of, foot, ground)) in enumerate(groups.items()):
        here = [key for key in all_of if key in used]
        if here:
            feet = [*(foot.format(key) for key in here), ground]
            drawn.box(name, kind, feet)
            drawn.join("Pi", [*(used[k][0] for k in here), "GND "], f"WP{n}", name, feet)
    if "buzzer" in used:
        feet = ["5V", "base, 1 kΩ", "emitter"]
        drawn.box("Buzzer", "active buzzer on an NPN", feet)
        drawn.join("Pi", ["5V", used["buzzer"][0], "GND "], "WZ", "Buzzer", feet)
    if "beam" in used:
        feet = ["3V3", "GND", "OUT, low if broken"]
        drawn.box("Beam", "IR pair across the chute", feet)
        drawn.join("Pi", ["3V3", "GND ", used["beam"][0]], "WI", "Beam", feet)
    return drawn


def power(table: Table) -> Diagram:
    """From the one supply to all that draws on it; grounds together."""
    drawn, found = Diagram(), count(table.config)
    drawn.box("Supply", "5 V, 3 A", ["5V", "GND"])
    drawn.box("Pi", "Raspberry Pi", ["5V in", "GND in", "3V3", "GND", "5V", "USB"])
    drawn.join("Supply", ["5V", "GND"], "USB-C or micro USB", "Pi", ["5V in", "GND in"])
    fed = {"pi": (["3V3", "GND"], "3V3"), "own": ([], "3V3"), "5v": (["5V", "GND"], "5V")}
    regulators = [f"REG{n}" for n in range(1, found["regulator"] + 1)]
    for name in regulators:
        drawn.box(name, "regulator 3.3 V, 2 A", ["5V in", "GND in", "3V3", "GND"])
        drawn.join("Supply", ["5V", "GND"], f"to {name}", name, ["5V in", "GND in"])
    for id, number in found.items():
        part = PARTS[id]
        if not number or id == "pi" or part.feed is None:
            continue
        box = f"{number} × {id}"
        if part.feed == "usb":
            drawn.box(box, f"{part.ma * number:.0f} mA", ["USB"])
            drawn.join("Pi", ["USB"], f"USB to {id}", box, ["USB"])
            continue
        near, far = fed[part.feed]
        drawn.box(box, f"{part.ma * number:.0f} mA at most", [far, "GND"])
        for source in regulators if part.feed == "own" else ["Pi"]:
            ends = near or ["3V3", "GND"]
            cable = f"{id} from {source}" if len(regulators) > 1 else f"to {id}"
            drawn.join(source, ends, cable, box, [far, "GND"])
    return drawn


def tower() -> Diagram:
    """Its pins are those of its own program."""
    text = (Path(__file__).parent / "tower" / "faces.py").read_text("utf-8")
    beam = re.search(r"^BEAM = (\d+)", text, re.MULTILINE)
    adc = re.findall(r'"(\w+)": (2[678])\b', text)
    assert beam
    drawn = Diagram()
    sensors = [f"GP{pin}" for _, pin in adc]
    drawn.box("Pico", "Raspberry Pi Pico", ["3V3", "AGND", "GND", f"GP{beam[1]}", *sensors, "USB"])
    for name, pin in adc:
        drawn.box(f"Hall {name}", "DRV5055A1", ["VCC", "GND", "OUT"])
        feet = ["3V3", "AGND", f"GP{pin}"]
        drawn.join("Pico", feet, f"WH{pin}", f"Hall {name}", ["VCC", "GND", "OUT"])
    drawn.box("Beam", "IR pair across the chute", ["VCC", "GND", "OUT, low if broken"])
    feet = ["3V3", "GND", f"GP{beam[1]}"]
    drawn.join("Pico", feet, "WB", "Beam", ["VCC", "GND", "OUT, low if broken"])
    drawn.box("Pi", "Raspberry Pi", ["USB"])
    drawn.join("Pico", ["USB"], "USB cable", "Pi", ["USB"])
    return drawn
