"""``python -m shadowtime`` is the ``shadowtime`` command."""

from shadowtime.cli import main

if __name__ == "__main__":
    main()
