"""What goes wrong in a conversion after everything was read."""


class CheckFailedError(RuntimeError):
    """A result was made and is not as it must be."""
