"""Many replays at once: workloads x policies x planned runtimes, on any executor."""

from shadowtime.replay.cells import sweep

__all__ = ["sweep"]
