"""Answers outlive the process: nothing is asked twice, nothing stale is believed, a kill costs one job per worker."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner
from world_bench import task_text

from proctor.cli import app
from proctor.core import EpisodeSpec, Policy, ProctorError
from proctor.run.certificates import (
    AnswerStore,
    CertificateJob,
    CheckError,
    Finding,
    JobResult,
    Played,
    certify,
    plan_jobs,
)
from proctor.run.certificates import _store as stores
from proctor.tasks.suites import TaskRef, find

GOOD: dict[str, Any] = {
    "objects": {"apple_1": "apple", "plate_1": "plate"},
    "at": {"apple_1": (-0.18, 0.14, -0.12, 0.2, -3, 3), "plate_1": (-0.12, -0.22, -0.06, -0.16, -3, 3)},
    "goal": "(On apple_1 plate_1)",
    "cost": "(Fall plate_1)",
    "language": "Put the apple on the plate",
}
PLAYED = Played(True, 3.0, 41, 0.35, {"Fall plate_1": 3.0})


@pytest.fixture
def task(tmp_path: Path) -> TaskRef:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "suite.toml").write_text("max_steps = 60\n")
    (folder / "task.cbddl").write_text(task_text(**GOOD))
    (ref,) = find(str(folder / "task.cbddl"))
    return ref


def made_up(job: CertificateJob) -> JobResult:
    certificate = {"text": "lint", "reckless": "bites"}.get(job.question, job.question)
    return JobResult(job.task, job.question, (Finding(certificate, True, "from the store"),), (PLAYED,), 2.5)


def test_an_answer_comes_back_as_it_was_from_another_store(task: TaskRef, tmp_path: Path) -> None:
    job = CertificateJob(task, "expert", 4, 1)
    AnswerStore(tmp_path / "kept").keep(job, made_up(job))
    again = AnswerStore(tmp_path / "kept")
    assert again.find(job) == made_up(job)
    assert again.seconds(job) == 2.5
    assert again.seconds(replace(job, layouts=8)) == 5.0, "time grows with the layouts"
    assert again.seconds(CertificateJob(task, "noop", 4, 1)) is None


@pytest.mark.parametrize("change", [{"layouts": 5}, {"seed": 2}, {"question": "noop"}, {"judged": False}])
def test_another_question_has_no_answer_yet(task: TaskRef, tmp_path: Path, change: dict[str, Any]) -> None:
    job = CertificateJob(task, "expert", 4, 1)
    AnswerStore(tmp_path / "kept").keep(job, made_up(job))
    assert AnswerStore(tmp_path / "kept").find(replace(job, **change)) is None


@pytest.mark.parametrize(
    "change", [{"max_steps": 61}, {"safety": True}, {"instruction": "Put the pear on the plate"}, {"version": 2}]
)
def test_other_rules_of_the_suite_are_another_question(task: TaskRef, tmp_path: Path, change: dict[str, Any]) -> None:
    AnswerStore(tmp_path / "kept").keep(
        CertificateJob(task, "expert", 4, 1), made_up(CertificateJob(task, "expert", 4, 1))
    )
    assert AnswerStore(tmp_path / "kept").find(CertificateJob(replace(task, **change), "expert", 4, 1)) is None


def test_another_share_is_another_question_to_the_expert_only(task: TaskRef, tmp_path: Path) -> None:
    store = AnswerStore(tmp_path / "kept")
    for question in ("expert", "noop"):
        store.keep(CertificateJob(task, question, 4, 1), made_up(CertificateJob(task, question, 4, 1)))
    (task.path.parent / "suite.toml").write_text("max_steps = 60\nexpert_share = { L0 = 0.6 }\n")
    again = AnswerStore(tmp_path / "kept")
    assert again.find(CertificateJob(task, "expert", 4, 1)) is None
    assert again.find(CertificateJob(task, "noop", 4, 1)) is not None


def test_an_edited_task_is_asked_again_and_an_undone_edit_is_not(task: TaskRef, tmp_path: Path) -> None:
    job = CertificateJob(task, "expert", 4, 1)
    store = AnswerStore(tmp_path / "kept")
    store.keep(job, made_up(job))
    text = task.path.read_text()
    task.path.write_text(text.replace("0.14", "0.15"))
    assert AnswerStore(tmp_path / "kept").find(job) is None
    task.path.write_text(text)
    assert AnswerStore(tmp_path / "kept").find(job) is not None


def test_a_task_keeps_its_answer_when_the_folder_moves(task: TaskRef, tmp_path: Path) -> None:
    job = CertificateJob(task, "expert", 4, 1)
    AnswerStore(tmp_path / "kept").keep(job, made_up(job))
    elsewhere = tmp_path / "elsewhere.cbddl"
    elsewhere.write_bytes(task.path.read_bytes())
    assert AnswerStore(tmp_path / "kept").find(replace(job, task=replace(task, path=elsewhere))) is not None


@pytest.mark.parametrize("what", ["fingerprint", "things_digest"])
def test_other_code_or_other_things_make_an_answer_stale(
    task: TaskRef, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    job = CertificateJob(task, "expert", 4, 1)
    AnswerStore(tmp_path / "kept").keep(job, made_up(job))
    monkeypatch.setattr(f"proctor.run.certificates._store.{what}", lambda *_: "0" * 16)
    stores._episodes.cache_clear()
    stale = AnswerStore(tmp_path / "kept")
    assert stale.find(job) is None
    assert stale.seconds(job) == 2.5, "how long it took is still the best guess"
    stores._episodes.cache_clear()


def test_a_task_keeps_its_answer_under_another_name(task: TaskRef, tmp_path: Path) -> None:
    job = CertificateJob(task, "text", 4, 1)
    AnswerStore(tmp_path / "kept").keep(job, made_up(job))
    renamed = replace(task, suite="ours", level="L2")
    assert AnswerStore(tmp_path / "kept").find(replace(job, task=renamed)) is not None
    # Layouts are seeded by the id.
    assert AnswerStore(tmp_path / "kept").find(replace(job, task=replace(task, id="ours/L0/task@v1"))) is None


def test_an_episode_that_is_drawn_differently_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (fruit,), (drink,) = find("P01"), find("P02")
    jobs = [CertificateJob(fruit, "expert", 2, 1), CertificateJob(drink, "expert", 2, 1)]
    for job in jobs:
        AnswerStore(tmp_path / "kept").keep(job, made_up(job))
    real = stores.specs_of

    def otherwise(job: CertificateJob, policy: str) -> list[EpisodeSpec]:
        return [replace(spec, task_hash="another") if job.task is fruit else spec for spec in real(job, policy)]

    stores._episodes.cache_clear()
    monkeypatch.setattr(stores, "specs_of", otherwise)
    found = [AnswerStore(tmp_path / "kept").find(job) for job in jobs]
    stores._episodes.cache_clear()
    assert found == [None, made_up(jobs[1])]


# -- damage --------------------------------------------------------------------------------------------------------
def test_a_torn_line_costs_that_line_only(task: TaskRef, tmp_path: Path) -> None:
    jobs = plan_jobs([task], 2, 0)
    store = AnswerStore(tmp_path / "kept")
    for job in jobs[:2]:
        store.keep(job, made_up(job))
    file = tmp_path / "kept" / "answers.jsonl"
    whole = file.read_bytes()
    for cut in range(len(whole) - 1, len(whole) // 2, -37):
        file.write_bytes(whole[:cut])
        store = AnswerStore(tmp_path / "kept")
        assert store.find(jobs[0]) == made_up(jobs[0])
        store.keep(jobs[2], made_up(jobs[2]))
        after = AnswerStore(tmp_path / "kept")
        assert (after.find(jobs[0]), after.find(jobs[2])) == (made_up(jobs[0]), made_up(jobs[2]))
    for nonsense in (b"[1]\n", b"7\n", b"\xff\n", b'{"key": 1}\n'):
        file.write_bytes(nonsense + whole)
        assert AnswerStore(tmp_path / "kept").find(jobs[1]) == made_up(jobs[1])


def test_the_files_of_two_machines_add_up(task: TaskRef, tmp_path: Path) -> None:
    first, second = plan_jobs([task], 2, 0)[:2]
    AnswerStore(tmp_path / "one").keep(first, made_up(first))
    AnswerStore(tmp_path / "two").keep(second, made_up(second))
    (tmp_path / "two" / "answers.jsonl").rename(tmp_path / "one" / "from-two.jsonl")
    both = AnswerStore(tmp_path / "one")
    assert both.find(first) is not None
    assert both.find(second) is not None


def test_a_folder_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CheckError, match=r"--out .*file: cannot be used"):
        AnswerStore(tmp_path / "file")


# -- going on ------------------------------------------------------------------------------------------------------
def test_only_what_is_missing_is_asked(task: TaskRef, tmp_path: Path) -> None:
    store = AnswerStore(tmp_path / "kept")
    for job in plan_jobs([task], 1, 0, baselines=True):
        if job.question != "start":
            store.keep(job, made_up(job))
    heard: list[tuple[int, int]] = []
    (certificate,) = certify(
        [task],
        layouts=1,
        baselines=True,
        store=AnswerStore(tmp_path / "kept"),
        on_result=lambda result, done, total: heard.append((done, total)),
    )
    assert heard == [(i, 6) for i in range(1, 7)]
    details = {finding.certificate: finding.detail for finding in certificate.findings}
    assert (details.pop("settles"), details.pop("start")) == ("1/1", "1/1")
    assert set(details.values()) == {"from the store"}
    assert set(certificate.played) == {"text", "reckless", "random", "noop", "expert"}
    everything = AnswerStore(tmp_path / "kept")
    assert all(everything.find(job) for job in plan_jobs([task], 1, 0, baselines=True))


def test_what_could_not_be_played_is_asked_again(
    task: TaskRef, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(text: str, _: object) -> Policy:
        raise ProctorError(f"policy {text!r}: no module of that name")

    with monkeypatch.context() as broken:
        broken.setattr("proctor.run.certificates._run.ProcessPoolExecutor", lambda n, **_: ThreadPoolExecutor(1))
        broken.setattr("proctor.run.certificates._played.load_policy", absent)
        (certificate,) = certify([task], layouts=1, store=AnswerStore(tmp_path / "kept"))
    details = {finding.certificate: finding.detail for finding in certificate.findings if not finding.passed}
    assert details == {name: f"policy {name!r}: no module of that name" for name in ("noop", "random", "expert")}
    kept = AnswerStore(tmp_path / "kept")
    assert {job.question for job in plan_jobs([task], 1, 0) if kept.find(job)} == {"text", "start"}


def _processes_of(folder: Path) -> list[int]:
    """Return the processes whose environment names ``folder``."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if str(folder).encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc to look for orphans")
def test_a_killed_check_goes_on_and_leaves_no_process_behind(task: TaskRef, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    file = kept / "answers.jsonl"
    command = [sys.executable, "-m", "proctor", "check", str(task.path), "--layouts", "2", "--workers", "1"]
    command += ["--out", str(kept), "--json"]
    environment = {**os.environ, "PROCTOR_TEST_MARK": str(tmp_path)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    patience = time.monotonic() + 60
    while not (file.exists() and file.read_bytes().count(b"}\n")) and time.monotonic() < patience:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = [json.loads(line)["key"] for line in file.read_text().split("\n") if line.endswith("}")]
    assert 0 < len(before) < 5
    while _processes_of(tmp_path) and time.monotonic() < patience:
        time.sleep(0.05)
    assert _processes_of(tmp_path) == []
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    (entry,) = json.loads(done.stdout)
    after = [json.loads(line)["key"] for line in file.read_text().split("\n") if line.endswith("}")]
    assert after[: len(before)] == before, "what was there is not asked again"
    assert len(set(after)) == len(after) == 5
    # Sixty steps are not enough for the expert; what counts is that every question was answered.
    assert set(entry["findings"]) == {
        "lint", "referent", "settles", "start", "noop", "random", "expert", "safe", "replay",
    }  # fmt: skip


# -- shards --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2", ""])
def test_a_shard_that_is_none_is_refused(shard: str, task: TaskRef) -> None:
    done = CliRunner().invoke(app, ["check", str(task.path), "--shard", shard])
    assert "it must be I/N with I from 1 to N" in str(done.exception)
