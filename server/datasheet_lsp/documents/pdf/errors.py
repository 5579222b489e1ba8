"""What is said when a PDF cannot be read."""


class PdfError(Exception):
    """The file is refused. The text is one sentence: what, where and what to do."""


class PdfPasswordError(PdfError):
    """The file wants a password and has none, or a wrong one."""
