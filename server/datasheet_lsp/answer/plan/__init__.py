"""What an aim takes on a device: clocks, resets, pins, interrupts, DMA and own registers.

The rules are data: ``gates.toml`` (how families of chips name clock enables, resets and the like),
``families.toml`` (what peripherals are called and which of their registers do what) and
``aims.toml`` (how people say what they want). They are about conventions, never about a device.
Every register and field of a plan is one of the device.
"""

from datasheet_lsp.answer.plan.build import build_plan
from datasheet_lsp.answer.plan.facts import ManualFacts, facts_of
from datasheet_lsp.answer.plan.model import (
    Pin,
    Place,
    Plan,
    PlanStep,
    PlanTargets,
    StepKind,
)
from datasheet_lsp.answer.plan.question import plan_for_question, targets_of

__all__ = [
    "ManualFacts",
    "Pin",
    "Place",
    "Plan",
    "PlanStep",
    "PlanTargets",
    "StepKind",
    "build_plan",
    "facts_of",
    "plan_for_question",
    "targets_of",
]
