"""Telemetry rows: one per turn of the bus loop, appended in parts, a Parquet file at the end.

While a trial runs the rows are an Arrow stream, which can be read up to its last whole part however it ended.
Positions are true degrees; the unit stands in the file's metadata.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from proctor.station.arm import JOINTS, Calibration, Cycle, Unit, UnitRecord, from_ticks

STREAM: Final = "telemetry.arrows"
FILE: Final = "telemetry.parquet"
FRAMES_STREAM: Final = "frames.arrows"
FRAMES_FILE: Final = "frames.parquet"
UNIT_KEY: Final = "proctor.unit"


def telemetry_row(cycle: Cycle, began_s: float, calibration: Calibration, step: int, phase: str) -> dict[str, Any]:
    """Return one row; ``step`` is that of the policy's action under way, -1 without one."""
    commanded = from_ticks(cycle.command, calibration, Unit.TRUE_DEGREES).values
    measured = from_ticks(cycle.telemetry.ticks, calibration, Unit.TRUE_DEGREES).values
    row: dict[str, Any] = {
        "time_s": cycle.time_s - began_s,
        "measured_s": cycle.telemetry.time_s - began_s,
        "phase": phase,
        "state": cycle.state.value,
        "policy_step": step,
    }
    for index, joint in enumerate(JOINTS):
        row[f"command.{joint}"] = commanded[index]
        row[f"measured.{joint}"] = measured[index]
        row[f"current_a.{joint}"] = cycle.telemetry.current_a[joint]
        row[f"load.{joint}"] = cycle.telemetry.load[joint]
        row[f"temperature_c.{joint}"] = cycle.telemetry.temperature_c[joint]
    return row


def telemetry_schema(calibration: Calibration, more: Mapping[str, str]) -> Any:
    """Return the `pyarrow.Schema` of the rows with the unit in its metadata."""
    import json

    import pyarrow as pa

    fields = [("time_s", pa.float64()), ("measured_s", pa.float64()), ("phase", pa.string()), ("state", pa.string())]
    fields.append(("policy_step", pa.int64()))
    for joint in JOINTS:
        fields += [(f"{kind}.{joint}", pa.float64()) for kind in ("command", "measured", "current_a", "load")]
        fields.append((f"temperature_c.{joint}", pa.int64()))
    record = UnitRecord.of(Unit.TRUE_DEGREES, calibration)
    return pa.schema(fields, metadata={UNIT_KEY: json.dumps(record.to_dict()), **more})


def frames_schema(more: Mapping[str, str]) -> Any:
    """Return the schema of the frame times: which picture of a camera stands at which place of its film."""
    import pyarrow as pa

    fields = [("camera", pa.string()), ("frame", pa.int64()), ("time_s", pa.float64()), ("taken_s", pa.float64())]
    return pa.schema(fields, metadata=dict(more))


class Stream:
    """Rows on their way to the disk."""

    def __init__(self, path: Path, schema: Any) -> None:
        import pyarrow as pa

        self._schema = schema
        self._file = path.open("wb")
        self._writer = pa.ipc.new_stream(self._file, schema)

    def append(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write a part and push it to the disk."""
        import pyarrow as pa

        if rows:
            self._writer.write_batch(pa.RecordBatch.from_pylist(list(rows), schema=self._schema))
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._writer.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()


def settle_stream(stream: Path, target: Path) -> int:
    """Turn a stream into a Parquet file, as far as it can be read; return the number of rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    parts = []
    with stream.open("rb") as file:
        reader = pa.ipc.open_stream(file)
        schema = reader.schema
        try:
            while True:
                parts.append(reader.read_next_batch())
        except (StopIteration, pa.ArrowInvalid, OSError):
            # The end, or a part that was being written when the power went.
            pass
    table = pa.Table.from_batches(parts, schema=schema)
    temporary = target.with_name(f".{target.name}.part")
    pq.write_table(table, temporary, compression="zstd")
    temporary.replace(target)
    stream.unlink()
    return int(table.num_rows)
