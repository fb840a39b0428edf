#!/usr/bin/env python3
"""Pin tables, parts lists and diagrams, all made from firmware_host/tables/*.toml.

wiring/make.py           writes them; draws with WireViz (pip install wireviz, and graphviz)
wiring/make.py --check   fails if any of them is not what the tables say
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TABLES = HERE.parent / "firmware_host" / "tables"
HEADER = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32,
    13: 33, 14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16,
    24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip
PRICES = {  # part: euros apiece, roughly, in small numbers
    "Raspberry Pi (Zero 2 W or newer), card, 5 V 3 A supply": 45.0,
    "MCP23017, DIP-28 or breakout": 2.5,
    "hall switch DRV5023AJ (unipolar, open drain, 3.3 V)": 0.9,
    "disc magnet 5 × 2 mm N35, one in each knot": 0.15,
    "lever microswitch, or hall switch, in an opening": 0.8,
    "OLED 128×64 I²C, SSD1306 or SH1106": 6.0,
    "TCA9548A breakout": 4.0,
    "PN532 module, set to I²C": 8.0,
    "NTAG213 sticker 25 mm, one a piece": 0.25,
    "3.3 V regulator, 2 A, from 5 V": 4.0,
    "push button": 0.5,
    "RGB LED, common cathode, with three 330 Ω": 0.6,
    "active buzzer 5 V, with an NPN transistor, 1 kΩ and a diode": 1.0,
    "tower: Pico, DRV5055A1, beam pair, magnet (wiring/tower)": 12.0,
    "two 2.2 kΩ, for a bus on pins without pull-ups of their own": 0.1,
}
KNOTS, TAGS = 36, 20  # pieces with a magnet, and with a tag: as many as the boxes need, and spares


def load() -> dict[str, dict[str, Any]]:
    return {
        path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(TABLES.glob("*.toml"))
    }


def overlay(name: str) -> dict[int, tuple[int, int]]:
    """Pins of the buses that the table's own comment makes: number -> (sda, scl)."""
    text = (TABLES / f"{name}.toml").read_text("utf-8")
    found = re.findall(r"i2c-gpio,bus=(\d+),i2c_gpio_sda=(\d+),i2c_gpio_scl=(\d+)", text)
    return {int(bus): (int(sda), int(scl)) for bus, sda, scl in found}


def pins(name: str, table: dict[str, Any]) -> list[tuple[int, str]]:
    """BCM pin, and what is on it."""
    used: dict[int, list[str]] = {}

    def put(pin: int | None, what: str) -> None:
        if pin is not None:
            used.setdefault(pin, []).append(what)

    buses = {1: (2, 3)} | overlay(name)
    for bus in sorted(table.get("bus", {}), key=int):
        sda, scl = buses[int(bus)]
        put(sda, f"SDA of bus {bus}")
        put(scl, f"SCL of bus {bus}")
    put(table.get("expanders", {}).get("interrupt"), "INT of the expanders")
    for mux in table.get("mux", []):
        put(mux.get("reset"), f"RESET of mux 0x{mux['address']:02X}")
    groups: dict[int, list[str]] = {}
    for reader in table.get("reader", []):
        if "reset" in reader:
            groups.setdefault(reader["reset"], []).append(reader["name"])
    for pin, names in groups.items():
        put(pin, "RSTPDN of readers " + ", ".join(names))
    for key, pin in table.get("panel", {}).items():
        put(pin, key)
    return sorted((pin, " and ".join(what)) for pin, what in used.items())


def meaning(entry: dict[str, str]) -> str:
    if "sign" in entry:
        return entry["sign"].replace("gate:", "opening ").replace("_", " ")
    return f"{entry['space']} {entry.get('piece', '').removeprefix('knot_')}".strip()


def pin_page() -> str:
    out = ["# Pins and addresses", "", "Made from `firmware_host/tables/` by `wiring/make.py`.", ""]
    for name, table in load().items():
        out += [f"## {name}", "", "| BCM | header pin | what |", "|---|---|---|"]
        out += [f"| {pin} | {HEADER[pin]} | {what} |" for pin, what in pins(name, table)]
        out += ["", "| bus | address | chip |", "|---|---|---|"]
        expanders = table.get("expanders", {})
        rows = [(expanders["bus"], a, "MCP23017") for a in expanders.get("addresses", [])]
        rows += [
            (s.get("bus", 1), s["address"], f"OLED {s.get('kind', 'ssd1306')}")
            for s in table.get("screen", [])
        ]
        rows += [(m["bus"], m["address"], "TCA9548A") for m in table.get("mux", [])]
        out += [f"| {bus} | 0x{address:02X} | {chip} |" for bus, address, chip in rows]
        for r in table.get("reader", []):
            out.append(f"| {r['bus']} | 0x{r['mux']:02X}.{r['channel']} | PN532 {r['name']} |")
        if table.get("inputs"):
            out += [
                "",
                "| expander | " + " | ".join(f"{p}{n}" for p in "AB" for n in range(8)) + " |",
            ]
            out.append("|---" * 17 + "|")
            for address in expanders["addresses"]:
                names = [f"0x{address:02x}.{p}{n}" for p in "AB" for n in range(8)]
                cells = [meaning(table["inputs"].get(n, {"space": "–"})) for n in names]
                out.append(f"| 0x{address:02X} | " + " | ".join(cells) + " |")
        out.append("")
    return "\n".join(out)


def parts(table: dict[str, Any]) -> Counter[str]:
    count: Counter[str] = Counter()
    names = list(PRICES)
    inputs = table.get("inputs", {}).values()
    cells = sum("space" in entry for entry in inputs)
    panel = table.get("panel", {})
    readers = len(table.get("reader", []))
    wanted = [
        1, len(table.get("expanders", {}).get("addresses", [])), cells, KNOTS if cells else 0,
        len(inputs) - cells, len(table.get("screen", [])), len(table.get("mux", [])), readers,
        TAGS if readers else 0, 1 if readers or cells else 0,
        sum(key in panel for key in ("confirm", "undo", "next")), 1 if "red" in panel else 0,
        1 if "buzzer" in panel else 0, 1 if "tower" in table else 0,
        len(set(table.get("bus", {})) - {"1"}),
    ]  # fmt: skip
    for part, number in zip(names, wanted, strict=True):
        count[part] = number
    return count


def parts_page() -> str:
    tables = {name: parts(table) for name, table in load().items()}
    out = [
        "# Parts",
        "",
        "Counts made from `firmware_host/tables/` by `wiring/make.py`; prices are rough.",
    ]
    out += ["", "| part | € each | " + " | ".join(tables) + " |", "|---" * (2 + len(tables)) + "|"]
    for part, price in PRICES.items():
        counts = " | ".join(str(count[part] or "") for count in tables.values())
        out.append(f"| {part} | {price:.2f} | {counts} |")
    sums = [sum(count[p] * PRICES[p] for p in PRICES) for count in tables.values()]
    out += ["| **about** | | " + " | ".join(f"**{s:.0f} €**" for s in sums) + " |", ""]
    return "\n".join(out)


# -- diagrams -------------------------------------------------------------------------------------


COLOURS = [("5V", "RD"), ("3V3", "OG"), ("VCC", "OG"), ("VIN", "OG"), ("GND", "BK"), ("SD", "GN")]
COLOURS += [("SC", "YE"), ("common", "BK"), ("cathode", "BK"), ("emitter", "BK")]
OTHERS = ["WH", "BU", "VT", "GY", "PK", "BN"]


class Diagram:
    def __init__(self) -> None:
        self.connectors: dict[str, dict[str, Any]] = {}
        self.cables: dict[str, dict[str, Any]] = {}
        self.connections: list[list[dict[str, list[Any]]]] = []

    def box(self, name: str, kind: str, ends: list[str], header: list[int] | None = None) -> None:
        pins: dict[str, Any] = {"pins": header, "pinlabels": ends} if header else {"pins": ends}
        self.connectors[name] = {"type": kind, **pins}

    def join(self, one: str, ends: list[str], cable: str, other: str, far: list[str]) -> None:
        others = iter(OTHERS * len(far))
        colours = [next((c for word, c in COLOURS if word in end), None) for end in far]
        self.cables[cable] = {"colors": [c or next(others) for c in colours]}
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

    def pi(self, used: list[tuple[str, int]]) -> None:
        self.box("Pi", "Raspberry Pi, header", [label for label, _ in used], [n for _, n in used])


def gpio(pin: int) -> tuple[str, int]:
    return f"GPIO{pin}", HEADER[pin]


BUS = ["3V3", "GND", "SDA", "SCL"]
POWER_IN, POWER_OUT = ["5V in", "GND in"], ["3V3 out", "GND out"]
BUS_PINS = [("3V3", 1), ("GND", 9), ("SDA", 3), ("SCL", 5)]


def wall() -> Diagram:
    table, drawn = load()["wall"], Diagram()
    line = gpio(table["expanders"]["interrupt"])
    drawn.pi([*BUS_PINS, line, ("5V", 2)])
    drawn.box("REG", "regulator 3.3 V", [*POWER_IN, *POWER_OUT])
    drawn.join("Pi", ["5V", "GND"], "WP", "REG", POWER_IN)
    for address in table["expanders"]["addresses"]:
        name = f"X{address:02X}"
        used = {
            key.split(".")[1]: meaning(entry)
            for key, entry in table["inputs"].items()
            if key.startswith(f"0x{address:02x}.")
        }
        drawn.box(name, f"MCP23017, 0x{address:02X}", [*BUS, "INT", *used])
        drawn.join("Pi", [*BUS, line[0]], f"W{address:02X}", name, [*BUS, "INT"])
        switches = f"S{address:02X}"
        drawn.box(switches, "hall and opening switches", [*used.values(), "VCC", "GND"])
        drawn.join("REG", POWER_OUT, f"P{address:02X}", switches, ["VCC", "GND"])
        drawn.join(name, list(used), f"C{address:02X}", switches, list(used.values()))
    return drawn


def panel() -> Diagram:
    table, drawn = load()["wall"], Diagram()
    keys = table["panel"]
    used = {key: gpio(pin) for key, pin in keys.items()}
    drawn.pi([*BUS_PINS, *used.values(), ("5V", 2), ("GND2", 39)])
    for n, screen in enumerate(table["screen"]):
        name = f"OLED{n + 1}"
        drawn.box(name, f"OLED, 0x{screen['address']:02X}", BUS)
        drawn.join("Pi", BUS, f"WO{n + 1}", name, BUS)
    buttons = [key for key in ("confirm", "undo", "next") if key in keys]
    drawn.box("Buttons", "push buttons", [*buttons, "common"])
    drawn.join(
        "Pi", [used[k][0] for k in buttons] + ["GND2"], "WB", "Buttons", [*buttons, "common"]
    )
    colours = [key for key in ("red", "green", "blue") if key in keys]
    feet = [f"{key}, 330 Ω" for key in colours]
    drawn.box("LED", "RGB LED, common cathode", [*feet, "cathode"])
    drawn.join("Pi", [used[k][0] for k in colours] + ["GND2"], "WL", "LED", [*feet, "cathode"])
    feet = ["5V", "base, 1 kΩ", "emitter"]
    drawn.box("Buzzer", "active buzzer on an NPN", feet)
    drawn.join("Pi", ["5V", used["buzzer"][0], "GND2"], "WZ", "Buzzer", feet)
    return drawn


def pad() -> Diagram:
    table, drawn = load()["pad"], Diagram()
    sda, scl = (gpio(pin) for pin in overlay("pad")[3])
    (mux,) = table["mux"]
    reset, power = gpio(mux["reset"]), gpio(table["reader"][0]["reset"])
    drawn.pi([("5V", 4), ("GND", 9), sda, scl, reset, power])
    drawn.box("REG", "regulator 3.3 V, 2 A", [*POWER_IN, *POWER_OUT])
    drawn.join("Pi", ["5V", "GND"], "WP", "REG", POWER_IN)
    channels = [f"{w}{r['channel']}" for r in table["reader"] for w in ("SD", "SC")]
    drawn.box(
        "MUX", f"TCA9548A, 0x{mux['address']:02X}", ["VIN", "GND", "SDA", "SCL", "RST", *channels]
    )
    feet = ["SDA", "SCL", "RST"]
    drawn.join("Pi", [sda[0], scl[0], reset[0]], "WM", "MUX", feet)
    drawn.join("REG", POWER_OUT, "WMP", "MUX", ["VIN", "GND"])
    for r in table["reader"]:
        name, n = f"PN532 {r['name']}", r["channel"]
        drawn.box(name, "PN532, I²C, 0x24", ["SDA", "SCL", "VCC", "GND", "RSTPDN"])
        drawn.join("MUX", [f"SD{n}", f"SC{n}"], f"WR{n}", name, ["SDA", "SCL"])
        drawn.join("REG", POWER_OUT, f"WRP{n}", name, ["VCC", "GND"])
        drawn.join("Pi", [power[0]], f"WRR{n}", name, ["RSTPDN"])
    return drawn


def tower() -> Diagram:
    """Its pins are those of its own program."""
    text = (HERE / "tower" / "faces.py").read_text("utf-8")
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


DIAGRAMS = {"wall": wall, "panel": panel, "pad": pad, "dice-tower": tower}


def pages() -> dict[str, str]:
    drawn = {f"{name}.yml": make().yaml() for name, make in DIAGRAMS.items()}
    return {"pins.md": pin_page(), "parts.md": parts_page(), **drawn}


def digests() -> str:
    """Which source each picture was drawn from."""
    lines = [
        f"{hashlib.sha256(make().yaml().encode()).hexdigest()}  {name}.yml"
        for name, make in DIAGRAMS.items()
    ]
    return "\n".join(lines) + "\n"


def wrong(folder: Path) -> list[str]:
    """The files that are not what the tables say."""
    expected = {**pages(), "drawn-from.txt": digests()}
    found = [
        n
        for n, t in expected.items()
        if not (p := folder / n).exists() or p.read_text("utf-8") != t
    ]
    pictures = [f"{name}.{kind}" for name in DIAGRAMS for kind in ("svg", "png")]
    return found + [name for name in pictures if not (folder / name).exists()]


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        bad = wrong(HERE)
        if bad:
            print(f"not what firmware_host/tables says: {', '.join(bad)}; run wiring/make.py")
        return 1 if bad else 0
    for name, text in pages().items():
        (HERE / name).write_text(text, "utf-8")
    if not wrong(HERE):
        return 0  # the pictures are right, and WireViz is not needed
    sources = [str(HERE / f"{name}.yml") for name in DIAGRAMS]
    subprocess.run([sys.executable, "-m", "wireviz.wv_cli", "-f", "sp", *sources], check=True)
    (HERE / "drawn-from.txt").write_text(digests(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
