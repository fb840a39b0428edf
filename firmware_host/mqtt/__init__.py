"""What the rest of the house sees of a table, and what it may ask of it."""

from firmware_host.mqtt.link import Link, LinkError

__all__ = ["Link", "LinkError"]
