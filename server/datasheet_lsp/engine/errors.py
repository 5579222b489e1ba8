"""What is said when a model cannot do what was asked."""


class EngineError(Exception):
    """One sentence for the user: what, where, what to do."""
