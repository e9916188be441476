"""The session's phases, labels, undo, repetition; and that a random walk through them always equals its fold."""

from __future__ import annotations

import contextlib
import json
import os
import random
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from session_helpers import new_session, ready, run_trial, schedule

from proctor.station.session import LABELS, LABELS_AFTER, PHASES, Session, SessionError, TamperError, parse_label


def test_a_trial_from_setup_to_done(tmp_path: Path) -> None:
    with new_session(tmp_path / "s") as session:
        assert session.state().phase == "setup"
        assert session.act("begin_scene").phase == "gate"
        failed = session.act("gate_result", passed=False, worst_mm=21.0, advice="cup: 20 mm left")
        assert failed.phase == "gate"
        assert failed.gate == {"passed": False, "worst_mm": 21.0, "advice": "cup: 20 mm left"}
        assert session.act("override_gate", reason="the cup is symmetric").phase == "ready"
        running = session.act("start")
        assert (running.phase, running.cap_s) == ("running", 90.0)
        scoring = session.act("stop", reason="operator", elapsed_s=31.5)
        assert (scoring.phase, scoring.elapsed_s, scoring.labels) == ("scoring", 31.5, LABELS)
        done = session.act("outcome", label="Success")
        assert (done.phase, done.label, done.placed) == ("done", "success", 1)
        assert done.last is not None
        assert done.last.label == "success"
        following = session.act("next")
        assert (following.phase, following.number, following.total) == ("setup", 2, 6)


@pytest.mark.parametrize("phase", PHASES)
def test_what_is_not_possible_now_is_refused_and_not_written(tmp_path: Path, phase: str) -> None:
    steps: dict[str, tuple[str, dict[str, Any]]] = {
        "setup": ("begin_scene", {}),
        "gate": ("gate_result", {"passed": True}),
        "ready": ("start", {}),
        "running": ("stop", {"reason": "operator", "elapsed_s": 3.0}),
        "scoring": ("outcome", {"label": "fail"}),
        "done": ("next", {}),
    }
    with new_session(tmp_path / "s") as session:
        while session.state().phase != phase:
            action, data = steps[session.state().phase]
            session.act(action, **data)
        before = (tmp_path / "s" / "journal.jsonl").read_bytes()
        everything = {"start", "stop", "outcome", "next", "begin_scene", "override_gate", "invalid", "item", "bogus"}
        for action in everything - set(session.state().actions):
            with pytest.raises(SessionError, match="not possible now"):
                session.act(action, reason="x", label="fail")
        for action in ("commit", "reveal", "interrupted", "torn"):
            with pytest.raises(SessionError, match="no action of the operator"):
                session.act(action)
        assert (tmp_path / "s" / "journal.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Success", "success"),
        ("Stalled", "fail"),
        ("Fail", "fail"),
        ("Ran out of time", "timeout"),
        ("Ran_out_of_time", "timeout"),
        ("Safety", "safety"),
        ("System", "system"),
    ],
)
def test_phail_labels(text: str, label: str) -> None:
    assert parse_label(text) == label


def test_an_unknown_label_suggests_one() -> None:
    with pytest.raises(SessionError, match="did you mean 'success'"):
        parse_label("sucess")


@pytest.mark.parametrize("reason", [reason for reason in LABELS_AFTER if reason not in ("safety", "interrupted")])
@pytest.mark.parametrize("label", LABELS)
def test_labels_that_an_ending_allows(tmp_path: Path, reason: str, label: str) -> None:
    with new_session(tmp_path / "s") as session:
        ready(session)
        session.act("start")
        session.act("stop", reason=reason, elapsed_s=10.0)
        if label in LABELS_AFTER[reason]:
            assert session.act("outcome", label=label).label == label
        else:
            with pytest.raises(SessionError, match="cannot be"):
                session.act("outcome", label=label)


def test_a_safety_stop_is_never_a_success_and_is_possible_at_any_time(tmp_path: Path) -> None:
    with new_session(tmp_path / "s") as session:
        assert session.act("safety_stop").phase == "setup"
        ready(session)
        assert session.act("safety_stop").phase == "ready"
        session.act("start")
        state = session.act("safety_stop", elapsed_s=4.0)
        assert (state.phase, state.stop_reason, state.labels) == ("scoring", "safety", ("safety", "system"))
        with pytest.raises(SessionError, match="cannot be success"):
            session.act("outcome", label="success")


@pytest.mark.parametrize(("elapsed", "reason"), [(90.0, "operator"), (90.1, "timeout")])
def test_the_time_cap_has_two_sides(tmp_path: Path, elapsed: float, reason: str) -> None:
    with new_session(tmp_path / "s") as session:
        ready(session)
        session.act("start")
        assert session.act("stop", reason="operator", elapsed_s=elapsed).stop_reason == reason
        session.act("outcome", label="success")
        (row,) = session.rows()
        assert row.outcome.success_time_s is not None
        assert row.outcome.success_time_s <= 90.0


def test_cap_per_item_and_counts(tmp_path: Path) -> None:
    with new_session(tmp_path / "s", schedule(items=8), cap_per_item_s=30.0) as session:
        assert session.state().cap_s == 240.0
        ready(session)
        session.act("start")
        for kind in ("placed", "placed", "dropped", "lost"):
            session.act("item", kind=kind, time_s=5.0)
        assert session.act("undo").lost == 0
        session.act("stop", reason="timeout", elapsed_s=240.0)
        for _ in range(6):
            session.act("item", kind="lost", time_s=100.0)
        with pytest.raises(SessionError, match="all 8 items"):
            session.act("item", kind="placed")
        with pytest.raises(SessionError, match="success needs all 8 items placed, not 3"):
            session.act("outcome", label="success", placed=3, lost=0)
        with pytest.raises(SessionError, match="more than the 8 items"):
            session.act("outcome", label="timeout", placed=5, lost=4)
        for wrong in (-1, 1.5, True, "3"):
            with pytest.raises(SessionError, match="whole number"):
                session.act("outcome", label="timeout", placed=wrong)
        state = session.act("outcome", label="timeout")
        assert (state.placed, state.dropped, state.lost) == (2, 1, 6)


def test_undo_takes_back_steps_but_never_a_movement(tmp_path: Path) -> None:
    with new_session(tmp_path / "s") as session:
        first = session.state().trial
        run_trial(session, "fail")
        session.act("next")
        session.act("begin_scene")
        session.act("note", text="glare")
        assert session.act("undo").phase == "setup"
        assert session.act("undo").trial == first
        assert session.state().label == "fail"
        assert session.act("undo").phase == "scoring"
        assert "undo" not in session.state().actions
        with pytest.raises(SessionError, match="undo is not possible"):
            session.act("undo")
        assert session.act("outcome", label="success").label == "success"
        kinds = [entry.kind for entry in session.entries]
        assert kinds.count("undo") == 3
        assert kinds.count("outcome") == 2
        assert (
            session.progress.notes == ((session.entries[-1].data.get("trial", ""), "glare"),) or session.progress.notes
        )


@pytest.mark.parametrize("how", ["invalid", "system"])
def test_a_void_trial_runs_again_in_its_block(tmp_path: Path, how: str) -> None:
    with new_session(tmp_path / "s", schedule(scenes=2, policies=3)) as session:
        order = [trial.id for trial in session.schedule().trials]
        ready(session)
        session.act("start")
        session.act("stop", reason="operator", elapsed_s=5.0)
        if how == "invalid":
            with pytest.raises(SessionError, match="say why"):
                session.act("invalid")
            session.act("invalid", reason="somebody walked through")
        else:
            session.act("outcome", label="system")
        met = []
        while not session.state().finished:
            met.append(session.act("next").trial)
            run_trial(session, "fail")
        assert met == [order[1], order[2], f"{order[0]}-2", *order[3:]]
        assert session.state().number == session.state().total == 6
        blocks = [session.progress.rules.trials[name.partition("-")[0]].block for name in met]
        assert blocks == sorted(blocks)
        assert session.arm_for(f"{order[0]}-2") == session.arm_for(order[0])
        rows = [row for row in session.rows() if row.episode_id == session.rows()[0].episode_id]
        assert [(row.attempt, row.status) for row in rows] == [
            (1, "aborted" if how == "invalid" else "infra_error"),
            (2, "completed"),
        ]


def test_an_edit_is_a_line_of_its_own(tmp_path: Path) -> None:
    with new_session(tmp_path / "s") as session:
        trial = session.state().trial
        run_trial(session, "fail", elapsed_s=20.0)
        session.act("next")
        before = (tmp_path / "s" / "journal.jsonl").read_bytes()
        for bad, message in (
            ({"trial": trial, "changes": {"label": "success"}}, "needs reason"),
            ({"trial": trial, "changes": {"policy": "x"}, "reason": "r"}, "edit can change"),
            ({"trial": trial, "changes": {}, "reason": "r"}, "edit can change"),
            ({"trial": trial, "changes": {"label": "system"}, "reason": "r"}, "cannot make a trial void"),
            ({"trial": trial, "changes": {"label": "success", "time_s": 21.0}, "reason": "r"}, "after the end"),
            ({"trial": "000", "changes": {"label": "success"}, "reason": "r"}, "no outcome"),
        ):
            with pytest.raises(SessionError, match=message):
                session.act("edit", **bad)
        session.act("edit", trial=trial, changes={"label": "success", "time_s": 12.0}, reason="video: it stayed on")
        assert (tmp_path / "s" / "journal.jsonl").read_bytes().startswith(before)
        (row,) = session.rows()
        assert (row.outcome.success, row.outcome.success_time_s) == (True, 12.0)
        assert "edited" in {event.kind for event in row.outcome.events}
    with Session.open(tmp_path / "s") as again:
        assert again.rows() == [row]


def test_a_crash_while_running_is_an_interruption(tmp_path: Path) -> None:
    with new_session(tmp_path / "s") as session:
        ready(session)
        session.act("start")
        session.act("note", text="still alive")
    with Session.open(tmp_path / "s") as again:
        state = again.state()
        assert (state.phase, state.stop_reason, state.labels) == ("scoring", "interrupted", ("system",))
        assert state.elapsed_s == pytest.approx(1.0)
        again.act("outcome", label="system")
        assert not again.state().finished
    assert Session.read(tmp_path / "s").rows()[0].status == "infra_error"


def test_reading_never_writes(tmp_path: Path) -> None:
    new_session(tmp_path / "s").close()
    read = Session.read(tmp_path / "s")
    with pytest.raises(SessionError, match="opened to look at"):
        read.act("begin_scene")


def test_any_walk_equals_its_fold_and_keeps_the_balance(tmp_path: Path) -> None:
    """Random actions, most of them senseless: what is accepted folds to the same state, and the blocks stay whole."""
    for seed in range(6):
        rng, folder = random.Random(seed), tmp_path / str(seed)
        with new_session(folder, schedule(scenes=2, policies=2, items=2)) as session:
            for _ in range(400):
                # Mostly forward, so that walks get somewhere; undo and edit would otherwise hold them back.
                action = rng.choice([*session.state().actions[:2], *session.state().actions])
                data = {
                    "passed": rng.random() < 0.7,
                    "reason": rng.choice(["operator", "timeout", "infra_error"]),
                    "label": rng.choice(LABELS),
                    "elapsed_s": rng.uniform(0, 100),
                    "kind": rng.choice(["placed", "dropped", "lost"]),
                    "text": "t",
                    "trial": session.state().trial,
                    "changes": {"label": rng.choice(LABELS)},
                }
                try:
                    session.act(action, **data)
                except SessionError:
                    continue
                if session.state().finished:
                    break
            assert Session.read(folder).progress == session.progress
            counted = [a.trial for a in session.progress.attempts if a.counts]
            assert len(counted) == len(set(counted))
            pending = {trial for trial, _ in session.progress.queue}
            here = session.progress.current
            assert here is not None
            assert set(counted) | pending | {here.trial} == set(session.progress.rules.trials)


def test_nothing_public_tells_the_arms(tmp_path: Path) -> None:
    """Every file outside ``secret/`` and every state, before the reveal."""
    made = schedule()
    marked = [made.arms[0].__class__(f"LEAKLABEL{i}", f"leak.policy:P{i}", {"leakarg": f"v{i}"}) for i in range(2)]
    with new_session(tmp_path / "s", type(made).make(made.scenes, marked, 1, made.secret, "test")) as session:
        seen = []
        while True:
            ready(session)
            session.act("start")
            error = f"{session.arm_for().policy} at {session.arm_for().label} is silent"
            session.act(
                "stop", reason="policy_error", elapsed_s=3.0, error=error, latencies_ms=[12.5], fingerprint=error
            )
            seen.append(session.state().to_dict())
            session.act("outcome", label="fail")
            if session.state().finished:
                break
            session.act("next")
        seen += [row.to_dict() for row in session.rows()]
        text = json.dumps(seen)
        for path in sorted((tmp_path / "s").rglob("*")):
            if path.is_file() and "secret" not in path.parts:
                text += path.name + path.read_text()
        assert "leak" not in text.casefold()
        assert session.schedule().secret.hex() not in text
        assert all(row.error == "ended by policy_error" and row.status == "policy_error" for row in session.rows())
        secret = tmp_path / "s" / "secret"
        assert stat.S_IMODE(secret.stat().st_mode) == 0o700
        assert {stat.S_IMODE(path.stat().st_mode) for path in secret.iterdir()} == {0o600}
        assert len(list(secret.iterdir())) == 1 + len(made.trials)


@pytest.mark.parametrize("name", ["../x", "a/b", "000000000000", "{}-/../../x", "{}-", "{}/.."])
def test_only_trials_have_folders(tmp_path: Path, name: str) -> None:
    with new_session(tmp_path / "s") as session:
        assert session.trial_folder().name == session.state().trial
        with pytest.raises(SessionError, match="no trial"):
            session.trial_folder(name.format(session.state().trial))


def test_a_folder_in_use_or_damaged_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="is no session"):
        Session.open(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    with pytest.raises(SessionError, match="not empty"):
        new_session(tmp_path / "full")
    with new_session(tmp_path / "s"), pytest.raises(SessionError, match="another process"):
        Session.open(tmp_path / "s")
    public = tmp_path / "s" / "session.json"
    text = public.read_text()
    public.write_text(text.replace('"cap_s": 90.0', '"cap_s": 95.0'))
    with pytest.raises(TamperError, match="was changed after"):
        Session.read(tmp_path / "s")
    public.write_text(text)
    secret = tmp_path / "s" / "secret" / "schedule.json"
    os.chmod(secret, 0o600)
    secret.write_text(json.dumps(schedule(secret=bytes(32)).to_dict()))
    with pytest.raises(TamperError, match="not the schedule that was committed"):
        Session.read(tmp_path / "s").arm_for()


def test_two_stops_at_once_leave_one_and_its_measurements(tmp_path: Path) -> None:
    """The operator's key and the end of the policy may come together: one wins, the private file is the winner's."""
    with new_session(tmp_path / "s") as session:
        for _ in range(6):
            ready(session)
            session.act("start")
            barrier = threading.Barrier(4)

            def stop(number: int, barrier: threading.Barrier = barrier) -> None:
                barrier.wait()
                with contextlib.suppress(SessionError):
                    session.act("stop", reason="operator", elapsed_s=float(number), policy_calls=number)

            threads = [threading.Thread(target=stop, args=(number,)) for number in range(1, 5)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            current = session.progress.current
            assert current is not None
            assert current.stop is not None
            assert session.private(current) == {"policy_calls": int(current.stop["elapsed_s"])}
            session.act("outcome", label="fail")
            if not session.state().finished:
                session.act("next")
