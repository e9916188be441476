"""What the operator may see of a session: no arm, no policy, nothing that depends on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ._labels import LABELS_AFTER
from ._progress import MARKS, Attempt, SessionProgress
from ._schedule import SceneCard


@dataclass(frozen=True, slots=True)
class LastOutcome:
    """The last attempt that was scored."""

    trial: str
    scene: str
    label: str
    placed: int = 0
    dropped: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class SessionState:
    """Where a session stands.

    ``number`` of ``total`` counts trials with an outcome, this one included; ``attempt`` is above 1 for a repetition.
    ``kind`` is ``human`` where the operator has to drive. ``started_at`` is unix time, ``elapsed_s`` is known once the
    trial is over. ``then`` is the scene of the trial after this one: the order of scenes is public, which arm comes is
    not. ``actions`` and ``labels`` are what can be done and said now. ``head`` seals everything so far.
    """

    session: str
    phase: str
    finished: bool
    revealed: bool
    trial: str
    number: int
    total: int
    attempt: int
    block: int
    kind: str
    scene: SceneCard
    then: SceneCard | None
    cap_s: float
    started_at: float | None
    elapsed_s: float | None
    stop_reason: str
    gate: Mapping[str, Any] | None
    override: str
    placed: int
    dropped: int
    lost: int
    label: str
    actions: tuple[str, ...]
    labels: tuple[str, ...]
    last: LastOutcome | None
    head: str

    @classmethod
    def of(cls, session: str, progress: SessionProgress, head: str) -> SessionState:
        current, rules = progress.current, progress.rules
        assert current is not None, "a session has at least one trial"
        reason = current.stop["reason"] if current.stop else ""
        scored = [attempt for attempt in progress.attempts if attempt.outcome or attempt.invalid]
        done = sum(attempt.counts for attempt in progress.ended)
        counts = current.outcome or {kind: current.count(kind) for kind in MARKS}
        return cls(
            session=session,
            phase=progress.phase,
            finished=progress.finished,
            revealed=progress.revealed is not None,
            trial=current.id,
            number=min(done + 1, len(rules.trials)),
            total=len(rules.trials),
            attempt=current.attempt,
            block=rules.trials[current.trial].block,
            kind=rules.trials[current.trial].kind,
            scene=rules.scene(current.trial),
            then=rules.scene(progress.queue[0][0]) if progress.queue else None,
            cap_s=rules.cap(current.trial),
            started_at=current.started_s,
            elapsed_s=current.stop["elapsed_s"] if current.stop else None,
            stop_reason=reason,
            gate=current.gate,
            override=current.override,
            placed=counts["placed"],
            dropped=counts["dropped"],
            lost=counts["lost"],
            label=_label(current),
            actions=progress.allowed,
            labels=LABELS_AFTER[reason] if progress.phase == "scoring" else (),
            last=_last(scored[-1], progress) if scored else None,
            head=head,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for the console."""
        return asdict(self)


def _label(attempt: Attempt) -> str:
    return "invalid" if attempt.invalid else str(attempt.outcome["label"]) if attempt.outcome else ""


def _last(attempt: Attempt, progress: SessionProgress) -> LastOutcome:
    counts = {kind: attempt.outcome[kind] for kind in MARKS} if attempt.outcome else {}
    return LastOutcome(attempt.id, progress.rules.scene(attempt.trial).name, _label(attempt), **counts)
