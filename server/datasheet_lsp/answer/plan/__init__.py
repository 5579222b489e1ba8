"""What an aim takes on a device: clocks, resets, pins, interrupts, DMA and own registers.

The rules are data: ``gates.toml`` (how families of chips name clock enables, resets and the like),
``families.toml`` (what peripherals are called and which of their registers do what) and
``aims.toml`` (how people say what they want). They are about conventions, never about a device.
Every register and field of a plan is one of the device.
"""

from datasheet_lsp.answer.plan.model import (
    Pin,
    Place,
    Plan,
    PlanStep,
    PlanTargets,
    StepKind,
)

__all__ = ["Pin", "Place", "Plan", "PlanStep", "PlanTargets", "StepKind"]
