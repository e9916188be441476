"""Manifests: balance against scipy, episodes drawn again bit for bit, and difference found."""

from __future__ import annotations

import json

import pytest
from scipy.stats import chisquare
from typer.testing import CliRunner

from proctor.cli import app
from proctor.core import ProctorError
from proctor.tasks.knowledge import Difficulty, KnowledgeError, balance, knowledge_tasks, manifest, verify
from proctor.tasks.suites import find


def test_the_spread_is_pearsons_and_a_slot_that_is_never_the_answer_counts():
    for values in ("aaabbbcc", "abcd", "aaaaaab", "ab" * 20):
        rows = [{"target": value, "facts": {"slots": 9, "slot": ord(value) - ord("a")}} for value in values]
        found = balance(rows)
        for key, letters in (("target", sorted(set(values))), ("slot of 9", "abcdefghi")):
            counts = [values.count(letter) for letter in letters]
            expected = chisquare(counts)
            assert found[key]["chi2"] == pytest.approx(expected.statistic, abs=1e-4)
            assert found[key]["p"] == pytest.approx(expected.pvalue, abs=1e-4)
            assert list(found[key]["counts"].values()) == counts


@pytest.fixture(scope="module")
def listed(tmp_path_factory):
    file = tmp_path_factory.mktemp("manifest") / "track.json"
    result = CliRunner().invoke(app, ["knowledge", "manifest", "knowledge/track1/L1", "-n", "2", "-o", str(file)])
    assert result.exit_code == 0, result.output
    return file


def test_the_same_episodes_are_drawn_again(listed):
    result = CliRunner().invoke(app, ["knowledge", "verify", str(listed)])
    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == "10 episodes, 0 differ"


def test_an_episode_that_is_drawn_differently_is_named(listed):
    values = json.loads(listed.read_text())
    values["episodes"][3]["seed"] += 1
    files = {one["task"]: find(one["task"])[0].path for one in values["episodes"]}
    (line,) = verify(values, files)
    assert line.startswith(values["episodes"][3]["task"])
    del files[values["episodes"][0]["task"]]
    assert len(verify(values, files)) == 3


@pytest.mark.parametrize("key", ["target", "instruction", "family", "facts", "proofs", "split"])
def test_a_changed_word_about_an_episode_is_found(listed, key, tmp_path):
    values = json.loads(listed.read_text())
    values["episodes"][4][key] = "x"
    (tmp_path / "changed.json").write_text(json.dumps(values))
    result = CliRunner().invoke(app, ["knowledge", "verify", str(tmp_path / "changed.json")])
    assert result.exit_code == 1
    assert result.output.splitlines()[0].endswith(f"the manifest says otherwise about {key}")


def test_an_episode_that_was_taken_out_is_missed(listed, tmp_path):
    values = json.loads(listed.read_text())
    del values["episodes"][4]
    (tmp_path / "shorter.json").write_text(json.dumps(values))
    result = CliRunner().invoke(app, ["knowledge", "verify", str(tmp_path / "shorter.json")])
    assert result.exit_code == 1
    assert result.output.startswith("balance: ")


def test_a_task_of_another_version_is_named_and_the_rest_is_compared(listed, tmp_path):
    values = json.loads(listed.read_text())
    values["episodes"][0]["task"] = "knowledge/track1/L1/juggle@v1"
    (tmp_path / "other.json").write_text(json.dumps(values))
    result = CliRunner().invoke(app, ["knowledge", "verify", str(tmp_path / "other.json")])
    assert result.exit_code == 1
    assert result.output.splitlines()[-1] == "10 episodes, 1 differ"
    assert "juggle@v1 seed" in result.output


@pytest.mark.parametrize("spoilt", [{"seed": "x"}, {"episode": -1}, {"task": None}, {"task": []}])
def test_an_entry_that_names_no_episode_is_one_line(listed, spoilt):
    values = json.loads(listed.read_text())
    values["episodes"][2].update(spoilt)
    with pytest.raises(KnowledgeError, match="entry 2 of the manifest"):
        verify(values, {one["task"]: find(one["task"])[0].path for one in values["episodes"] if one["task"]})


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["manifest", "knowledge/track1/L1", "-n", "0"], "--episodes is 0"),
        (["manifest", "knowledge/track1/L1", "-n", "1", "-o", "/no/such/folder/m.json"], "cannot be written"),
        (["verify", "/no/such/file.json"], "cannot be read: No such file"),
        (["verify", __file__], "is no JSON"),
    ],
)
def test_a_mistake_is_one_line(args, why):
    with pytest.raises(ProctorError, match=why) as caught:
        CliRunner().invoke(app, ["knowledge", *args], catch_exceptions=False)
    assert "\n" not in str(caught.value)


def test_what_is_no_manifest_is_refused():
    with pytest.raises(KnowledgeError, match="no manifest"):
        verify({"schema": "x", "episodes": []}, {})
    assert manifest([])["episodes"] == []


def test_difficulty_is_the_formula_of_its_three_ingredients():
    # Worked by hand: log2(1 + 28) / 12 = 0.4048, 2 / 12, 1 / 6.
    assert Difficulty(28, 2, 1).score == pytest.approx(100 * (0.25 * 0.40483 + 0.40 / 6 + 0.35 / 6), abs=1e-2)
    assert Difficulty(10**9, 99, 99).score == pytest.approx(100.0)
    assert Difficulty(28, 2, 1).level == 1


def test_difficulty_grows_with_each_ingredient_and_the_catalogue_spans_all_levels():
    base = Difficulty(10, 3, 2)
    assert all(other.score > base.score for other in (Difficulty(20, 3, 2), Difficulty(10, 4, 2), Difficulty(10, 3, 3)))
    levels = [task.difficulty.level for task in knowledge_tasks().values()]
    assert {level: levels.count(level) for level in sorted(set(levels))} == {1: 8, 2: 42, 3: 22, 4: 22, 5: 6}
