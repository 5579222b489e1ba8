"""From the model to what people read: markdown, plain text, and plain data. Pure functions."""

from datasheet_lsp.render.data import device_json, place_json, register_json
from datasheet_lsp.render.escape import escape
from datasheet_lsp.render.hover import hover

__all__ = ["device_json", "escape", "hover", "place_json", "register_json"]
