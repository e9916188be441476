"""The reveal after the last trial: names the arms, writes run folders, and lets anybody verify the session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from proctor.results import Episode, RunFolder, read_history

from ._journal import SessionError, TamperError, read_journal
from ._schedule import ArmPolicy, TrialSchedule
from ._session import SECRET_FILE, Session


def reveal(session: Session, *, abandon: str = "") -> list[Path]:
    """Write the schedule into the journal and one run folder per arm; return the folders. May be repeated.

    A session with trials to come is refused, because knowing the arms would unblind them; ``abandon`` (a reason) ends
    it all the same. Human arms go to ``reference/``, so that ``run/*`` is what is compared.
    """
    if session.progress.revealed is None:
        left = len(session.progress.queue) + (session.progress.phase != "done")
        if left and not abandon:
            raise SessionError(
                f"{left} trials are still to come: finish them, or end the session for good with --abandon REASON"
            )
        session.record("reveal", {"schedule": session.schedule().to_dict(), "abandoned": abandon, "left": left})
    return write_rows(session)


def write_rows(session: Session) -> list[Path]:
    """Bring the run folders up to date; a row that was edited since is added once more, the old one stays."""
    rows = session.rows()
    folders = []
    for arm in session.schedule().arms:
        folder = session.folder / ("reference" if arm.kind == "human" else "run") / folder_name(arm)
        mine = [row for row in rows if row.policy.name == arm.label]
        with RunFolder(folder) as store:
            if not store.resumed:
                store.write_run(_description(session, arm))
            latest = {(row.episode_id, row.attempt): row for row in read_history(folder)}
            store.append(*(row for row in mine if latest.get((row.episode_id, row.attempt)) != row))
            store.compact()
        folders.append(folder)
    return folders


def folder_name(arm: ArmPolicy) -> str:
    """Return the name of an arm's run folder: its label, with what a path cannot hold replaced."""
    return "".join(char if char.isalnum() or char in "-_." else "_" for char in arm.label).lstrip(".") or "arm"


def _description(session: Session, arm: ArmPolicy) -> dict[str, object]:
    return {
        "proctor": session.public["proctor"],
        "created": session.entries[0].time,
        "updated": session.entries[-1].time,
        "command": ["proctor", "station", "reveal", str(session.folder)],
        "arguments": {},
        "host": session.public["station"].get("name", ""),
        "policy": {**asdict(arm), "args": dict(arm.args)},
        "env": {"name": "station", "station": session.public["station"]},
        "session": {"name": session.public["session"], "commitment": session.public["commitment"]},
    }


def verify(folder: str | Path, *, head: str = "") -> str:
    """Check a session from its files alone and return one line; raises `TamperError` at the first thing that is wrong.

    Checked are the journal's chain, that every line was possible after the one before, the public file, the secret or
    revealed schedule against the commitment and its own secret, the balance of its blocks, what the runner measured,
    the journals of second raters, and the rows. ``head`` is a hash noted earlier: the journal must contain it, so
    nothing up to there was cut or redone.
    """
    session = Session.read(folder)
    if head and not any(entry.hash.startswith(head.casefold()) for entry in session.entries):
        raise TamperError(f"no line of {folder}'s journal has the hash {head}: it was rewritten since you noted it")
    session.check_private()
    for path in sorted((session.folder / "ratings").glob("*.jsonl")):
        read_journal(path)
    where = f"{len(session.entries)} lines, head {session.head[:16]}; commitment {session.public['commitment'][:16]}"
    if session.progress.revealed is None:
        if not (session.folder / SECRET_FILE).exists():
            return f"{folder}: journal is whole ({where}); the order can be checked after the reveal"
        _check_schedule(session, session.schedule())
        return f"{folder}: journal is whole ({where}); not revealed yet, the secret kept here fits the commitment"
    schedule = session.schedule()
    if schedule.commitment != session.entries[0].data["commitment"]:
        raise TamperError(f"{folder}: the revealed schedule is not the one that was committed")
    _check_schedule(session, schedule)
    _check_rows(session, session.rows())
    left = session.progress.revealed["left"]
    ended = f"abandoned with {left} trials to come" if left else f"{len(schedule.trials)} trials complete"
    return f"{folder}: verified ({where}): order as committed, every block balanced, {ended}"


def _check_schedule(session: Session, schedule: TrialSchedule) -> None:
    if [asdict(trial) for trial in schedule.trials] != session.public["trials"]:
        raise TamperError(f"{session.folder}: the trials of the session are not those of the committed schedule")
    arms = len(schedule.arms)
    for start in range(0, len(schedule.arms_of), arms):
        if sorted(schedule.arms_of[start : start + arms]) != list(range(arms)):
            raise TamperError(f"{session.folder}: block {start // arms} does not have every arm once")


def _check_rows(session: Session, rows: Sequence[Episode]) -> None:
    """The run folders, where they exist, must say what the journal says."""
    wanted = {(row.episode_id, row.attempt): row for row in rows}
    for path in sorted([*session.folder.glob("run/*/"), *session.folder.glob("reference/*/")]):
        for (name, attempt), row in {(row.episode_id, row.attempt): row for row in read_history(path)}.items():
            if (name, attempt) not in wanted or wanted[name, attempt].result() != row.result():
                raise TamperError(
                    f"{path}: row {name} (attempt {attempt}) is not what the journal says: it was changed, or an edit "
                    f"came after it ('proctor station reveal' writes it again)"
                )
