"""How llama.cpp is fed."""

BATCH = 128
"""Tokens of a prompt that are read at once. llama.cpp asks between the steps of a batch whether it
is to stop, so a smaller one stops sooner; a larger one is hardly faster on a processor."""
