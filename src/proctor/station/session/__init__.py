"""A session at the station: who runs when (blinded, committed), what happened (journal), what came of it (rows).

    arms = [ArmPolicy("pi0", "proctor://gpu:7000"), ArmPolicy("act", "proctor://gpu:7001")]
    schedule = Schedule.make([SceneCard.of(scene) for scene in select_scenes("1-10")], arms, repeats=2)
    with Session.create("sessions/monday", schedule) as session:
        session.state()                       # SessionState: phase, scene, cap, actions and labels possible now
        session.act("begin_scene")            # setup -> gate; every action is on disk when act returns
        session.act("gate_result", passed=True, worst_mm=3.1)
        policy = session.arm_for()            # the runner only: ArmPolicy(label, policy, args, kind)
        session.act("start")
        session.act("stop", reason="timeout", elapsed_s=90.0)
        session.act("outcome", label="fail")
        session.act("next")

`Session.open` goes on after any crash, `Session.read` only looks. After the last trial `reveal` names the arms and
writes run folders; `verify` checks a session from its files; `rate` and `rater_agreement` are for a second rater.
"""

from ._journal import Journal, JournalEntry, SessionError, TamperError, read_journal
from ._labels import ALIASES, LABELS, LABELS_AFTER, parse_label
from ._progress import MARKS, PHASES, STOP_REASONS, Attempt, Mark
from ._rating import RaterAgreement, ToRate, rate, rater_agreement, ratings_of, to_rate
from ._reveal import reveal, verify, write_rows
from ._schedule import ArmPolicy, SceneCard, ScheduledTrial, TrialSchedule
from ._session import DEFAULT_CAP_S, PRIVATE, Session, software_versions
from ._state import LastOutcome, SessionState

__all__ = [
    "ALIASES",
    "DEFAULT_CAP_S",
    "LABELS",
    "LABELS_AFTER",
    "MARKS",
    "PHASES",
    "PRIVATE",
    "STOP_REASONS",
    "ArmPolicy",
    "Attempt",
    "Journal",
    "JournalEntry",
    "LastOutcome",
    "Mark",
    "RaterAgreement",
    "SceneCard",
    "ScheduledTrial",
    "Session",
    "SessionError",
    "SessionState",
    "TamperError",
    "ToRate",
    "TrialSchedule",
    "parse_label",
    "rate",
    "rater_agreement",
    "ratings_of",
    "read_journal",
    "reveal",
    "software_versions",
    "to_rate",
    "verify",
    "write_rows",
]
