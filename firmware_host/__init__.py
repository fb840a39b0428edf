"""The daemon: joins the drivers to the rules."""

__version__ = "0.1.0"
