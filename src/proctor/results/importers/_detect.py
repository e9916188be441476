"""Which reader a path needs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .._store import RUN_FILE
from ._csv import read_csv
from ._lerobot import read_lerobot
from ._libero_para import is_para_log, read_para_trials
from ._run import read_run_folder
from ._trial import ImportFileError, Trials, load_json
from ._vla_eval import read_vla_eval


def read_trials(path: str | Path, *, columns: Mapping[str, str] | None = None, step_s: float = 0.05) -> Trials:
    """Read a run folder, CSV, ``eval_info.json``, vla-eval results or LIBERO-Para's logs, told apart by what is there.

    ``columns`` maps names for CSV; ``step_s`` is the length of a control step for files that count steps.
    """
    source = Path(path)
    if not source.exists():
        raise ImportFileError(f"{source}: no such file or folder")
    if source.is_dir():
        if (source / RUN_FILE).exists():
            return read_run_folder(source)
        if (source / "eval_info.json").exists():
            return read_lerobot(source / "eval_info.json")
        if any(source.glob("*_aggregate.json")):
            return read_vla_eval(source, step_s=step_s)
        if is_para_log(source):
            return read_para_trials(source, step_s=step_s)
        raise ImportFileError(f"{source}: holds no run.json, eval_info.json, *_aggregate.json or eval*.json")
    if source.suffix == ".csv":
        return read_csv(source, columns)
    if source.suffix == ".jsonl":
        return read_vla_eval(source, step_s=step_s)
    if source.suffix == ".json":
        if is_para_log(source):
            return read_para_trials(source, step_s=step_s)
        body = load_json(source)
        lerobot = isinstance(body, dict) and bool({"per_task", "per_episode"} & body.keys())
        return read_lerobot(source) if lerobot else read_vla_eval(source, step_s=step_s)
    raise ImportFileError(f"{source}: unknown kind of file; give a run folder, .csv, .json or .jsonl")
