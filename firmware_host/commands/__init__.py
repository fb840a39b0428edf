"""Commands that are a conversation, or too large for cli.py."""
