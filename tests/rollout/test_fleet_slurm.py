"""The array script, run for real as the processes that Slurm would start."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from fleet_tools import PATIENCE_S

from proctor.record import read_history
from proctor.rollout.fleet import FleetError, SlurmOptions, slurm_script

WORDS = ["arena/static_obstacles/L0", "--policy", "point_world:GoPolicy", "--env", "point_world:PointEnv", "-n", "4"]


def element(script: Path, number: int, job: str = "77") -> subprocess.Popen:
    environment = {**os.environ, "SLURM_ARRAY_TASK_ID": str(number), "SLURM_ARRAY_JOB_ID": job}
    environment |= {"SLURM_CPUS_PER_TASK": "1"}
    return subprocess.Popen(
        ["bash", str(script)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


@pytest.mark.slow
def test_the_elements_find_each_other_and_a_late_one_knows_that_it_is_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PROCTOR_TOKEN", raising=False)
    words = [*WORDS, "--env-arg", "step_s=0.02", "--out", "runs x/r"]
    command = [sys.executable, "-m", "proctor", "slurm", "job.sh", "--elements", "2", "--cpus", "1", "--", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 2
    assert "path with spaces" in done.stderr
    done = subprocess.run([*command[:-1], "runs/r"], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    script = tmp_path / "job.sh"
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0
    agent, leader = element(script, 1), element(script, 0)
    said, _ = leader.communicate(timeout=PATIENCE_S)
    assert leader.returncode == 0, said
    heard, _ = agent.communicate(timeout=PATIENCE_S)
    assert agent.returncode == 0, heard
    history = read_history("runs/r")
    assert len(history) == len({row.episode_id for row in history}) == 20
    late = element(script, 1)
    assert (late.communicate(timeout=PATIENCE_S)[0], late.returncode) == ("", 0)


def test_the_header_is_what_slurm_reads(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = slurm_script([*WORDS, "-o", "runs/r"], SlurmOptions(8, 16, "1-02:00:00", "gpu", "lab-7"), Path("job.sh"))
    lines = text.splitlines()
    assert lines[0] == "#!/bin/bash"
    directives = dict(
        line.removeprefix("#SBATCH --").partition("=")[::2] for line in lines if line.startswith("#SBATCH")
    )
    assert directives == {
        "job-name": "proctor-r",
        "array": "0-7",
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


def test_arguments_reach_the_run_as_they_were_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    nasty = ["--policy-arg", 'text=it\'s $HOME `x` "q"; rm -rf *', "--out", "runs/r"]
    text = slurm_script([*WORDS, *nasty], SlurmOptions(), Path("job.sh"))
    line = next(line for line in text.splitlines() if " -m proctor run " in line)
    words = shlex.split(line.partition(" --listen ")[0])
    assert words[words.index("run") + 1 :] == [*WORDS, *nasty]


@pytest.mark.parametrize(
    ("words", "options", "says"),
    [
        (WORDS, SlurmOptions(), "name the run folder with --out"),
        ([*WORDS, "--out", "r", "--workers", "3"], SlurmOptions(), "leave out --workers"),
        ([*WORDS, "--out", "r", "--listen=tcp://*:1"], SlurmOptions(), "leave out --listen"),
        ([*WORDS, "--out", "r"], SlurmOptions(elements=0), "--elements and --cpus"),
        ([*WORDS, "--out", "r"], SlurmOptions(time="soon"), "--time 'soon'"),
        ([*WORDS, "--out", "r"], SlurmOptions(partition="a b"), "'a b' is no name"),
    ],
)
def test_mistakes_are_one_line(words, options, says):
    with pytest.raises(FleetError, match=re.escape(says)):
        slurm_script(words, options, Path("job.sh"))
