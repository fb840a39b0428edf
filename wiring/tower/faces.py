"""What lies in the tray. Change this file for your sensors; the rest stays as it is.

Promised to `main.py`: DICE, `read_faces()` and `fallen()`, none of which waits.

As it stands: each die falls into a pocket of its own that centres it over a linear hall sensor
(DRV5055A1 at 3.3 V). In the middle of the die is a magnet whose axis is tilted, so that the upright
part of its field differs for the six faces, however the die is turned: two strong, two middling,
two weak, one of each upwards and one downwards. README.md has the measures.
"""

from machine import ADC, Pin

DICE = [("die", 6)]  # names as table.toml has them, and how many faces
PINS = {"die": 26}
BEAM = 2  # a beam across the chute, low while something breaks it

# Of each die: reading (0 to 65535, without the empty pocket's) and face that is up. calibrate().
LEVELS = {
    "die": [(9800, 1), (4900, 2), (2450, 3), (-2450, 4), (-4900, 5), (-9800, 6)],
}
EMPTY = {"die": 32768}
NOTHING = 900  # nearer to the empty pocket than this: no die
SURE = 900  # further than this from every level: askew
MOVING = 300  # more than this between two looks

_adc = {colour: ADC(pin) for colour, pin in PINS.items()}
_last = dict(EMPTY)
_broken = 0


def face_of(level, levels, nothing=NOTHING, sure=SURE):
    """The face that is up; 0 without a die, None for one that lies askew."""
    if abs(level) < nothing:
        return 0
    distance, face = min([(abs(level - at), face) for at, face in levels])
    return face if distance <= sure else None


def measure(colour):
    return sum([_adc[colour].read_u16() for _ in range(64)]) // 64


def read_faces():
    """The dice in the tray as (colour, face), the face None if askew; or None while one moves."""
    tray, moving = [], False
    for colour, _ in DICE:
        level = measure(colour)
        moving = moving or abs(level - _last[colour]) > MOVING
        _last[colour] = level
        face = face_of(level - EMPTY[colour], LEVELS[colour])
        if face != 0:
            tray.append((colour, face))
    return None if moving else tray


def _break(pin):
    global _broken
    _broken += 1


_beam = Pin(BEAM, Pin.IN, Pin.PULL_UP)
_beam.irq(_break, Pin.IRQ_FALLING)


def fallen():
    """Has something come down the chute since the last call?"""
    global _broken
    count, _broken = _broken, 0
    return count > 0


def calibrate():
    """From the REPL: lay the die on each face, and note what is printed."""
    import time

    while True:
        print({colour: measure(colour) - EMPTY[colour] for colour, _ in DICE})
        time.sleep(1)
