"""A trial as a Rerun recording: films, joints told and measured, currents, on one time line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from proctor.station.arm import JOINTS

from ._rollout import ExportError, Rollout

_TIMELINE = "trial_s"


def export_rerun(rollout: Rollout, path: Path) -> Path:
    """Write a ``.rrd`` file, to be opened with ``rerun FILE``. Needs the extra ``rerun``."""
    try:
        import rerun as rr
    except ImportError:
        raise ExportError("Rerun is not installed: run `pip install 'proctor[rerun]'`") from None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except OSError as error:
        raise ExportError(f"cannot write {path}: {error.strerror or error}") from error
    recording = rr.RecordingStream("proctor_station", recording_id=rollout.name)
    recording.save(str(path))
    _log_text(rr, recording, rollout)
    for camera in rollout.cameras:
        _log_film(rr, recording, rollout, camera)
    _log_joints(rr, recording, rollout)
    recording.flush()
    recording.disconnect()
    return path


def _log_text(rr: Any, recording: Any, rollout: Rollout) -> None:
    lines = [f"# Trial {rollout.name}", str(rollout.meta.get("instruction", ""))]
    lines += [f"- {key}: {rollout.meta[key]}" for key in ("status", "ended_by", "fault", "unit") if key in rollout.meta]
    recording.log("about", rr.TextDocument("\n\n".join(lines), media_type="text/markdown"), static=True)


def _log_film(rr: Any, recording: Any, rollout: Rollout, camera: str) -> None:
    asset = rr.AssetVideo(path=rollout.folder / f"{camera}.mp4")
    recording.log(f"cameras/{camera}", asset, static=True)
    stamps = asset.read_frame_timestamps_nanos()
    # Frame n of a film shows the trial at n / fps, so its own time is the trial's.
    times = rr.TimeColumn(_TIMELINE, duration=[stamp * 1e-9 for stamp in stamps])
    columns = rr.VideoFrameReference.columns_nanos(stamps)
    recording.send_columns(f"cameras/{camera}", indexes=[times], columns=columns)


def _log_joints(rr: Any, recording: Any, rollout: Rollout) -> None:
    told = rr.TimeColumn(_TIMELINE, duration=rollout.telemetry["time_s"])
    seen = rr.TimeColumn(_TIMELINE, duration=rollout.telemetry["measured_s"])
    for joint in JOINTS:
        for kind, times in (("command", told), ("measured", seen), ("current_a", seen)):
            columns = rr.Scalars.columns(scalars=rollout.telemetry[f"{kind}.{joint}"])
            recording.send_columns(f"{kind}/{joint}", indexes=[times], columns=columns)
