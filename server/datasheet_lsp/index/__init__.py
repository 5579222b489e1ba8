"""The one SQLite file of a workspace. The only place with SQL."""

from datasheet_lsp.index.load import device_key, load_device
from datasheet_lsp.index.store import Index

__all__ = ["Index", "device_key", "load_device"]
