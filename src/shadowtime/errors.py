"""The errors that shadowtime raises on purpose."""


class InputError(ValueError):
    """Input that cannot be used as it stands.

    The message is one line that names what was wrong, where (file, line, job, field), with the
    offending value, and what to do about it. The command line prints it and exits with status 2.
    """


class JobDoesNotFit(ValueError):  # noqa: N818 - the message reads as a sentence of the chapter
    """A policy started a job that the machine cannot hold at that moment."""
