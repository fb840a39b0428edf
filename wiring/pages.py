"""A page for each table: drawings, pins, addresses, inputs, parts, power, and how to test it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from header import HEADER, Table
from parts import FEEDS, LIMITS, PARTS, count, euros, load_of

MADE = "Made from `firmware_host/tables/` by `wiring/make.py`: change the table, not this page."
TITLES = {
    "switches": "Switches",
    "readers": "Readers",
    "panel": "Screens and panel",
    "power": "Power, drawn",
    "tower": "Dice tower",
}


def page(table: Table, drawings: Mapping[str, str]) -> str:
    """`drawings`: of each kind the name of its picture."""
    out = [f"# {table.name}, wired", "", MADE, f"Table: `{table.name}.toml`."]
    out += ["How and why: [wiring](README.md).", "", "## Pins", "", *_pins(table)]
    out += ["", "## Addresses", "", *_addresses(table)]
    if table.config.inputs:
        out += ["", "## Inputs", "", *_inputs(table)]
    out += ["", "## Parts", "", *_parts(table), "", "## Power", "", *_power(table)]
    out += ["", "## Test it, stage by stage", "", *_stages(table)]
    for kind, name in drawings.items():
        out += ["", f"## {TITLES[kind]}", "", f"![{TITLES[kind]}]({name}.svg)", ""]
        out += [f"[as PNG]({name}.png) · [source]({name}.yml)"]
    return "\n".join(out) + "\n"


def overview(tables: list[Table]) -> str:
    """How many of what, table by table."""
    counts = {table.name: count(table.config) for table in tables}
    out = ["# Parts", "", f"{MADE.split(':')[0]} and `wiring/parts.toml`; prices are rough.", ""]
    out.append("| part | € each | " + " | ".join(f"[{n}]({n}.md)" for n in counts) + " |")
    out.append("|---" * (2 + len(counts)) + "|")
    for id, part in PARTS.items():
        numbers = " | ".join(str(found[id] or "") for found in counts.values())
        out.append(f"| {part.name} | {part.euros:.2f} | {numbers} |")
    sums = " | ".join(f"**{euros(found):.0f} €**" for found in counts.values())
    out.append(f"| **about** | | {sums} |")
    amperes = " | ".join(f"{load_of(found)['5v'] / 1000:.1f} A" for found in counts.values())
    out += [f"| at most, at 5 V | | {amperes} |", ""]
    return "\n".join(out)


def _pins(table: Table) -> Iterator[str]:
    yield "| BCM | header pin | what |"
    yield "|---|---|---|"
    for pin, what in table.pins():
        yield f"| {pin} | {HEADER[pin]} | {what} |"


def _addresses(table: Table) -> Iterator[str]:
    config = table.config
    yield "| bus | Hz | address | chip |"
    yield "|---|---|---|---|"
    rows = [(s.bus, f"0x{s.address:02X}", f"OLED {s.kind}") for s in config.screen]
    if config.expanders:
        bus = config.expanders.bus
        rows += [(bus, f"0x{a:02X}", "MCP23017") for a in config.expanders.addresses]
    rows += [(m.bus, f"0x{m.address:02X}", "TCA9548A") for m in config.mux]
    for r in config.reader:
        behind = f"0x{r.mux:02X}, channel {r.channel}" if r.mux is not None else "0x24"
        rows.append((r.bus, behind, f"PN532 {r.name}"))
    for bus, address, chip in rows:
        yield f"| {bus} | {config.hz(bus) // 1000} k | {address} | {chip} |"


def _inputs(table: Table) -> Iterator[str]:
    """Sixteen feet are too wide for a page: eight a row."""
    assert table.config.expanders is not None
    yield "| expander | port | " + " | ".join(str(n) for n in range(8)) + " |"
    yield "|---" * 10 + "|"
    for address in table.config.expanders.addresses:
        used = table.inputs(address)
        for port in "AB":
            cells = " | ".join(used.get(f"{port}{n}", "–") for n in range(8))
            yield f"| 0x{address:02X} | {port} | {cells} |"


def _parts(table: Table) -> Iterator[str]:
    found = count(table.config)
    yield "| part | how many | € each | € |"
    yield "|---|---|---|---|"
    for id, number in found.items():
        if number:
            part = PARTS[id]
            yield f"| {part.name} | {number} | {part.euros:.2f} | {number * part.euros:.2f} |"
    yield f"| **about** | | | **{euros(found):.0f} €** |"


def _power(table: Table) -> Iterator[str]:
    found = count(table.config)
    loads = load_of(found)
    yield "| what draws | from | mA each | mA |"
    yield "|---|---|---|---|"
    for id, number in found.items():
        part = PARTS[id]
        if number and part.feed is not None:
            what = f"{number} × {part.name}"
            yield f"| {what} | {FEEDS[part.feed]} | {part.ma:g} | {number * part.ma:.0f} |"
    yield ""
    yield "| supply | mA in all | carries |"
    yield "|---|---|---|"
    for feed, ma in loads.items():
        if ma:
            times = found["regulator"] if feed == "own" else 1
            yield f"| {FEEDS[feed]} | {ma:.0f} | {LIMITS[feed] * times:.0f} |"


def stages(table: Table) -> dict[str, list[str]]:
    """What is built together, and the doctor's names for it."""
    config, found = table.config, {}
    first = [f"screen 0x{screen.address:02x}" for screen in config.screen]
    if any(config.pins()):
        first.insert(0, "pins")
    found["Screens and panel"] = first
    if config.expanders:
        line = ["interrupt"] if config.expanders.interrupt is not None else []
        found["Expanders"] = [f"expander 0x{a:02x}" for a in config.expanders.addresses] + line
    if config.reader:
        found["Readers, one after the other"] = [
            *(f"mux 0x{mux.address:02x}" for mux in config.mux),
            *(f"reader {reader.name}" for reader in config.reader),
        ]
    if config.tower:
        found["Tower"] = ["tower"]
    return {stage: names for stage, names in found.items() if names}


def _stages(table: Table) -> Iterator[str]:
    yield "`sudo systemctl stop cavale`, then after each stage `sudo cavale doctor`. What is not"
    yield "yet built is ✗; these must be ✓:"
    yield ""
    for n, (stage, names) in enumerate(stages(table).items(), 1):
        yield f"{n}. **{stage}**: " + ", ".join(f"`{name}`" for name in names) + "."
    yield ""
    yield "Then every part with a person's help: [every part, tried](../docs/try-every-part.md)."
