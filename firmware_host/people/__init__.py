"""Simulated people, who sit at a simulated table: what they do, do wrong, and answer."""

from firmware_host.people.clumsy import MISTAKES
from firmware_host.people.hands import Hands

__all__ = ["MISTAKES", "Hands"]
