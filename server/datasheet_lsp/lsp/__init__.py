"""The language server. The only room that imports pygls; nothing is imported here."""
