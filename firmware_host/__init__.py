"""The daemon: joins the drivers to the rules."""
