"""One session in one folder: what is public, what is secret, what happened.

session.json    scenes, trials in order (opaque ids, no arms), time cap, station, versions, commitment
journal.jsonl   what happened (see `Journal`)
secret/         schedule.json with the arms: mode 0600 in a folder of mode 0700, read only to run a trial
trials/ID/      video, telemetry and meta.json of one attempt
scenes/         accepted pictures
run/LABEL/      after the reveal: one ordinary run folder per policy
reference/LABEL/  the same for human arms, which are not policies
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import platform
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import Any

from proctor import __version__
from proctor.results import Episode

from ._journal import Journal, JournalEntry, SessionError, TamperError, canonical, read_journal
from ._progress import Attempt, SessionProgress, SessionRules, apply
from ._rows import BLINDED, started, trial_row, videos_of
from ._schedule import ArmPolicy, SceneCard, ScheduledTrial, TrialSchedule
from ._state import SessionState

_LOG = logging.getLogger(__name__)

SESSION_FILE = "session.json"
JOURNAL_FILE = "journal.jsonl"
SECRET_FILE = "secret/schedule.json"
DEFAULT_CAP_S = 90.0
PRIVATE = ("error", "fingerprint", "latencies_ms", "policy_calls", "policy_rate_hz", "policy_s")
_RECORDED = ("numpy", "opencv-python-headless", "pupil-apriltags", "pyserial", "mujoco")


def software_versions() -> dict[str, str]:
    """Return what this machine runs, for the record."""
    found = {"proctor": __version__, "python": platform.python_version(), "platform": platform.platform()}
    for name in _RECORDED:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


class Session:
    """A session's folder. `create` or `open` it to run trials, `read` it to look (also while another process runs it).

    The operator's side is `state` and `act`; both know no arm. The runner asks `arm_for` which policy is next. Threads
    may share it.
    """

    def __init__(self, folder: Path, journal: Journal | None, entries: list[JournalEntry]) -> None:
        self.folder = folder
        self._journal = journal
        self._lock = threading.RLock()
        self.public = _read_public(folder, entries)
        self.entries = journal.entries if journal else entries
        self.progress = _fold(folder, self.public, entries)

    @classmethod
    def create(
        cls,
        folder: str | Path,
        schedule: TrialSchedule,
        *,
        cap_s: float = DEFAULT_CAP_S,
        cap_per_item_s: float | None = None,
        station: Mapping[str, Any] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> Session:
        """Make the folder, commit the schedule in the first line of the journal, and open it.

        ``cap_s`` is the time cap of a trial; ``cap_per_item_s`` makes it so many seconds per item instead (PhAIL: 30).
        ``station`` is what the rows must remember of the place: ``name``, ``unit`` and ``calibration`` (SHA-256),
        ``cameras`` (numbers of the pose check).
        """
        place = Path(folder)
        if not cap_s > 0 or (cap_per_item_s is not None and not cap_per_item_s > 0):
            raise SessionError("the time cap must be more than 0 seconds")
        public = {
            "v": 1,
            "session": schedule.session,
            "proctor": __version__,
            "commitment": schedule.commitment,
            "cap_s": cap_s,
            "cap_per_item_s": cap_per_item_s,
            "repeats": schedule.repeats,
            "station": {"versions": software_versions(), **(station or {})},
            "scenes": [asdict(scene) for scene in schedule.scenes],
            "trials": [asdict(trial) for trial in schedule.trials],
        }
        text = json.dumps(public, indent=2, ensure_ascii=True, allow_nan=False) + "\n"
        try:
            place.mkdir(parents=True, exist_ok=True)
            if any(place.iterdir()):
                raise SessionError(f"{place} is not empty: choose another folder for the session")
            (place / "secret").mkdir(mode=0o700)
            (place / "trials").mkdir()
            (place / "scenes").mkdir()
            write_file(place / SECRET_FILE, canonical(schedule.to_dict()), 0o600)
            write_file(place / SESSION_FILE, text.encode(), 0o644)
        except OSError as error:
            raise SessionError(f"cannot make the session in {place}: {error.strerror}") from None
        with Journal(place / JOURNAL_FILE, clock) as journal:
            journal.append("commit", {"commitment": schedule.commitment, "session_sha256": _sha256(text.encode())})
        return cls.open(place, clock=clock)

    @classmethod
    def open(cls, folder: str | Path, *, clock: Callable[[], float] = time.time) -> Session:
        """Open a session to go on with it, whatever ended the last process.

        A trial that was running when the process died is marked as interrupted: it is scored as ``system`` or declared
        invalid, and run again.
        """
        place = Path(folder)
        if not (place / JOURNAL_FILE).exists():
            raise SessionError(
                f"{place} is no session ({JOURNAL_FILE} is missing): make one with 'proctor station plan'"
            )
        journal = Journal(place / JOURNAL_FILE, clock)
        try:
            session = cls(place, journal, journal.entries)
            if session.progress.phase == "running":
                session.record("interrupted", {"elapsed_s": session._last_sign_of_life()})
        except BaseException:
            journal.close()
            raise
        return session

    @classmethod
    def read(cls, folder: str | Path) -> Session:
        """Read a session without writing to it; a line that is being written at this moment is not seen yet."""
        entries, _ = read_journal(Path(folder) / JOURNAL_FILE)
        return cls(Path(folder), None, entries)

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()

    @property
    def head(self) -> str:
        """Hash of the journal's last line."""
        return self.entries[-1].hash

    def state(self) -> SessionState:
        """Return what the operator may see: where the session stands and what can be done now."""
        return SessionState.of(self.public["session"], self.progress, self.head)

    def act(self, action: str, **data: Any) -> SessionState:
        """Do something and return the new state; it is on disk when this returns.

        ===============  =============================================================================================
        begin_scene      the operator starts to lay out the scene
        gate_result      ``passed`` (bool) and whatever was measured; False stays at the gate
        override_gate    ``reason``
        start            the arm may move; the timer runs
        stop             ``reason`` (operator, policy_done, timeout, policy_error, infra_error), ``elapsed_s``,
                         ``steps``, ``rate_hz``; and, kept secret until the reveal (`PRIVATE`), ``error`` (one line),
                         ``policy_calls``, ``policy_s``, ``policy_rate_hz``, ``latencies_ms``, ``fingerprint``
        safety_stop      at any time; ends a running trial, which then is ``safety``
        item             ``kind`` (placed, dropped, lost), ``time_s`` (now, if not given)
        outcome          ``label``, ``placed``, ``dropped``, ``lost`` (marks are counted if not given), ``time_s``
        invalid          ``reason``; the trial is run again at the end of its block
        next             on to the next trial
        undo             takes back the last of these, but never a start or stop
        edit             ``trial``, ``changes`` (label, time_s, placed, dropped, lost, marks), ``reason``
        note             ``text``
        station          new numbers of the station: ``calibration``, ``cameras``, ...
        ===============  =============================================================================================
        """
        if action in ("commit", "reveal", "interrupted", "torn"):
            raise SessionError(f"{action} is no action of the operator")
        with self._lock:
            current = self.progress.current
            if action in ("stop", "safety_stop") and self.progress.phase == "running" and current is not None:
                data = self._without_private(current.id, data)
            self.record(action, data)
            return self.state()

    def record(self, kind: str, data: Mapping[str, Any]) -> None:
        """Write an entry that is possible now. The operator's go through `act`."""
        if self._journal is None:
            raise SessionError(f"{self.folder} was opened to look at, not to write")
        with self._lock:
            draft = self._journal.draft(kind, data)
            after = apply(self.progress, draft)
            self._journal.write(draft)
            self.progress = after
        current = self.progress.current
        _LOG.info("session %s: %s%s", self.public["session"], kind, f", trial {current.id}" if current else "")

    def _without_private(self, attempt: str, data: Mapping[str, Any]) -> dict[str, Any]:
        """Put what would tell the arm (errors name servers, speed gives a model away) beside the secret."""
        private = {name: value for name, value in data.items() if name in PRIVATE}
        public = {name: value for name, value in data.items() if name not in PRIVATE}
        if private:
            text = canonical(private)
            path = self._private_file(attempt)
            path.unlink(missing_ok=True)
            write_file(path, text, 0o600)
            public["private_sha256"] = _sha256(text)
        return public

    def _private_file(self, attempt: str) -> Path:
        return self.folder / "secret" / f"{attempt}.json"

    def private(self, attempt: Attempt) -> dict[str, Any]:
        """Return what was measured of the policy in an attempt; not for the operator before the reveal."""
        if attempt.stop is None or "private_sha256" not in attempt.stop:
            return {}
        path = self._private_file(attempt.id)
        try:
            text = path.read_bytes()
        except OSError as error:
            raise SessionError(f"cannot read {path}: {error.strerror}") from None
        if _sha256(text) != attempt.stop["private_sha256"]:
            raise TamperError(f"{path} was changed: the journal has another hash of it")
        values: dict[str, Any] = json.loads(text)
        return values

    def check_private(self) -> None:
        """Raise `TamperError` if a private file is not what the journal sealed."""
        if (self.folder / "secret").exists():
            for attempt in started(self.progress):
                self.private(attempt)

    def rows(self) -> list[Episode]:
        """Return a row for every attempt that is over, in order; before the reveal without policies."""
        schedule = self.schedule() if self.progress.revealed is not None else None
        made = []
        for attempt in started(self.progress):
            arm = schedule.arm(attempt.trial) if schedule else BLINDED
            start = self.folder / "run" / arm.label
            found = videos_of(self.folder, attempt, start)
            private = self.private(attempt) if schedule else {}
            made.append(trial_row(self.public["session"], self.progress.rules, attempt, arm, private, found))
        return made

    def arm_for(self, trial: str | None = None) -> ArmPolicy:
        """Return the arm of a trial (the current one): for the runner, never for anything the operator can see."""
        current = self.progress.current
        if trial is None and current is None:
            raise SessionError("there is no trial left in this session")
        return self.schedule().arm(trial.partition("-")[0] if trial is not None else current.trial if current else "")

    def schedule(self) -> TrialSchedule:
        """Return the schedule with its arms: from the reveal, or before it from the secret file."""
        if self.progress.revealed is not None:
            return TrialSchedule.from_dict(self.progress.revealed["schedule"], f"the reveal in {self.folder}")
        path = self.folder / SECRET_FILE
        try:
            values = json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            raise SessionError(f"cannot read {path}: {error}; without it no trial can be run") from None
        found = TrialSchedule.from_dict(values, str(path))
        if found.commitment != self.public["commitment"]:
            raise TamperError(f"{path} is not the schedule that was committed")
        return found

    def trial_folder(self, trial: str | None = None) -> Path:
        """Return where the files of an attempt go (the current one), making it."""
        name = trial or (self.progress.current.id if self.progress.current else "")
        base, dash, attempt = name.partition("-")
        if base not in self.progress.rules.trials or (dash and not attempt.isdecimal()):
            raise SessionError(f"there is no trial {name!r} in this session")
        path = self.folder / "trials" / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def _last_sign_of_life(self) -> float:
        """Seconds from the start of the trial to the last line written during it."""
        start = next(entry for entry in reversed(self.entries) if entry.kind == "start")
        last = next(entry for entry in reversed(self.entries) if entry.kind != "torn")
        return max(0.0, last.unix_s - start.unix_s)


def _read_public(folder: Path, entries: list[JournalEntry]) -> dict[str, Any]:
    path = folder / SESSION_FILE
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SessionError(f"cannot read {path}: {error.strerror}") from None
    if not entries or entries[0].kind != "commit":
        raise SessionError(f"{folder}: the schedule was never committed: remove the folder and plan again")
    if _sha256(raw) != entries[0].data["session_sha256"]:
        raise TamperError(f"{path} was changed after the schedule was committed")
    public: dict[str, Any] = json.loads(raw)
    return public


def _fold(folder: Path, public: Mapping[str, Any], entries: list[JournalEntry]) -> SessionProgress:
    rules = SessionRules(
        {trial["id"]: ScheduledTrial(**trial) for trial in public["trials"]},
        {scene["id"]: SceneCard(**scene) for scene in public["scenes"]},
        public["cap_s"],
        public["cap_per_item_s"],
    )
    state = SessionProgress.begin(rules, public["station"])
    for entry in entries[1:]:
        try:
            state = apply(state, entry)
        except SessionError as error:
            raise TamperError(f"{folder / JOURNAL_FILE}:{entry.n + 1}: this cannot have happened: {error}") from None
    return state


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write_file(path: Path, data: bytes, mode: int) -> None:
    """Write a new file and wait until it is on disk."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
