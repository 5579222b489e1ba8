"""Reading PDF files."""
