"""What is said when a document cannot be read."""


class DocumentError(Exception):
    """Nothing of the file can be read. The text is one sentence: what, where and what to do."""
