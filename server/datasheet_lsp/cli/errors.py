"""What is said when a command cannot do what was asked."""


class CliError(Exception):
    """One sentence for the user. ``code`` is the exit code: 1 failed, 2 called wrongly."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code
