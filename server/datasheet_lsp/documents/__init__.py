"""A manual to a Document: pages, structure, tables, chunks. Knows no SQL and no editor."""
