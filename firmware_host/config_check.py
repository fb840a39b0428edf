"""What is wrong between the parts of a table, each one well-formed by itself."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.config_parts import Config, ReaderPart, input_number

PN532 = 0x24  # the one address that a reader has


def problems(config: Config) -> Iterator[str]:
    """Each as key, value and remedy."""
    yield from _inputs(config)
    yield from _addresses(config)
    yield from _readers(config)
    yield from _pins(config)
    if config.tower:
        dice = config.tower.dice
        if len(set(dice)) != len(dice):
            yield f"tower.dice = {list(dice)}: each die only once"
        if config.panel.beam is not None:
            yield (
                f"panel.beam = {config.panel.beam}: a tower that sees its dice needs no beam; "
                "take out one or the other"
            )


def _inputs(config: Config) -> Iterator[str]:
    known = config.expanders.addresses if config.expanders else ()
    if len(set(known)) != len(known):
        yield f"expanders.addresses = {known}: each address only once"
    seen: dict[str, str] = {}
    for name, part in config.inputs.items():
        key = f"inputs.{name!r}"
        if input_number(name, known) is None:
            chips = ", ".join(hex(a) for a in known) or "none: add [expanders]"
            yield (
                f"{key}: there is no such input; write the address of one of the "
                f'expanders ({chips}) and a pin, such as "0x20.A0"'
            )
        if (part.sign is None) == (part.space is None) or (part.piece and not part.space):
            yield (
                f"{key} = {part}: say either a space (and which piece closes the "
                "switch, if only one does) or a sign"
            )
        meaning = part.sign or f"{part.space} {part.piece}"
        if meaning in seen:
            yield f"{key}: {meaning} is also on {seen[meaning]!r}; keep one"
        seen[meaning] = name


def _addresses(config: Config) -> Iterator[str]:
    screens = [(s.bus, s.address) for s in config.screen]
    if len(set(screens)) != len(screens):
        yield f"two screens with one address on one bus: {screens}; move one"
    muxes = [(m.bus, m.address) for m in config.mux]
    for n, (bus, address) in enumerate(muxes):
        if (bus, address) in muxes[:n]:
            yield (
                f"mux[{n}].address = 0x{address:02x}: there is one on bus {bus} already; give it "
                "another by its pins A0 to A2"
            )
    part = config.expanders
    if part and PN532 in part.addresses and any(r.bus == part.bus for r in config.reader):
        yield (
            f"expanders.addresses: 0x{PN532:02x} on bus {part.bus} is the address of the readers "
            "there; give that expander another, or the readers a bus of their own"
        )


def _readers(config: Config) -> Iterator[str]:
    names: dict[str, int] = {}
    spaces: dict[str, str] = {}
    wires: dict[tuple[int, int | None, int | None], str] = {}
    known = [r.name for r in config.reader]
    for n, reader in enumerate(config.reader):
        key = f"reader[{n}]"
        if reader.name in names:
            yield f"{key}.name = {reader.name!r}: reader[{names[reader.name]}] has it; rename one"
        names[reader.name] = n
        yield from _connection(config, key, reader)
        wire = (reader.bus, reader.mux, reader.channel)
        if wire in wires:
            yield (
                f"{key}.channel = {reader.channel}: {wires[wire]!r} is on that wire already, and "
                "all readers have one address; use another channel"
            )
        wires[wire] = reader.name
        if (reader.space is None) != reader.pad:
            yield (
                f"{key} ({reader.name}): say which space it watches, or pad = true if pieces and "
                "cards are shown there"
            )
        if reader.space is not None and reader.space in spaces:
            yield (
                f"{key}.space = {reader.space!r}: {spaces[reader.space]!r} watches it already; "
                "keep one"
            )
        if reader.space is not None:
            spaces[reader.space] = reader.name
        for other in reader.near:
            if other not in known or other == reader.name:
                others = ", ".join(name for name in known if name != reader.name) or "none"
                yield f"{key}.near: {other!r} is no other reader of this table ({others})"


def _connection(config: Config, key: str, reader: ReaderPart) -> Iterator[str]:
    muxes = [m.address for m in config.mux if m.bus == reader.bus]
    if (reader.mux is None) != (reader.channel is None):
        yield (
            f"{key} ({reader.name}): mux and channel go together; give both, or neither for a "
            "reader that is on the bus itself"
        )
    elif reader.mux is not None and reader.mux not in muxes:
        there = ", ".join(f"0x{address:02x}" for address in muxes) or "none"
        yield (
            f"{key}.mux = 0x{reader.mux:02x}: there is no such mux on bus {reader.bus} "
            f"({there}); add it as [[mux]]"
        )
    elif reader.mux is None and any(
        r.mux is not None for r in config.reader if r.bus == reader.bus
    ):
        yield (
            f"{key} ({reader.name}): it would answer together with every reader behind a mux of "
            f"bus {reader.bus}; give it a channel too, or another bus"
        )


def _pins(config: Config) -> Iterator[str]:
    used: dict[int, str] = {}
    for key, pin in config.pins():
        group = key.startswith("reader") and used.get(pin, "").startswith("reader")
        if pin in used and not group:
            yield f"{key} = {pin}: that pin is also used for {used[pin]}; move one of them"
        used[pin] = key
