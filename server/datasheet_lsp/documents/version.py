"""The version of what reading a document gives."""

DOCUMENT_VERSION = 7
"""Goes up when the same file gives another Document, so that it is read anew."""
