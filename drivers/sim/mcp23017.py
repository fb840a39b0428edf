"""A simulated MCP23017: its whole register file, its interrupt outputs, and sixteen contacts."""

from __future__ import annotations

from drivers.sim.agenda import Agenda
from drivers.sim.bus import Chip
from drivers.sim.contacts import Contacts
from drivers.sim.lines import Line

IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON, GPPU, INTF, INTCAP, GPIO, OLAT = range(11)
BANK, MIRROR, SEQOP, ODR, INTPOL = 0x80, 0x40, 0x20, 0x04, 0x02
LAST_BANK_0, LAST_BANK_1 = 0x15, 0x1A


class SimMcp23017(Chip, Contacts):
    """Registers are `registers[port][IODIR … OLAT]`, whatever the bank."""

    def __init__(self, address: int, agenda: Agenda) -> None:
        Chip.__init__(self, address)
        Contacts.__init__(self, agenda)
        self.interrupt_a = Line()
        self.interrupt_b = Line()
        self._noise = address
        self._outside = [(0, 0), (0, 0)]  # of each port: pins that are driven, and how
        self.power_cycle()

    def changed(self, input: int) -> None:
        port, bit = divmod(input, 8)
        driven, levels = self._outside[port]
        level, mask = self.driven(input), 1 << bit
        self._outside[port] = (
            driven & ~mask if level is None else driven | mask,
            levels | mask if level else levels & ~mask,
        )
        self.look()

    def power_cycle(self) -> None:
        self.registers = [[0] * 11, [0] * 11]
        for port in self.registers:
            port[IODIR] = 0xFF
        self._pointer = 0
        self._before = [self._levels(0), self._levels(1)]
        self._show_interrupts()

    # The bus's side.

    def start(self, reading: bool) -> bool:
        self._pointing = not reading
        return True

    def write(self, data: bytes) -> int:
        for value in data:
            if self._pointing:
                self._pointer = value
                self._pointing = False
            else:
                self._put(value)
                self._advance()
        return len(data)

    def read(self, count: int) -> bytes:
        found = bytearray()
        for _ in range(count):
            found.append(self._get())
            self._advance()
        return bytes(found)

    def _where(self) -> tuple[int, int] | None:
        """Port and register of the pointer, under the bank in force."""
        if not self._control & BANK:
            return (self._pointer & 1, self._pointer >> 1) if self._pointer <= LAST_BANK_0 else None
        port, register = divmod(self._pointer, 0x10)
        return (port, register) if port <= 1 and register <= OLAT else None

    def _advance(self) -> None:
        banked = bool(self._control & BANK)
        if self._control & SEQOP:
            if not banked:
                self._pointer ^= 1  # byte mode goes to and fro between the ports
            return
        last = LAST_BANK_1 if banked else LAST_BANK_0
        self._pointer = self._pointer + 1 if self._pointer < last else 0

    @property
    def _control(self) -> int:
        return self.registers[0][IOCON]

    def _put(self, value: int) -> None:
        where = self._where()
        if where is None:
            return
        port, register = where
        if register == IOCON:  # one register, seen from both ports
            for each in self.registers:
                each[IOCON] = value & 0xFE
        elif register == GPIO:
            self.registers[port][OLAT] = value
        elif register not in (INTF, INTCAP):
            self.registers[port][register] = value
        self.look()

    def _get(self) -> int:
        where = self._where()
        if where is None:
            return 0
        port, register = where
        if register == GPIO:
            self.look()
            value = self._value(port)
        else:
            value = self.registers[port][register]
        if register in (GPIO, INTCAP):
            self.registers[port][INTF] = 0
            self.look()
        return value

    # The pins.

    def _levels(self, port: int) -> int:
        registers, (driven, levels) = self.registers[port], self._outside[port]
        inputs = registers[IODIR]
        rest = registers[GPPU]
        if floating := inputs & ~driven & ~rest:
            self._noise = (self._noise * 1103515245 + 12345) & 0x7FFFFFFF
            rest |= floating & self._noise >> 16  # anything
        return inputs & (levels | rest & ~driven) | registers[OLAT] & ~inputs & 0xFF

    def _value(self, port: int) -> int:
        """The port as its GPIO register shows it."""
        registers = self.registers[port]
        return self._before[port] ^ (registers[IPOL] & registers[IODIR])

    def look(self) -> None:
        """Look at the pins; the first change since the last reading is latched."""
        for port, registers in enumerate(self.registers):
            levels = self._levels(port)
            changed = levels ^ self._before[port]
            self._before[port] = levels
            value, against = self._value(port), registers[INTCON]
            differs = (changed & ~against) | ((value ^ registers[DEFVAL]) & against)
            flagged = differs & registers[GPINTEN] & registers[IODIR]
            if flagged and not registers[INTF]:
                registers[INTF], registers[INTCAP] = flagged, value
        self._show_interrupts()

    def _show_interrupts(self) -> None:
        (one, other), control = self.registers, self._control
        a, b = bool(one[INTF]), bool(other[INTF])
        if control & MIRROR:
            a = b = a or b
        for line, flagged in ((self.interrupt_a, a), (self.interrupt_b, b)):
            if control & ODR:
                line.drive(self, False if flagged else None)
            else:
                line.drive(self, flagged == bool(control & INTPOL))
