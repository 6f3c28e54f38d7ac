"""How a test set in shards is counted."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.metrics.base.option import option
from bleuet.study_settings import StudySettings

ENGINES = PROCESSES, RAY, SPARK = ("processes", "ray", "spark")


class ShardSettings(StudySettings, kw_only=True):
    """The settings of a test set in shards.

    With `results`, a run that was stopped goes on where it was when the same is run again.
    """

    engine: str = option(
        default=PROCESSES,
        help="where shards are counted: processes of this computer, ray or spark",
        choices=ENGINES,
    )
    address: str | None = option(default=None, help="the address of a cluster of Ray or Spark")
    workers: int = option(
        default=0, help="the shards that are counted at a time here; 0 for one per core", least=0
    )
    results: str | None = option(
        default=None,
        help="a folder for the results of shards; the same run, if it was stopped, goes on from it",
    )
    by: str = option(default="", help="a column with groups: also score each group of segments")
    segment_scores: str = option(
        default="", help="a folder for the scores of segments, one Parquet file per shard"
    )
    key: str = option(
        default="",
        help="a column that names segments, the same in all files; scores of segments have it, too",
    )

    def _complete(self) -> None:
        super()._complete()
        if self.address is not None and self.engine == PROCESSES:
            raise OptionError(
                "address is that of a cluster, but the engine is processes: set engine to ray or "
                "spark"
            )
