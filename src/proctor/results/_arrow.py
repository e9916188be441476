"""Rows as an Arrow table, for Parquet and DuckDB: groups are structs, sequences lists, maps maps.

Schema and conversions follow from the types of the row's fields. PyArrow is imported when first needed: it costs 0.2 s.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ._episode import Episode, Value

# Rows of a Parquet row group, and the most that are in memory at once.
_GROUP_ROWS = 4096


@dataclass(frozen=True, slots=True)
class _Column:
    """An Arrow type, and the ways of a plain value into it and back."""

    type: Any
    put: Callable[[Any], Any]
    take: Callable[[Any], Any]


def arrow_schema() -> Any:
    """Return the `pyarrow.Schema` of the episode table."""
    import pyarrow as pa

    return pa.schema(list(_column(Episode).type))


def episodes_table(episodes: Iterable[Episode]) -> Any:
    import pyarrow as pa

    put = _column(Episode).put
    return pa.Table.from_pylist([put(episode.to_dict()) for episode in episodes], schema=arrow_schema())


def write_parquet(episodes: Iterable[Episode], path: Path) -> None:
    """Write the rows to ``path``, zstd-compressed, some thousand at a time."""
    import pyarrow.parquet as pq

    rows = iter(episodes)
    with pq.ParquetWriter(path, arrow_schema(), compression="zstd") as writer:
        while some := list(islice(rows, _GROUP_ROWS)):
            writer.write_table(episodes_table(some))


def read_parquet(path: Path) -> list[Episode]:
    """Read rows back from ``path``, exactly as they were written."""
    import pyarrow.parquet as pq

    take = _column(Episode).take
    return [Episode.from_dict(take(row)) for row in pq.read_table(path).to_pylist()]


@cache
def _column(hint: Any) -> _Column:
    import pyarrow as pa

    plain = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    origin, inside = get_origin(hint), get_args(hint)
    if hint in plain:
        return _Column(plain[hint], _same, _same)
    if hint == Value:
        return _Column(pa.struct([(name, plain[kind]) for name, kind in _VALUES]), _put_value, _take_value)
    if origin is Literal:
        return _Column(pa.string(), _same, _same)
    if origin in (Union, types.UnionType):
        return _optional(_column(next(part for part in inside if part is not type(None))))
    if origin is tuple:
        return _list(_column(inside[0]))
    if origin is Mapping:
        return _map(_column(inside[1]))
    assert is_dataclass(hint), f"no Arrow type for {hint}"
    hints = get_type_hints(hint)
    return _struct({item.name: _column(hints[item.name]) for item in fields(hint)})


def _same(value: Any) -> Any:
    return value


def _optional(of: _Column) -> _Column:
    if of.put is _same:
        return of
    return _Column(
        of.type,
        lambda value: None if value is None else of.put(value),
        lambda value: None if value is None else of.take(value),
    )


def _list(of: _Column) -> _Column:
    import pyarrow as pa

    if of.put is _same:
        return _Column(pa.list_(of.type), _same, _same)
    return _Column(
        pa.list_(of.type),
        lambda values: [of.put(value) for value in values],
        lambda values: [of.take(value) for value in values],
    )


def _map(of: _Column) -> _Column:
    import pyarrow as pa

    return _Column(
        pa.map_(pa.string(), of.type),
        lambda values: [(name, of.put(value)) for name, value in values.items()],
        lambda values: {name: of.take(value) for name, value in values},
    )


def _struct(of: Mapping[str, _Column]) -> _Column:
    import pyarrow as pa

    return _Column(
        pa.struct([(name, column.type) for name, column in of.items()]),
        lambda values: {name: column.put(values[name]) for name, column in of.items()},
        lambda values: {name: column.take(values[name]) for name, column in of.items()},
    )


# A value that may be of any of these types is a struct of which one field is set at most.
_VALUES: tuple[tuple[str, type], ...] = (("flag", bool), ("whole", int), ("number", float), ("text", str))


def _put_value(value: Value) -> dict[str, Value]:
    return {name: value if type(value) is kind else None for name, kind in _VALUES}


def _take_value(value: Mapping[str, Value]) -> Value:
    return next((value[name] for name, _ in _VALUES if value[name] is not None), None)
