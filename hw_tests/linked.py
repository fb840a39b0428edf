"""A table on a real broker."""

from __future__ import annotations

import msgspec

from firmware_host.config import profile
from firmware_host.config_parts import MqttPart
from firmware_host.mqtt import Link
from hw_tests.rig import Rig


def config(url, name="wall", **more):
    return msgspec.structs.replace(profile("wall"), name=name, mqtt=MqttPart(url, **more))


class Linked(Rig):
    """A rig on a broker; its time is free, the broker's is real."""

    def __init__(self, folder, config, **more):
        super().__init__(folder, config, **more)
        self.link = Link(self.config, self.sim.parts.healths)
        self.ears.append(self.link.heard)
        self.link.open(self.table)
