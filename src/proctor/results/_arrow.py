"""Rows as an Arrow table, for Parquet and DuckDB. PyArrow is imported when first needed: it costs 0.2 s."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from ._episode import COLUMNS, Episode

_TYPES = {
    "int64": (
        "episode",
        "block",
        "max_steps",
        "steps",
        "policy_calls",
        "actions_clipped",
        "attempt",
        "spilled",
        "execute",
        "waited_steps",
    ),
    "float64": (
        "success_time_s",
        "sim_time_s",
        "wall_s",
        "policy_s",
        "env_s",
        "cost_total",
        "first_violation_s",
        "progress",
        "progress_final",
        "intention",
        "intention_first",
        "intention_paper",
        "intention_eps_m",
    ),
    "bool_": ("privileged", "success"),
    "uint64": ("seed",),
}


# Rows of a Parquet row group, and the most that are in memory at once.
_GROUP_ROWS = 4096


def arrow_schema() -> Any:
    """Return the `pyarrow.Schema` of the episode table."""
    import pyarrow as pa

    kinds = {name: kind for kind, names in _TYPES.items() for name in names}
    nested = {
        "costs": pa.list_(
            pa.struct(
                [
                    ("name", pa.string()),
                    ("kind", pa.string()),
                    ("cost", pa.float64()),
                    ("steps", pa.int64()),
                    ("first_violation_s", pa.float64()),
                    ("severity", pa.float64()),
                    ("unit", pa.string()),
                ]
            )
        ),
        "events": pa.list_(
            pa.struct(
                [
                    ("step", pa.int64()),
                    ("time_s", pa.float64()),
                    ("kind", pa.string()),
                    ("name", pa.string()),
                    ("value", pa.float64()),
                ]
            )
        ),
    }
    return pa.schema([(name, nested.get(name) or getattr(pa, kinds.get(name, "string"))()) for name in COLUMNS])


def to_table(episodes: Iterable[Episode]) -> Any:
    """Return a `pyarrow.Table` of the rows."""
    import pyarrow as pa

    return pa.Table.from_pylist([episode.to_dict() for episode in episodes], schema=arrow_schema())


def write_parquet(episodes: Iterable[Episode], path: Path) -> None:
    """Write the rows to ``path``, zstd-compressed, some thousand at a time."""
    import pyarrow.parquet as pq

    rows = iter(episodes)
    with pq.ParquetWriter(path, arrow_schema(), compression="zstd") as writer:
        while some := list(islice(rows, _GROUP_ROWS)):
            writer.write_table(to_table(some))


def read_parquet(path: Path) -> list[Episode]:
    """Read rows back from ``path``, exactly as they were written."""
    import pyarrow.parquet as pq

    return [Episode.from_dict(row) for row in pq.read_table(path).to_pylist()]
