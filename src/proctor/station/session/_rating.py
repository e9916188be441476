"""Second rating of a session's videos, blind to verdict, arm, block and order.

Each rater has a journal of their own (``ratings/NAME.jsonl``), sealed like the session's and begun with the session's
head. Trials come in an order drawn from the rater's name, so that neighbours of a block do not stand together. Two
numbers say how far rater and operator agree: Cohen's kappa and Gwet's AC1, which does not break down when nearly
everything fails.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proctor.analysis.stats import cohen_kappa, gwet_ac1, raw_agreement

from ._journal import Journal, SessionError, read_journal
from ._labels import LABELS, parse_label
from ._progress import MARKS, Attempt
from ._rows import videos_of
from ._session import Session

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


@dataclass(frozen=True, slots=True)
class ToRate:
    """What a rater gets to see of an attempt; ``videos`` are relative to the session's folder."""

    trial: str
    scene: str
    instruction: str
    criterion: str
    items: int
    videos: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """Operator and rater on the trials that both judged; ``differ`` holds (trial, operator's, rater's label).

    ``success_*`` compare only success against everything else, which is what most statistics use.
    """

    rater: str
    n: int
    left: int
    agreement: float
    kappa: float
    ac1: float
    success_agreement: float
    success_kappa: float
    success_ac1: float
    differ: tuple[tuple[str, str, str], ...]


def rating_file(session: Session, rater: str) -> Path:
    if not _NAME.fullmatch(rater):
        raise SessionError(f"rater {rater!r}: a name has letters, digits, dot, dash and underscore, 40 at most")
    if rater.casefold() == str(session.public["station"].get("operator", "")).casefold():
        raise SessionError(f"{rater} is the operator of this session: a second rater has to be somebody else")
    return session.folder / "ratings" / f"{rater}.jsonl"


def ratings_of(session: Session, rater: str) -> dict[str, Mapping[str, Any]]:
    """Return the rater's latest verdict on each attempt."""
    path = rating_file(session, rater)
    if not path.exists():
        return {}
    entries, _ = read_journal(path)
    return {entry.data["trial"]: entry.data for entry in entries if entry.kind == "rating"}


def to_rate(session: Session, rater: str) -> list[ToRate]:
    """Return what the rater has still to judge: every attempt with an outcome, shuffled by the rater's name."""
    done = ratings_of(session, rater)
    left = [attempt for attempt in _judged(session) if attempt.id not in done]
    left.sort(key=lambda attempt: hashlib.sha256(f"{rater}\0{attempt.id}".encode()).digest())
    result = []
    for attempt in left:
        scene = session.progress.rules.scene(attempt.trial)
        videos = tuple(videos_of(session.folder, attempt, session.folder))
        result.append(ToRate(attempt.id, scene.name, scene.instruction, scene.criterion, scene.items, videos))
    return result


def rate(session: Session, rater: str, trial: str, label: str, **counts: int) -> None:
    """Record a verdict; a later one on the same attempt replaces it, both stay on record."""
    if trial not in {attempt.id for attempt in _judged(session)}:
        raise SessionError(f"trial {trial!r} has no outcome that could be rated")
    verdict = parse_label(label)
    if verdict == "system":
        raise SessionError("a rater judges what the policy did: success, fail, timeout or safety")
    wrong = [name for name in counts if name not in MARKS]
    if wrong:
        raise SessionError(f"{wrong[0]!r} is none of {', '.join(MARKS)}")
    path = rating_file(session, rater)
    path.parent.mkdir(exist_ok=True)
    with Journal(path) as journal:
        if not any(entry.kind == "begin" for entry in journal.entries):
            blinded = session.progress.revealed is None
            journal.append("begin", {"rater": rater, "session_head": session.head, "blinded": blinded})
        journal.append("rating", {"trial": trial, "label": verdict, **counts})


def rater_agreement(session: Session, rater: str) -> RaterAgreement:
    given = ratings_of(session, rater)
    both = [attempt for attempt in _judged(session) if attempt.id in given]
    if not both:
        raise SessionError(f"{rater} has rated nothing in this session yet")
    first = [str(attempt.outcome["label"]) for attempt in both if attempt.outcome]
    second = [str(given[attempt.id]["label"]) for attempt in both]
    yes_first, yes_second = [label == "success" for label in first], [label == "success" for label in second]
    return RaterAgreement(
        rater=rater,
        n=len(both),
        left=len(to_rate(session, rater)),
        agreement=raw_agreement(first, second),
        kappa=cohen_kappa(first, second),
        ac1=gwet_ac1(first, second, categories=LABELS[:-1]),
        success_agreement=raw_agreement(yes_first, yes_second),
        success_kappa=cohen_kappa(yes_first, yes_second),
        success_ac1=gwet_ac1(yes_first, yes_second, categories=(False, True)),
        differ=tuple((a.id, x, y) for a, x, y in zip(both, first, second, strict=True) if x != y),
    )


def _judged(session: Session) -> list[Attempt]:
    return [attempt for attempt in session.progress.attempts if attempt.counts]
