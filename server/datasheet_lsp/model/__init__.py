"""What is known about a chip. Imports nothing else of this package."""

from datasheet_lsp.model.device import (
    Access,
    AddressBlock,
    Cluster,
    Cpu,
    Device,
    Diagnostic,
    EnumeratedValue,
    EnumeratedValues,
    Field,
    Interrupt,
    Peripheral,
    Register,
    RegisterBlock,
    Severity,
    UnplacedField,
    Usage,
    WriteConstraint,
)
from datasheet_lsp.model.lookup import Location, Lookup

__all__ = [
    "Access",
    "AddressBlock",
    "Cluster",
    "Cpu",
    "Device",
    "Diagnostic",
    "EnumeratedValue",
    "EnumeratedValues",
    "Field",
    "Interrupt",
    "Location",
    "Lookup",
    "Peripheral",
    "Register",
    "RegisterBlock",
    "Severity",
    "UnplacedField",
    "Usage",
    "WriteConstraint",
]
