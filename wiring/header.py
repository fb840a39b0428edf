"""The Pi's header: which pin is where, and what a table has on it."""

from __future__ import annotations

import re
from typing import NamedTuple

from firmware_host.config import Config

HEADER = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32,
    13: 33, 14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16,
    24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip
BUTTONS, LIGHTS = ("confirm", "undo", "next"), ("red", "green", "blue")


class Table(NamedTuple):
    """A table as it is wired: `text` is its file, whose comments name the overlays of its buses."""

    name: str
    config: Config
    text: str

    def bus(self, number: int) -> tuple[int, int]:
        """BCM pins of SDA and SCL."""
        if number == 1:
            return 2, 3
        overlay = rf"i2c-gpio,bus={number},i2c_gpio_sda=(\d+),i2c_gpio_scl=(\d+)"
        found = re.search(overlay, self.text)
        if found is None:
            raise ValueError(
                f"{self.name}: bus {number} has no pins; write its overlay in a comment: "
                f"# dtoverlay=i2c-gpio,bus={number},i2c_gpio_sda=23,i2c_gpio_scl=24"
            )
        return int(found[1]), int(found[2])

    def pins(self) -> list[tuple[int, str]]:
        """BCM pin, and what is on it."""
        used: dict[int, list[str]] = {}
        for number in self.config.buses():
            sda, scl = self.bus(number)
            used.setdefault(sda, []).append(f"SDA of bus {number}")
            used.setdefault(scl, []).append(f"SCL of bus {number}")
        resets: dict[int, list[str]] = {}
        for key, pin in self.config.pins():
            part, _, name = key.partition(".")
            if part.startswith("reader"):
                reader = self.config.reader[int(part[7:-1])]
                resets.setdefault(pin, []).append(reader.name)
            elif part.startswith("mux"):
                mux = self.config.mux[int(part[4:-1])]
                used.setdefault(pin, []).append(f"RESET of mux 0x{mux.address:02X}")
            else:
                said = "INT of the expanders" if name == "interrupt" else name
                used.setdefault(pin, []).append(said)
        for pin, names in resets.items():
            used.setdefault(pin, []).append("RSTPDN of " + ", ".join(names))
        return sorted((pin, " and ".join(what)) for pin, what in used.items())

    def inputs(self, address: int) -> dict[str, str]:
        """Of one expander: foot and what its switch means."""
        start = f"0x{address:02x}."
        return {
            key.lower().removeprefix(start).upper(): meaning(part)
            for key, part in self.config.inputs.items()
            if key.lower().startswith(start)
        }


def meaning(part: object) -> str:
    space, piece, sign = (getattr(part, key) for key in ("space", "piece", "sign"))
    if sign is not None:
        return str(sign).replace("gate:", "opening ").replace("_", " ")
    return f"{space} {(piece or '').removeprefix('knot_')}".strip()
