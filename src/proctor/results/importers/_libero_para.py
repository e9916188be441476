"""LIBERO-Para's files: the log of each task (``eval0.json`` … ``eval9.json``) and the names of its task files.

The logs leave ``original_instruction`` null; the task is the file's ``eval_id``, the place of the original among
LIBERO-Goal's ten instructions in alphabetical order. ``initial_state_idx`` holds that number too, not a state. The type
of a paraphrase is in the name of its task file: ``{high}_{mid}_{low}_eval{task}_ver{variant}.bddl``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._trial import ImportFileError, TrialRow, Trials, load_json, make_row

ORIGINALS = (
    "open the middle drawer of the cabinet",
    "open the top drawer and put the bowl inside",
    "push the plate to the front of the stove",
    "put the bowl on the plate",
    "put the bowl on the stove",
    "put the bowl on top of the cabinet",
    "put the cream cheese in the bowl",
    "put the wine bottle on the rack",
    "put the wine bottle on top of the cabinet",
    "turn on the stove",
)
_NAME = re.compile(
    r"^(?P<high>act|obj|comp)_(?P<mid>[a-z]+(?:\+[a-z]+)?)_(?P<low>[a-z_+]+)_eval(?P<task>\d+)_ver(?P<variant>\d+)$"
)


@dataclass(frozen=True, slots=True)
class ParaEpisode:
    """One episode of a log. ``steps`` counts control steps at 20 Hz."""

    original: str
    paraphrase: str
    where: str
    success: bool
    task: str
    object_type: str
    action_type: str
    policy: str
    file: str
    steps: int | None


def cell_of(high: str, low: str, where: str) -> tuple[str, str]:
    """Return (object type, action type) from the columns ``high`` and ``low``; empty means none on that axis."""
    if high == "act":
        return "", low
    if high == "obj":
        return low, ""
    first, sign, second = low.partition("+")
    if high != "comp" or not sign:
        raise ImportFileError(f"{where}: high {high!r} and low {low!r} are not as LIBERO-Para writes them")
    return first, second


def is_para_log(path: Path) -> bool:
    """Say whether ``path`` is a log of LIBERO-Para or a folder of them."""
    files = _files(path)
    if not files:
        return False
    body = load_json(files[0])
    return isinstance(body, dict) and {"eval_id", "episodes"} <= body.keys()


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        found = [file for file in path.glob("eval*.json") if file.stem[4:].isdigit()]
        return sorted(found, key=lambda file: int(file.stem[4:]))
    return [path] if path.suffix == ".json" else []


def read_para_log(path: str | Path) -> list[ParaEpisode]:
    """Read one log or every log of a folder, in the order of the tasks; the policy's name is in ``meta.json``."""
    source = Path(path)
    files = _files(source)
    if not files:
        raise ImportFileError(f"{source}: holds no eval*.json of LIBERO-Para")
    meta = files[0].parent / "meta.json"
    about = load_json(meta) if meta.exists() else {}
    policy = str(about.get("model_name", "")) if isinstance(about, dict) else ""
    episodes: list[ParaEpisode] = []
    for file in files:
        body = load_json(file)
        if not isinstance(body, dict) or not isinstance(body.get("episodes"), list):
            raise ImportFileError(f"{file}: has no list of episodes; it is no log of LIBERO-Para")
        for number, entry in enumerate(body["episodes"]):
            where = f"{file}: episode {number}"
            try:
                episodes.append(_episode(body, entry, where, policy))
            except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
                raise ImportFileError(f"{where}: is not as LIBERO-Para writes it: {error!r}") from None
    if not episodes:
        raise ImportFileError(f"{source}: has no episodes")
    return episodes


def _episode(body: Mapping[str, Any], entry: Mapping[str, Any], where: str, policy: str) -> ParaEpisode:
    number = int(body["eval_id"])
    if not 0 <= number < len(ORIGINALS):
        raise ImportFileError(f"{where}: eval_id {number} is not one of the ten tasks (0 to 9)")
    name = Path(str(entry["bddl_file"])).stem
    match = _NAME.match(name)
    cell = cell_of(match["high"], match["low"], where) if match else ("", "")
    if not isinstance(entry["success"], bool):
        raise ImportFileError(f"{where}: success is {entry['success']!r}, not true or false")
    steps = entry.get("num_steps")
    original = str(entry.get("original_instruction") or body.get("original_instruction") or ORIGINALS[number])
    text = str(entry["paraphrased_instruction"])
    count = None if steps is None else int(steps)
    return ParaEpisode(original, text, where, entry["success"], ORIGINALS[number], *cell, policy, name, count)


def read_para_trials(path: str | Path, *, step_s: float = 0.05) -> Trials:
    """Return a log as trials: a task is a stratum, a task file is a pair, so that two models can be compared."""
    episodes = read_para_log(path)
    rows: list[TrialRow] = []
    for episode in episodes:
        seconds = None if episode.steps is None else episode.steps * step_s
        rows.append(
            make_row(
                episode.file,
                episode.success,
                time_s=seconds,
                duration_s=seconds,
                stratum=episode.task,
                policy=episode.policy,
                pair=episode.file,
            )
        )
    return Trials(tuple(rows), all(episode.steps is not None for episode in episodes), str(path))
