"""Parts of a plan that were run apart are, merged, the run that was not parted; what does not belong is refused."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episode_rows import changed
from proctor.core import ProctorError, Shard
from proctor.results import RunFolder, StoreError, read_episodes, read_history, read_run, read_steps
from proctor.run.cluster import MergeError, SlurmError, SlurmOptions, merge, slurm_script
from proctor.run.engine import EpisodeOptions, RunOptions, execute

OPTIONS = RunOptions(env="point_world:PointEnv", episode=EpisodeOptions(record_steps=True))
WORDS = ["arena/static_obstacles/L0", "--policy", "point_world:GoPolicy", "--env", "point_world:PointEnv", "-n", "4"]


def part(plan, out: Path, number: int, parts: int, options: RunOptions = OPTIONS) -> None:
    execute(plan, out, replace(options, shard=Shard(number, parts)))


def results(folder: Path) -> dict[str, dict]:
    """Return each episode's row but for its circumstances; there must be one row for each."""
    history = read_history(folder)
    rows = {row.episode_id: row.result() for row in history}
    assert len(rows) == len(history)
    return rows


@given(st.integers(0, 200), st.integers(1, 40))
def test_shards_part_any_list(length, parts):
    ranges = [Shard(number, parts).of(length) for number in range(1, parts + 1)]
    assert sorted(index for indices in ranges for index in indices) == list(range(length))
    assert max(map(len, ranges)) - min(map(len, ranges)) <= 1
    assert len({Shard(number, parts).folder for number in range(1, parts + 1)}) == parts


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2", "", "1/2/3", "¹/2"])
def test_a_shard_that_is_none_is_refused(text):
    with pytest.raises(ProctorError, match="must be I/N with I from 1 to N"):
        Shard.parse(text)


def test_merged_parts_equal_one_run_and_a_second_merge_adds_what_has_come_since(make_plan, tmp_path):
    plan = make_plan(4)
    execute(plan, tmp_path / "whole", OPTIONS)
    for number in (1, 3):
        part(plan, tmp_path / "r", number, 3)
    first = merge([tmp_path / "r"], only_if_whole=True)
    assert (first.written, first.recorded) == (False, 8)
    with pytest.raises(StoreError, match="holds parts of a run: gather them with 'proctor merge"):
        read_episodes(tmp_path / "r")
    first = merge([tmp_path / "r"])
    assert (first.added, first.planned, first.whole) == (8, 12, False)
    assert first.missing == tuple(f"{spec.task} episode {spec.episode}" for spec in plan[1::3][:3])
    part(plan, tmp_path / "r", 2, 3)
    second = merge([tmp_path / "r"], only_if_whole=True)
    assert (second.added, second.duplicates, second.whole) == (4, 8, True)
    assert results(tmp_path / "r") == results(tmp_path / "whole")
    for row in read_episodes(tmp_path / "r"):
        ours, theirs = (read_steps(tmp_path / name / row.files.steps) for name in ("r", "whole"))
        assert (ours == theirs).all()
    # The merged folder is a run: the command without --shard finds everything done.
    again = execute(plan, tmp_path / "r", OPTIONS)
    assert (again.ran, again.skipped) == (0, 12)
    assert not list((tmp_path / "r").rglob("*.part*"))


def test_folders_of_several_disks_may_overlap_and_completed_beats_an_error(make_plan, tmp_path):
    plan = make_plan(2)
    execute(plan, tmp_path / "whole", OPTIONS)
    failing = replace(OPTIONS, env_args={"fail_episode": 1})
    execute(plan, tmp_path / "a", failing)
    part(plan, tmp_path / "b", 1, 2)
    part(plan, tmp_path / "b", 2, 2)
    gathered = merge([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    assert gathered.duplicates == 6
    assert results(tmp_path / "c") == results(tmp_path / "whole")
    with pytest.raises(MergeError, match="name the one that they are merged into with --out"):
        merge([tmp_path / "a", tmp_path / "b"])


def test_what_does_not_belong_together_is_refused_with_what_differs(make_plan, tmp_path):
    plan = make_plan(2)
    part(plan, tmp_path / "r", 1, 2)
    edited = replace(plan, tasks=(replace(plan.tasks[0], task_hash="other"), *plan.tasks[1:]))
    strangers = {
        "--seed was 7 and is now 8": (make_plan(2, seed=8), OPTIONS),
        "--policy-arg was": (make_plan(2, policy_args={"speed": 0.5}), OPTIONS),
        "has changed since (hash was hash0, is now other)": (edited, OPTIONS),
        "neither contains the other": (replace(make_plan(9, tasks=1)), OPTIONS),
        "assets was '1' and is now '2'": (plan, replace(OPTIONS, env_args={"version": "2"})),
    }
    for number, (says, (other, options)) in enumerate(strangers.items()):
        folder = tmp_path / str(number)
        part(other, folder, 2, 2, options)
        with pytest.raises(MergeError, match=re.escape(says)) as caught:
            merge([tmp_path / "r", folder], tmp_path / "out")
        assert "\n" not in str(caught.value)
    part(plan, tmp_path / "old", 2, 2)
    (file,) = (tmp_path / "old").rglob("run.json")
    file.write_text(json.dumps({**read_run(file.parent), "proctor": "0.0.1"}))
    with pytest.raises(MergeError, match="proctor version was"):
        merge([tmp_path / "r", tmp_path / "old"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_two_results_of_one_episode_are_named(make_plan, tmp_path):
    plan = make_plan(2)
    execute(plan, tmp_path / "a", OPTIONS)
    execute(plan, tmp_path / "b", OPTIONS)
    row = read_episodes(tmp_path / "b")[2]
    with RunFolder(tmp_path / "b") as folder:
        folder.append(changed(row, success=not row.outcome.success, host="elsewhere"))
    says = rf"\(1\): {row.spec.task} episode {row.spec.episode} \({row.episode_id}\) .* outcome.success:"
    with pytest.raises(MergeError, match=says):
        merge([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    assert not (tmp_path / "c").exists()


def element(script: Path, number: int) -> subprocess.Popen:
    """Start what Slurm would start as element ``number``."""
    environment = {**os.environ, "SLURM_ARRAY_TASK_ID": str(number), "SLURM_CPUS_PER_TASK": "1"}
    return subprocess.Popen(
        ["bash", str(script)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def test_the_elements_of_a_job_array_write_at_once_and_the_last_makes_one_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = [*WORDS, "--env-arg", "step_s=0.002", "--policy-arg", "speed=0.9", "--out", "runs/r"]
    proctor = [sys.executable, "-m", "proctor"]
    done = subprocess.run(
        [*proctor, "slurm", "job.sh", "--elements", "3", "--", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for process in [element(tmp_path / "job.sh", number) for number in (1, 2, 3)]:
        said, _ = process.communicate(timeout=120)
        assert process.returncode == 0, said
    subprocess.run([*proctor, "run", *words, "--out", "runs/one"], check=True, stdout=subprocess.DEVNULL)
    assert results(Path("runs/r")) == results(Path("runs/one"))
    assert len(results(Path("runs/r"))) == 20


def test_the_header_is_what_slurm_reads_and_arguments_arrive_as_they_were_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    nasty = ["--policy-arg", 'text=it\'s $HOME `x` "q"; rm -rf *', "-o", "runs/r"]
    options = SlurmOptions(8, 16, "1-02:00:00", "gpu", "lab-7")
    lines = slurm_script([*WORDS, *nasty], options, Path("job.sh")).splitlines()
    assert lines[0] == "#!/bin/bash"
    directives = dict(
        line.removeprefix("#SBATCH --").partition("=")[::2] for line in lines if line.startswith("#SBATCH")
    )
    assert directives == {
        "job-name": "proctor-r",
        "array": "1-8",
        "cpus-per-task": "16",
        "time": "1-02:00:00",
        "output": f"{tmp_path}/runs/r.slurm-%A-%a.log",
        "requeue": "",
        "partition": "gpu",
        "account": "lab-7",
    }
    # Slurm stops reading at the first command.
    first = next(i for i, line in enumerate(lines) if line and not line.startswith("#"))
    assert all(not line.startswith("#SBATCH") for line in lines[first:])
    line = next(line for line in lines if " -m proctor run " in line)
    words = shlex.split(line.partition(" --shard ")[0])
    assert words[words.index("run") + 1 :] == [*WORDS, *nasty]


@pytest.mark.parametrize(
    ("words", "options", "says"),
    [
        (WORDS, SlurmOptions(), "name the run folder with --out"),
        ([*WORDS, "--out", "r", "--workers", "3"], SlurmOptions(), "leave out --workers"),
        ([*WORDS, "--out", "r", "--shard=1/2"], SlurmOptions(), "leave out --shard"),
        ([*WORDS, "--out", "a b"], SlurmOptions(), "a path with spaces"),
        ([*WORDS, "--out", "r"], SlurmOptions(elements=0), "--elements and --cpus"),
        ([*WORDS, "--out", "r"], SlurmOptions(time="soon"), "--time 'soon'"),
        ([*WORDS, "--out", "r"], SlurmOptions(partition="a b"), "'a b' is no name"),
    ],
)
def test_mistakes_are_one_line(words, options, says):
    with pytest.raises(SlurmError, match=re.escape(says)):
        slurm_script(words, options, Path("job.sh"))
