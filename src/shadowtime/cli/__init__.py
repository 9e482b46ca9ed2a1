"""The ``shadowtime`` command.

Each subcommand is one function in a module of this package, listed below. What a subcommand needs
is imported when it runs, so that ``--help`` and ``demo`` answer at once.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from shadowtime.cli import prediction, simulation, workloads
from shadowtime.errors import InputError

PROBLEM = 2
"""Exit status where the input or the options are at fault."""

CLOSED = 1
"""Exit status where nobody reads the output any more, as in ``shadowtime ... | head``."""


class OneLine(TyperGroup):
    """A group of commands that reports every problem in one line on standard error."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Run a command and exit with its status."""
        options["standalone_mode"] = False
        try:
            status = super().main(*args, **options)
        except InputError as error:
            status = _complain(str(error))
        except typer.TyperException as error:
            status = _complain(error.format_message())
        except OSError as error:
            status = _complain(f"{error.filename or 'output'}: {error.strerror}")
        sys.exit(_flush(status))


def _flush(status: int | None) -> int | None:
    """Write out what was printed, and return the exit status after that."""
    try:
        sys.stdout.flush()
    except OSError as error:
        # Python flushes once more when it ends, and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return CLOSED
        return _complain(f"output: {error.strerror}")
    return status


def _complain(message: str) -> int:
    print("shadowtime:", *message.split(), file=sys.stderr)
    return PROBLEM


app = typer.Typer(
    cls=OneLine,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it with the option's value
    if wanted:
        from shadowtime import __version__

        print(f"shadowtime {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _shadowtime(
    context: typer.Context,
    *,
    _wanted: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Simulate batch queues: FCFS, backfilling, and what becomes of wrong estimates."""
    if context.invoked_subcommand is None:
        print(context.get_help())


for command in (
    simulation.demo,
    simulation.simulate,
    simulation.compare,
    workloads.info,
    workloads.fetch,
    workloads.convert,
    workloads.generate,
    prediction.predict,
    prediction.hybrid,
    prediction.study,
):
    app.command()(command)


def main() -> None:
    """Run the command line: the entry point of ``shadowtime``."""
    if sys.argv[1:2] in (["simulate"], ["compare"]):
        # numba loads scipy, if it is there, for a BLAS that no kernel calls. That takes as long as
        # to schedule a million jobs.
        sys.modules["scipy"] = None  # type: ignore[assignment]
    app(prog_name="shadowtime")
