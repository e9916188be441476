"""An experiment as a TOML file is the same experiment as on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_cli_run import here, mistake, proctor  # noqa: F401 (fixture)

from proctor.results import read_episodes, read_run

EXAM = """
policy = "point_world:GoPolicy"
tasks = "kitchen"
episodes = 2
levels = ["L0"]
env = "point_world:PointEnv"
vision = "V0"
out = "from-file"

[env_args]
version = "7"
"""


def written(text: str = EXAM) -> Path:
    path = Path("exam.toml")
    path.write_text(text, encoding="utf-8")
    return path


def test_file_and_options_are_the_same_run(here):  # noqa: F811
    assert proctor("run", written()).returncode == 0
    words = ("run", "kitchen", "--policy", "point_world:GoPolicy", "-n", "2", "--levels", "L0")
    words += ("--env", "point_world:PointEnv")
    assert proctor(*words, "--env-arg", 'version="7"', "--out", "by-hand").returncode == 0
    assert {row.episode_id for row in read_episodes("from-file")} == {
        row.episode_id for row in read_episodes("by-hand")
    }
    one, two = (read_run(folder) for folder in ("from-file", "by-hand"))
    assert one["plan_hash"] == two["plan_hash"]
    assert {**one["arguments"], "out": ""} | {"tasks": ["kitchen"]} == {**two["arguments"], "out": "", "levels": ["L0"]}


def test_what_the_command_line_says_goes_before_the_file(here):  # noqa: F811
    assert proctor("run", written(), "--episodes", "1", "--seed", "5", "--out", "mine").returncode == 0
    assert len(read_episodes("mine")) == 2
    assert read_run("mine")["plan"]["seed"] == 5
    task = next(iter(sorted(Path("kitchen/L1").iterdir())))
    assert proctor("run", written(EXAM.replace('levels = ["L0"]\n', "")), task, "--out", "other").returncode == 0
    assert {row.spec.level for row in read_episodes("other")} == {"L1"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (EXAM.replace("episodes", "epsodes"), "unknown key 'epsodes'; did you mean 'episodes'"),
        (EXAM.replace("episodes = 2", 'episodes = "2"'), "episodes: Expected `int"),
        (EXAM.replace('vision = "V0"', 'vision = "V9"'), "unknown --vision 'V9'"),
        (EXAM.replace('policy = "point_world:GoPolicy"', ""), "no policy"),
        (EXAM + "x", "exam.toml: "),
    ],
)
def test_a_wrong_file_is_one_line(here, text, says):  # noqa: F811
    mistake("run", written(text), says=says)
    assert not Path("from-file").exists()


def test_a_missing_file_and_a_missing_policy(here):  # noqa: F811
    mistake("run", "nowhere.toml", says="nowhere.toml: No such file")
    mistake("run", "kitchen", says="--policy")
