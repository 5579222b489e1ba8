"""What is said when a file cannot be read as an SVD."""


class SvdError(Exception):
    """The file is refused. The text is one sentence: what, where and what to do."""
