"""Many replays at once: workloads x policies x planned runtimes, on any executor."""

from shadowtime.replay.cells import sweep
from shadowtime.replay.partitioned import PartitionReplay, replay_partitions

__all__ = ["PartitionReplay", "replay_partitions", "sweep"]
