"""Which arm runs when: permuted blocks, drawn from a secret, committed before the first trial.

A block is one scene with every arm exactly once, in random order. A round is every scene once; rounds follow one
another. So objects are laid out for one scene at a time, every arm meets every scene in the same session within
minutes, and a session stopped after any block is exactly balanced (PhAIL's weighted draw was not: runs of up to 16).

All randomness is HMAC-SHA256(secret, purpose, counter), so the schedule can be made again from the secret on any
machine. ``commitment`` = SHA-256 of the canonical JSON of everything, with a nonce so that nobody can find the order
by trying all of them. It is public at once; the secret is revealed after the last trial, and then anybody can check.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeVar

from proctor.station.scene import StationScene

from ._journal import SessionError, TamperError, canonical

# What a session needs to know of a scene; any test scene can be one, not only the 90.


@dataclass(frozen=True, slots=True)
class SceneCard:
    """A scene as the operator sees it. ``level`` and ``split`` go into the rows; ``items``: how many to place."""

    id: str
    name: str
    instruction: str
    criterion: str
    level: str = ""
    split: str = ""
    items: int = 1

    @classmethod
    def of(cls, scene: StationScene, items: int = 1) -> SceneCard:
        """Make the card of one of the 90 scenes; its id is the number of Table C.1."""
        return cls(str(scene.id), scene.name, scene.instruction, scene.task.criterion, scene.level, scene.split, items)


SECRET_BYTES = 32
_ID_DIGITS = 12
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class ArmPolicy:
    """One arm: its ``label`` in results, the policy as for ``--policy`` with its arguments.

    ``kind`` ``human`` is a person at the leader arm: a reference cohort. Whoever runs it knows, so it is in the blocks
    (same scenes, same session) but never among the policies that are compared.
    """

    label: str
    policy: str
    args: Mapping[str, Any] = field(default_factory=dict)
    kind: Literal["policy", "human"] = "policy"


@dataclass(frozen=True, slots=True)
class ScheduledTrial:
    """What may be known before the reveal. ``kind`` is that of the arm: the operator has to take the leader arm."""

    id: str
    scene: str
    block: int
    round: int
    kind: Literal["policy", "human"] = "policy"


@dataclass(frozen=True, slots=True)
class TrialSchedule:
    """A session's order. ``arms_of`` is the secret: the arm of each of ``trials``, by its place in ``arms``."""

    session: str
    scenes: tuple[SceneCard, ...]
    arms: tuple[ArmPolicy, ...]
    repeats: int
    secret: bytes = field(repr=False)
    trials: tuple[ScheduledTrial, ...] = ()
    arms_of: tuple[int, ...] = field(default=(), repr=False)

    @classmethod
    def make(
        cls,
        scenes: Sequence[SceneCard],
        arms: Sequence[ArmPolicy],
        repeats: int = 1,
        seed: bytes | None = None,
        session: str = "session",
    ) -> TrialSchedule:
        """Draw the schedule from ``seed``, 32 secret bytes (fresh ones by default)."""
        secret = secrets.token_bytes(SECRET_BYTES) if seed is None else seed
        _check(scenes, arms, repeats, secret)
        trials: list[ScheduledTrial] = []
        arms_of: list[int] = []
        for block, (turn, scene) in enumerate((turn, scene) for turn in range(repeats) for scene in scenes):
            order = _shuffled(range(len(arms)), secret, f"{session}/block/{block}")
            for arm in order:
                name = _bytes(secret, f"{session}/trial/{len(trials)}", 0).hex()[:_ID_DIGITS]
                trials.append(ScheduledTrial(name, scene.id, block, turn, arms[arm].kind))
                arms_of.append(arm)
        if len({trial.id for trial in trials}) < len(trials):
            raise SessionError("two trials drew the same id: make the schedule again with another secret")
        return cls(session, tuple(scenes), tuple(arms), repeats, secret, tuple(trials), tuple(arms_of))

    def arm(self, trial: str) -> ArmPolicy:
        """Return the arm of a trial. For the runner and the reveal only."""
        for known, place in zip(self.trials, self.arms_of, strict=True):
            if known.id == trial:
                return self.arms[place]
        raise SessionError(f"there is no trial {trial!r} in this session")

    @property
    def nonce(self) -> str:
        """Makes the commitment unguessable; follows from the secret but does not tell it."""
        return _bytes(self.secret, f"{self.session}/nonce", 0).hex()

    def document(self) -> dict[str, Any]:
        return {
            "v": 1,
            "session": self.session,
            "nonce": self.nonce,
            "repeats": self.repeats,
            "scenes": [asdict(scene) for scene in self.scenes],
            "arms": [{**asdict(arm), "args": dict(arm.args)} for arm in self.arms],
            "trials": [asdict(trial) for trial in self.trials],
            "arms_of": list(self.arms_of),
        }

    @property
    def commitment(self) -> str:
        """SHA-256, in hex, of the canonical JSON of `document`."""
        return hashlib.sha256(canonical(self.document())).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Return document and secret, for the file that only the runner reads, and for the reveal."""
        return {**self.document(), "secret": self.secret.hex()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], where: str = "the schedule") -> TrialSchedule:
        """Make the schedule again from its secret and refuse one whose order does not follow from it."""
        try:
            made = cls.make(
                [SceneCard(**scene) for scene in values["scenes"]],
                [ArmPolicy(**arm) for arm in values["arms"]],
                values["repeats"],
                bytes.fromhex(values["secret"]),
                values["session"],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise TamperError(f"{where} is damaged: {error}") from None
        if made.to_dict() != dict(values):
            raise TamperError(f"{where}: the order of trials does not follow from its secret")
        return made


def _check(scenes: Sequence[SceneCard], arms: Sequence[ArmPolicy], repeats: int, secret: bytes) -> None:
    if len(secret) != SECRET_BYTES:
        raise SessionError(f"the secret has {len(secret)} bytes: it must have {SECRET_BYTES}")
    if not scenes or not arms or repeats < 1:
        raise SessionError("a session needs at least one scene, one --arm and one repeat")
    for what, names in (("scene", [scene.id for scene in scenes]), ("arm", [arm.label for arm in arms])):
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise SessionError(f"{what} {twice[0]!r} is given twice: name each once")
    if all(arm.kind == "human" for arm in arms):
        raise SessionError("every arm is human: name at least one policy with --arm LABEL=POLICY")


def _bytes(secret: bytes, purpose: str, counter: int) -> bytes:
    return hmac.new(secret, f"{purpose}/{counter}".encode(), hashlib.sha256).digest()


def _numbers(secret: bytes, purpose: str) -> Iterator[int]:
    counter = 0
    while True:
        block = _bytes(secret, purpose, counter)
        yield from (int.from_bytes(block[i : i + 8], "big") for i in range(0, len(block), 8))
        counter += 1


def _shuffled(items: Sequence[_T], secret: bytes, purpose: str) -> list[_T]:
    """Return a uniform permutation (Fisher-Yates; draws that would favour small numbers are thrown away)."""
    result, numbers = list(items), _numbers(secret, purpose)
    for last in range(len(result) - 1, 0, -1):
        fair = 2**64 - 2**64 % (last + 1)
        draw = next(number for number in numbers if number < fair) % (last + 1)
        result[last], result[draw] = result[draw], result[last]
    return result
