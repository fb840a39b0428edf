"""The workbench: hands, dice and mishaps at a simulated table, and what its chips then show."""

from firmware_host.workbench.frame import Die, Frame
from firmware_host.workbench.hints import Hint, hint
from firmware_host.workbench.workbench import OFTEN, CannotDo, Workbench

__all__ = ["OFTEN", "CannotDo", "Die", "Frame", "Hint", "Workbench", "hint"]
