"""One file a chip, and nothing about games."""
