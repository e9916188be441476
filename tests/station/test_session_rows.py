"""After the reveal: rows that the report and the comparison read unchanged, verification, second rater."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from session_helpers import new_session, play, ready, run_trial, schedule
from typer.testing import CliRunner

from proctor.analysis.stats import EpisodeRow, operations
from proctor.cli import app
from proctor.results import read_episodes, read_history
from proctor.results.importers import trials_of
from proctor.station.session import (
    Journal,
    Session,
    SessionError,
    TamperError,
    rate,
    rater_agreement,
    reveal,
    to_rate,
    verify,
    write_rows,
)

run = CliRunner()
RATES = {"p0": 0.9, "p1": 0.2, "h0": 1.0}


def _played(folder: Path, **options: int) -> Session:
    session = new_session(folder, schedule(**{"scenes": 5, "repeats": 2, "humans": 1, **options}))
    play(session, RATES, void=(2, 7))
    return session


def test_report_and_compare_work_on_the_revealed_session(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    with _played(folder) as session:
        assert {row.policy.name for row in session.rows()} == {"blinded"}
        folders = reveal(session)
    assert [path.relative_to(folder).as_posix() for path in folders] == ["run/p0", "run/p1", "reference/h0"]
    runs = sorted(str(path) for path in folder.glob("run/*"))
    done = run.invoke(app, ["compare", *runs, "--json", "--resamples", "200"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert "p0" in json.dumps(found)
    assert "h0" not in json.dumps(found)
    done = run.invoke(app, ["compare", *runs, "--resamples", "200"], catch_exceptions=False)
    assert "p0 is better than p1" in done.output
    assert "compared in 10 pairs" in done.output
    page = run.invoke(app, ["report", *runs, "--out", str(tmp_path / "report")], catch_exceptions=False)
    assert page.exit_code == 0, page.output
    assert "p0" in (tmp_path / "report" / "index.html").read_text()


def test_rows_say_what_the_journal_says(tmp_path: Path) -> None:
    with _played(tmp_path / "s") as session:
        before = session.rows()
        reveal(session)
        after = session.rows()
        schedule_ = session.schedule()
        attempts = [attempt for attempt in session.progress.attempts if attempt.stop]
    # Nothing that was started is missing, zero-success episodes least of all; ids do not depend on the reveal.
    assert len(after) == len(attempts) == 5 * 2 * 3 + 2
    assert [row.episode_id for row in after] == [row.episode_id for row in before]
    for row, attempt in zip(after, attempts, strict=True):
        assert row.policy.name == schedule_.arm(attempt.trial).label
        assert row.policy.privileged == (row.policy.name == "h0") == (schedule_.arm(attempt.trial).kind == "human")
        assert (row.spec.suite, row.spec.seed, row.outcome.sim_time_s) == (
            "replica",
            0,
            attempt.stop and attempt.stop["elapsed_s"],
        )
        if row.status == "completed":
            assert row.outcome.success == (attempt.outcome is not None and attempt.outcome["label"] == "success")
        else:
            assert row.outcome.success is None
    for name in ("p0", "p1"):
        rows = read_episodes(tmp_path / "s" / "run" / name)
        assert len(rows) == 10
        assert {row.status for row in rows} == {"completed"}
    pairs = [{row.pair_id for row in read_episodes(tmp_path / "s" / "run" / name)} for name in ("p0", "p1")]
    assert pairs[0] == pairs[1]
    assert len(pairs[0]) == 10


def test_zero_success_episodes_are_never_dropped(tmp_path: Path) -> None:
    """PhAIL once lost 28 of them; a policy that never succeeds has as many rows as any other, all the way through."""
    with new_session(tmp_path / "s", schedule(scenes=4, items=3)) as session:
        while True:
            ready(session)
            session.act("start")
            good = session.arm_for().label == "p0"
            session.act("stop", reason="timeout", elapsed_s=90.0)
            session.act("outcome", label="success" if good else "timeout")
            if session.state().finished:
                break
            session.act("next")
        reveal(session)
    rows = read_episodes(tmp_path / "s" / "run" / "p1")
    assert [row.outcome.success for row in rows] == [False] * 4
    trials = trials_of(rows, "p1").rows
    assert len(trials) == 4
    for trial in trials:
        found = operations([EpisodeRow(**trial)])
        assert (found.times.tolist(), found.events.tolist()) == ([90.0], [False])


def test_operations_of_several_items_keep_their_times(tmp_path: Path) -> None:
    with new_session(tmp_path / "s", schedule(scenes=1, policies=1, repeats=3, items=3)) as session:
        ready(session)
        session.act("start")
        for kind, time_s in (("placed", 10.0), ("dropped", 15.0), ("placed", 25.0), ("lost", 40.0)):
            session.act("item", kind=kind, time_s=time_s)
        session.act("stop", reason="operator", elapsed_s=50.0)
        session.act("outcome", label="fail")
        session.act("next")
        ready(session)
        session.act("start")
        session.act("item", kind="placed", time_s=12.0)
        session.act("safety_stop", elapsed_s=30.0)
        session.act("outcome", label="safety")
        session.act("next")
        run_trial(session, "success", elapsed_s=60.0)
        first, second, third = (EpisodeRow(**row) for row in trials_of(session.rows(), "x").rows)
    assert (first.success_times_s, first.lost_times_s, first.ended, first.n_items) == ((10.0, 25.0), (40.0,), "done", 3)
    assert (second.success_times_s, second.ended) == ((12.0,), "safety")
    found = operations([second])
    assert (found.times[-1], found.events[-1]) == (float("inf"), True)
    # Nobody marked when the items were placed: they count at the end, and the row says that it does not know.
    assert third.success_times_s == (60.0,) * 3
    assert sum(event.name == "untimed" for event in session.rows()[-1].outcome.events) == 3


def test_private_measurements_reach_the_rows_after_the_reveal(tmp_path: Path) -> None:
    with new_session(tmp_path / "s", schedule(scenes=1)) as session:
        for number in range(2):
            ready(session)
            session.act("start")
            session.act(
                "stop", reason="policy_error", elapsed_s=2.0, error=f"server {number} is silent", policy_calls=7
            )
            session.act("outcome", label="fail")
            if number == 0:
                session.act("next")
        reveal(session)
        assert [row.error for row in session.rows()] == ["server 0 is silent", "server 1 is silent"]
        assert [row.timing.policy_calls for row in session.rows()] == [7, 7]
        assert {row.status for row in session.rows()} == {"policy_error"}


def test_a_reveal_comes_after_the_last_trial(tmp_path: Path) -> None:
    with new_session(tmp_path / "s") as session:
        run_trial(session, "fail")
        with pytest.raises(SessionError, match="5 trials are still to come"):
            reveal(session)
        reveal(session, abandon="the arm is broken")
        assert "begin_scene" not in session.state().actions
        with pytest.raises(SessionError, match="not possible"):
            session.act("next")
    assert "abandoned with 5 trials" in verify(tmp_path / "s")


def test_edits_after_the_reveal_are_added_to_the_rows(tmp_path: Path) -> None:
    with _played(tmp_path / "s") as session:
        reveal(session)
        assert write_rows(session)
        target = next(
            a for a in session.progress.attempts if a.counts and a.outcome and a.outcome["label"] == "timeout"
        )
        arm = session.arm_for(target.trial).label
        history = read_history(tmp_path / "s" / "run" / arm)
        session.act("edit", trial=target.id, changes={"label": "success", "time_s": 80.0}, reason="seen in the video")
        with pytest.raises(TamperError, match="'proctor station reveal' writes it again"):
            verify(tmp_path / "s")
        write_rows(session)
        write_rows(session)
    after = read_history(tmp_path / "s" / "run" / arm)
    assert after[: len(history)] == history
    assert len(after) == len(history) + 1
    assert after[-1].outcome.success_time_s == 80.0
    assert "verified" in verify(tmp_path / "s")


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_verify_finds_what_was_changed(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    with _played(folder) as session:
        assert "not revealed yet" in verify(folder)
        head = session.head
        rate(session, "anna", to_rate(session, "anna")[0].trial, "fail")
        reveal(session)
    assert "verified" in verify(folder, head=head[:20])
    with pytest.raises(TamperError, match="rewritten since you noted"):
        verify(folder, head="0" * 20)
    for path, old, new, message in (
        (
            folder / "journal.jsonl",
            '"label":"timeout"',
            '"label":"success"',
            r"journal\.jsonl:\d+: the line was changed",
        ),
        (folder / "session.json", "place/ID/1", "place/ID/9", "was changed after"),
        (folder / "run" / "p1" / "episodes.jsonl", '"success":false', '"success":true', "not what the journal says"),
        (folder / "ratings" / "anna.jsonl", '"label":"fail"', '"label":"safe"', r"anna\.jsonl:2: the line was changed"),
        (next((folder / "secret").glob("????????????.json")), "secret server", "public server", "another hash of it"),
    ):
        whole = path.read_text()
        _replace(path, old, new)
        with pytest.raises(TamperError, match=message):
            verify(folder)
        path.write_text(whole)
    assert "order as committed, every block balanced" in verify(folder)


def test_a_reveal_of_another_schedule_is_found(tmp_path: Path) -> None:
    """The one fraud that the chain cannot see: revealing arms that suit the results, with a journal that is whole."""
    folder = tmp_path / "s"
    with _played(folder) as session:
        other = schedule(scenes=5, repeats=2, humans=1, secret=bytes(32))
        session.record("reveal", {"schedule": other.to_dict(), "abandoned": "", "left": 0})
    with pytest.raises(TamperError, match="not the one that was committed"):
        verify(folder)


def test_a_journal_that_is_sealed_but_impossible_is_found(tmp_path: Path) -> None:
    """Somebody who can seal lines can write a new journal, but only of a session that could have happened."""
    folder = tmp_path / "s"
    new_session(folder).close()
    with Journal(folder / "journal.jsonl") as journal:
        journal.append("start", {})
    with pytest.raises(TamperError, match=r"journal\.jsonl:2: this cannot have happened: start is not possible"):
        verify(folder)


def test_the_second_rater_sees_no_verdict_and_agreement_is_that_of_the_statistics(tmp_path: Path) -> None:
    with _played(tmp_path / "s") as session:
        for attempt in session.progress.attempts:
            (session.trial_folder(attempt.id) / "top.mp4").touch()
            (session.trial_folder(attempt.id) / "arm.mp4").touch()
        left = to_rate(session, "anna")
        assert len(left) == 30
        assert left != to_rate(session, "bert")
        assert {entry.trial for entry in left} == {entry.trial for entry in to_rate(session, "bert")}
        order = [attempt.id for attempt in session.progress.attempts if attempt.counts]
        assert [entry.trial for entry in left] != order
        assert left[0].videos[0] == f"trials/{left[0].trial}/top.mp4"
        assert "timeout" not in str(left)
        truth = {a.id: str(a.outcome["label"]) for a in session.progress.attempts if a.counts and a.outcome}
        for i, entry in enumerate(left):
            rate(session, "anna", entry.trial, "fail" if i < 3 else truth[entry.trial])
        rate(session, "anna", left[2].trial, truth[left[2].trial])
        found = rater_agreement(session, "anna")
        assert (found.n, found.left) == (30, 0)
        assert found.agreement == pytest.approx(28 / 30)
        assert {trial for trial, _, _ in found.differ} == {left[0].trial, left[1].trial}
        flips = sum(truth[entry.trial] == "success" for entry in left[:2])
        assert found.success_agreement == pytest.approx(1 - flips / 30)
        assert found.kappa <= found.ac1 <= 1
        for bad, message in (
            (("anna", "x", "fail"), "no outcome"),
            (("anna", left[0].trial, "system"), "a rater judges"),
        ):
            with pytest.raises(SessionError, match=message):
                rate(session, *bad)
        with pytest.raises(SessionError, match="has letters"):
            to_rate(session, "../x")
        with pytest.raises(SessionError, match="rated nothing"):
            rater_agreement(session, "carl")


def test_the_operator_is_no_second_rater(tmp_path: Path) -> None:
    with (
        new_session(tmp_path / "s", station={"operator": "Anna"}) as session,
        pytest.raises(SessionError, match="somebody else"),
    ):
        to_rate(session, "anna")


def test_station_numbers_are_those_at_the_start_of_the_trial(tmp_path: Path) -> None:
    station = {"name": "station-1", "calibration": "abc", "unit": "true_degrees", "cameras": {"top": {"error_px": 0.4}}}
    with new_session(tmp_path / "s", station=station) as session:
        run_trial(session, "fail")
        session.act("station", calibration="def")
        session.act("next")
        run_trial(session, "fail")
        assert [row.provenance.robot for row in session.rows()] == ["true_degrees:abc", "true_degrees:def"]
        assert {row.provenance.host for row in session.rows()} == {"station-1"}
        assert session.public["station"]["versions"]["proctor"]
        assert session.public["station"]["cameras"] == station["cameras"]
