"""Makes one run folder of several that hold parts of one plan, and refuses what does not belong together.

Rows are the same wherever they were run, so an episode that is in two folders must have the same result in both. One
that ended in an error in one folder and was completed in another is completed.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from proctor.core import ProctorError
from proctor.results import Episode, Ledger, RunFolder, StoreError, read_run, stream_episodes
from proctor.run.engine import SHARDS, versions_of
from proctor.run.plan import Plan, contains, difference

_LOG = logging.getLogger(__name__)

# Rows that are written to disk together.
_GROUP = 512
_SHOWN = 3


class MergeError(ProctorError):
    """Run folders that do not belong together."""


@dataclass(frozen=True, slots=True)
class MergeResult:
    """What was gathered: ``added`` rows are new in ``path``; ``missing`` names the first of those that no folder has.

    ``written`` is False where the parts were only to be gathered once they are whole, and are not.
    """

    path: Path
    planned: int
    recorded: int
    added: int
    duplicates: int
    missing: tuple[str, ...]
    written: bool = True

    @property
    def whole(self) -> bool:
        """Whether every episode of the plan has a row."""
        return self.recorded >= self.planned


def merge(folders: Sequence[str | Path], out: str | Path | None = None, *, only_if_whole: bool = False) -> MergeResult:
    """Gather the rows and files of ``folders`` in ``out``, a new run folder or one of the same plan.

    A folder stands for itself and for the shards inside it. ``out`` may be left out where one folder is given: its
    shards are then gathered in it. Merging again adds what has come since.
    """
    if out is None and len(folders) != 1:
        raise MergeError("several folders: name the one that they are merged into with --out")
    target = Path(folders[0] if out is None else out)
    sources = list(dict.fromkeys(run.resolve() for folder in folders for run in _runs_in(Path(folder))))
    if (target / "run.json").exists() and target.resolve() not in sources:
        sources.insert(0, target.resolve())
    plan, description = _common_plan(sources)
    ledger, twice = _survey(sources)
    missing = len(plan) - len(ledger)
    names = tuple(islice(_missing(plan, ledger), _SHOWN)) if missing > 0 else ()
    if only_if_whole and missing > 0:
        return MergeResult(target, len(plan), len(ledger), 0, len(twice), names, written=False)
    best = _best_of(twice, sources)
    with RunFolder(target) as folder:
        folder.write_run(description)
        added = 0
        for source in sources:
            if source != target.resolve():
                added += _take(source, folder, best)
            _LOG.info("%s: %d rows gathered so far", source, added)
        folder.compact()
        return MergeResult(target, len(plan), len(folder.ledger), added, len(twice), names)


def _runs_in(folder: Path) -> Iterator[Path]:
    shards = sorted(file.parent for file in (folder / SHARDS).glob("*/run.json"))
    if not shards or (folder / "run.json").exists():
        # Raises what a folder that is none lacks.
        read_run(folder)
        yield folder
    yield from shards


def _common_plan(sources: Sequence[Path]) -> tuple[Plan, dict[str, Any]]:
    """Return the largest plan of the folders and its description, or refuse folders of different runs."""
    first = read_run(sources[0])
    plan = _plan_of(first, sources[0])
    for source in sources[1:]:
        other = read_run(source)
        theirs = _plan_of(other, source)
        text = difference(plan, theirs)
        if text is None:
            was, now = _versions(first, sources[0]), _versions(other, source)
            changed = [name for name in sorted({*was, *now}) if was.get(name) != now.get(name)]
            text = "; ".join(f"{name} was {was.get(name)!r} and is now {now.get(name)!r}" for name in changed)
        if text:
            raise MergeError(f"{sources[0]} and {source} do not belong together: {text}")
        if not contains(plan, theirs):
            plan, first = theirs, {**other, "created": first["created"]}
    arguments = first.get("arguments") or {}
    return plan, {**first, "arguments": {name: value for name, value in arguments.items() if name != "shard"}}


def _plan_of(description: Mapping[str, Any], source: Path) -> Plan:
    try:
        _ = description["created"]
        return Plan.from_description(description["plan"])
    except (KeyError, TypeError) as error:
        raise MergeError(f"{source}/run.json cannot be understood ({error}): leave this folder out") from None


def _versions(description: Mapping[str, Any], source: Path) -> dict[str, str]:
    try:
        return {"proctor version": description["proctor"], **versions_of(description)}
    except (KeyError, TypeError) as error:
        raise MergeError(f"{source}/run.json cannot be understood ({error}): leave this folder out") from None


def _survey(sources: Sequence[Path]) -> tuple[Ledger, set[str]]:
    """Return which episodes there are, and the ids of those that are in several folders."""
    ledger, twice = Ledger(), set[str]()
    for source in sources:
        for row in stream_episodes(source):
            if ledger.status(row.episode_id) is not None:
                twice.add(row.episode_id)
            ledger.note(row.episode_id, row.status, row.attempt)
    return ledger, twice


def _missing(plan: Plan, ledger: Ledger) -> Iterator[str]:
    return (f"{spec.task} episode {spec.episode}" for spec in plan if ledger.status(spec.episode_id) is None)


def _best_of(twice: set[str], sources: Sequence[Path]) -> dict[str, Path]:
    """Return, for each episode that is in several folders, the one to take it from; refuse unequal results."""
    found: dict[str, tuple[Path, Episode]] = {}
    unequal: dict[str, str] = {}
    for source in sources if twice else ():
        for row in stream_episodes(source):
            identity = row.episode_id
            if identity not in twice:
                continue
            where, other = found.setdefault(identity, (source, row))
            if row.status != "completed" or where == source:
                continue
            if other.status != "completed":
                found[identity] = (source, row)
            elif names := ", ".join(name for name, value in row.result().items() if other.result()[name] != value):
                about = f"{row.spec.task} episode {row.spec.episode} ({identity})"
                unequal.setdefault(identity, f"{about} differs in {names}: {where}, {source}")
    if unequal:
        shown = "; ".join(list(unequal.values())[:_SHOWN])
        rest = f"; and {len(unequal) - _SHOWN} more" if len(unequal) > _SHOWN else ""
        raise MergeError(f"episodes with two results ({len(unequal)}): {shown}{rest}")
    return {identity: where for identity, (where, _) in found.items()}


def _take(source: Path, folder: RunFolder, best: Mapping[str, Path]) -> int:
    """Append the rows of ``source`` that ``folder`` lacks, their files first; return how many."""

    def lacking(row: Episode) -> bool:
        return best.get(row.episode_id, source) == source and folder.ledger.status(row.episode_id) not in (
            row.status,
            "completed",
        )

    rows = filter(lacking, stream_episodes(source))
    count = 0
    while group := list(islice(rows, _GROUP)):
        for row in group:
            for name in row.files.names:
                _link(source / name, folder.path / name)
        folder.append(*group)
        count += len(group)
    return count


def _link(source: Path, target: Path) -> None:
    """Give a file a second name, or copy it to where that cannot be done; one that is gone is left out."""
    part = target.with_name(f"{target.stem}.part-merge{target.suffix}")
    try:
        target.parent.mkdir(exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            part.unlink(missing_ok=True)
            try:
                os.link(source, part)
            except FileNotFoundError:
                raise
            except OSError:
                shutil.copyfile(source, part)
            part.replace(target)
    except OSError as error:
        raise StoreError(f"cannot write {target}: {error.strerror or error}; merge again once that is mended") from None
