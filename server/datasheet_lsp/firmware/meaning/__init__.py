"""What C expressions mean: numbers, and the places in memory they read and write."""

from datasheet_lsp.firmware.meaning.machine import Machine
from datasheet_lsp.firmware.meaning.value import Effect, Spot, Value, Variable

__all__ = ["Effect", "Machine", "Spot", "Value", "Variable"]
