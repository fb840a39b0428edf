"""The table as one device of Home Assistant: a single retained message describes all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from firmware_host import __version__
from firmware_host.health import DeviceHealth
from firmware_host.mqtt import topics
from firmware_host.snapshot import Snapshot
from firmware_host.texts import TEXTS
from game_logic.core import encode

BIRTH = "homeassistant/status"  # "online" there: it has just started and knows nothing
LONGEST = 255  # characters that a state may have there
Components = Mapping[str, Mapping[str, Any]]


def topic(table: str) -> str:
    return f"homeassistant/device/cavale_{table}/config"


def components(
    table: str, shot: Snapshot, healths: Sequence[DeviceHealth], *, commands: bool
) -> dict[str, dict[str, Any]]:
    """Every entity by its id within the device."""
    language, base = shot.language, topics.base(table)
    found: dict[str, dict[str, Any]] = {
        "game": _sensor(base, "game", _sentence("title", language), "cards-playing"),
        "turn": _sensor(base, "turn", _sentence("prompt", language), "account-clock"),
        "roll": {
            "platform": "event",
            "event_types": ["roll"],
            "state_topic": f"{base}/{topics.EVENT}",
            # Other events render to nothing, which is ignored.
            "value_template": "{{ {'event_type': 'roll', 'dice': value_json.dice} | tojson"
            " if value_json.dice else '' }}",
            "icon": "mdi:dice-multiple",
        },
    }
    for id in ("game", "turn", "roll"):
        found[id]["name"] = TEXTS(f"ha_{id}").in_(language)
    if shot.record is not None:
        for track in shot.record.game.tracks(shot.record.state):
            sensor = _sensor(base, f"tracks/{track.id}", "{{ value_json.value }}", "counter")
            found[f"track_{track.id}"] = sensor | {"name": track.label.in_(language)}
    for health in healths:
        found[f"health_{topics.slug(health.name)}"] = {
            "platform": "binary_sensor",
            "name": health.name,
            "device_class": "problem",
            "entity_category": "diagnostic",
            "state_topic": f"{base}/health/{topics.slug(health.name)}",
            "value_template": "{{ 'ON' if value_json.state in ['failing', 'failed'] else 'OFF' }}",
        }
    if commands:
        for do in ("undo", "pause"):
            found[do] = {
                "platform": "button",
                "name": TEXTS(f"ha_{do}").in_(language),
                "command_topic": f"{base}/{topics.COMMAND}",
                # Each press is a request of its own, with an id of its own.
                "command_template": '{"id": "ha-{{ now().timestamp() }}", "do": "' + do + '"}',
                "qos": 1,
            }
    for id, part in found.items():
        part["unique_id"] = f"cavale:{table}:{id}"
    return found


def payload(table: str, shot: Snapshot, parts: Components, gone: Components) -> bytes:
    """`gone` are entities told of before; named with their platform alone they are removed."""
    return encode(
        {
            "device": {
                "identifiers": [f"cavale_{table}"],
                "name": f"Cavale {table}",
                "manufacturer": "Cavale",
                "model": shot.record.game.title.in_(shot.language) if shot.record else "Cavale",
                "sw_version": __version__,
            },
            "origin": {"name": "cavale", "sw_version": __version__},
            "availability": [{"topic": f"{topics.base(table)}/{topics.STATUS}"}],
            "components": {
                **{id: {"platform": part["platform"]} for id, part in gone.items()},
                **parts,
            },
        }
    )


def _sentence(field: str, language: str) -> str:
    return f"{{{{ value_json.{field}.{language}[:{LONGEST}] }}}}"


def _sensor(base: str, at: str, template: str, icon: str) -> dict[str, Any]:
    return {
        "platform": "sensor",
        "state_topic": f"{base}/{at}",
        "value_template": template,
        "json_attributes_topic": f"{base}/{at}",
        "icon": f"mdi:{icon}",
    }
