"""The bench's table of readers, with faults that can be ordered and a pawn that moves."""

from __future__ import annotations

from drivers.sim.faults import Faults
from drivers.sim.radio import Tag
from firmware_host.bench.bus import Places

PAWN = Tag(b"\x04\xffmoved")


class Table(Places):
    def __init__(self, count: int = 12, hz: int = 400_000, **options) -> None:
        super().__init__(count, hz, **options)
        self.faults = Faults(self.sim.agenda, 1)
        self.faults.targets |= self.chips
        self.faults.targets |= {f"mux {n}": mux for n, mux in enumerate(self.muxes)}
        self.faults.targets |= {f"tag {name}": tag for name, tag in self.tags.items()}
        self.faults.targets["bus"] = self.sim
        self.pawn = Tag(PAWN.uid)

    def put(self, reader: str) -> None:
        self.radio.put(self.pawn, self.chips[reader].antenna.place)

    def told(self, seconds: float) -> list[tuple[str, str]]:
        """(what, where) of the pawn."""
        events = [event for event in self.run(seconds) if event.uid == self.pawn.uid.hex()]
        return [(type(event).__name__, event.reader) for event in events]

    def health(self, reader: str):
        return next(h for h in self.readers.healths if h.name == f"reader {reader}")

    def everything(self) -> dict[str, frozenset[str] | None]:
        return {name: self.readers.present(name) for name in self.chips}

    def truth(self) -> dict[str, frozenset[str]]:
        found = {name: {self.tags[name].uid.hex()} for name in self.tags}
        return {name: frozenset(found.get(name, ())) for name in self.chips}
