"""Players that need only the Game protocol."""
