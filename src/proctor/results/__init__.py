"""Episode rows and the folder that keeps them."""

from proctor.core import StoreError

from ._arrow import arrow_schema, read_parquet, to_table, write_parquet
from ._episode import CIRCUMSTANCE, COLUMNS, STATUSES, Episode, Status
from ._ledger import Ledger
from ._steps import read_states, read_steps, write_steps
from ._store import RunFolder, read_episodes, read_history, read_run, stream_episodes
from ._video import VideoError, VideoWriter

__all__ = [
    "CIRCUMSTANCE",
    "COLUMNS",
    "STATUSES",
    "Episode",
    "Ledger",
    "RunFolder",
    "Status",
    "StoreError",
    "VideoError",
    "VideoWriter",
    "arrow_schema",
    "read_episodes",
    "read_history",
    "read_parquet",
    "read_run",
    "read_states",
    "read_steps",
    "stream_episodes",
    "to_table",
    "write_parquet",
    "write_steps",
]
