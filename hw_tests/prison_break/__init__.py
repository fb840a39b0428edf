"""Prison Break: rules by theme, the kit, and the data."""
