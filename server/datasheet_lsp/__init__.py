"""datasheet-lsp: a language server that knows the chip."""

__version__ = "0.1.0"
