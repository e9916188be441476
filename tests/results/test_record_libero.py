"""LIBERO-Para's logs and metadata, LIBERO-Plus's classification: read as written, refused in one line otherwise."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from proctor.results.importers import (
    ORIGINALS,
    ImportFileError,
    classify_trials,
    read_csv,
    read_instructions,
    read_para_log,
    read_plus_classification,
    read_trials,
)

SAMPLE = Path(__file__).parents[2].parent / "shared" / "data" / "libero_para_sample.csv"
TASKS = SAMPLE.parent / "libero_goal_tasks"


def episode(name: str, text: str, success: Any = True, steps: int = 120) -> dict[str, Any]:
    return {
        "task_id": 3,
        "bddl_file": f"{name}.bddl",
        "paraphrased_instruction": text,
        "success": success,
        "num_steps": steps,
        "initial_state_idx": 0,
        "episode_idx": 0,
    }


def log(folder: Path, number: int, *episodes: dict[str, Any]) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"eval{number}.json"
    body = {"eval_id": number, "original_instruction": None, "episodes": list(episodes)}
    path.write_text(json.dumps(body), encoding="utf-8")
    return path


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "seed7"
    log(folder, 10)
    (folder / "eval10.json").unlink()
    log(
        folder,
        0,
        episode("act_lexical_addition_deletion_eval0_ver0", "gently open the middle drawer of the cabinet"),
        episode(
            "obj_lexical_same_polarity_habitual_eval0_ver2", "open the middle drawer of the cupboard", success=False
        ),
    )
    log(folder, 9, episode("comp_lexical+pragmatical_same_polarity_contextual+hint_eval9_ver1", "the burner is cold"))
    (folder / "meta.json").write_text(json.dumps({"model_name": "some-model", "seed": 7}))
    (folder / "summary.json").write_text("{}")
    return folder


def test_a_log_is_read_with_task_cell_and_model(logs: Path) -> None:
    found = read_para_log(logs)
    assert [(e.task, e.original) for e in found] == [(ORIGINALS[0],) * 2] * 2 + [(ORIGINALS[9],) * 2]
    assert [(e.object_type, e.action_type) for e in found] == [
        ("", "addition_deletion"),
        ("same_polarity_habitual", ""),
        ("same_polarity_contextual", "hint"),
    ]
    assert [e.success for e in found] == [True, False, True]
    assert {e.policy for e in found} == {"some-model"}
    rows = read_instructions(logs)
    assert [(row.paraphrase, row.success) for row in rows] == [(e.paraphrase, e.success) for e in found]
    assert [row.paraphrase for row in read_instructions(logs / "eval9.json")] == ["the burner is cold"]


def test_logs_are_trials_too(logs: Path) -> None:
    trials = read_trials(logs)
    assert trials.has_times
    assert [row["duration_s"] for row in trials.rows] == [6.0, 6.0, 6.0]
    assert [bool(row["success_times_s"]) for row in trials.rows] == [True, False, True]
    assert len({row["pair"] for row in trials.rows}) == 3
    assert read_trials(logs / "eval0.json").rows == trials.rows[:2]


def test_the_originals_are_the_ten_tasks_in_alphabetical_order() -> None:
    if not TASKS.exists():
        pytest.skip(f"{TASKS} is not here")
    names = sorted(path.stem for path in TASKS.glob("*.bddl"))
    assert [original.replace(" ", "_") for original in ORIGINALS] == names


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("[]", "unknown|no JSON|tasks|aggregate|no CSV|cannot"),
        ('{"eval_id": 0, "episodes": 3}', "has no list of episodes"),
        ('{"eval_id": 0, "episodes": []}', "has no episodes"),
        ('{"eval_id": 12, "episodes": [{"bddl_file": "x"}]}', "eval_id 12 is not one of the ten tasks"),
        ('{"eval_id": 0, "episodes": [{"bddl_file": "x"}]}', "episode 0: is not as LIBERO-Para writes it: KeyError"),
        ('{"eval_id": 0, "episodes": [7]}', "episode 0: is not as LIBERO-Para writes it"),
    ],
)
def test_damaged_logs(tmp_path: Path, body: str, message: str) -> None:
    path = tmp_path / "eval0.json"
    path.write_text(body)
    with pytest.raises(ImportFileError, match=message) as caught:
        read_trials(path)
    assert "\n" not in str(caught.value)


def test_success_must_be_a_truth_value(tmp_path: Path) -> None:
    log(tmp_path, 0, episode("act_lexical_addition_deletion_eval0_ver0", "open", success=1))
    with pytest.raises(ImportFileError, match="success is 1, not true or false"):
        read_para_log(tmp_path)


def test_the_published_metadata_is_read() -> None:
    if not SAMPLE.exists():
        pytest.skip(f"{SAMPLE} is not here")
    rows = read_instructions(SAMPLE)
    assert {row.original for row in rows} <= set(ORIGINALS)
    assert all(row.success is None for row in rows)
    cells = Counter((bool(row.object_type), bool(row.action_type)) for row in rows)
    assert set(cells) == {(False, True), (True, False), (True, True)}
    assert len({(row.object_type, row.action_type) for row in rows}) == 43


def test_pairs_from_csv(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(
        "original_instruction,new_instruction,success,status,task\n"
        'open the drawer,"please,  open",yes,,t\n'
        "open the drawer,unlatch it,0,completed,t\n"
        "open the drawer,unlatch it,0,infra_error,t\n",
        encoding="utf-8-sig",
    )
    rows = read_instructions(file)
    assert [row.success for row in rows] == [True, False, None]
    assert rows[0].paraphrase == "please,  open"
    assert rows[1].where == f"{file}:3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"has no column 'original_instruction' \(has none\)"),
        ("original_instruction,new_instruction\n", "has no rows"),
        ("original_instruction,new_instructions\na,b\n", r"has no column 'new_instruction'; did you mean 'new_instr"),
        ("original_instruction,new_instruction,success\na,b,perhaps\n", ":2: success is 'perhaps', not 0 or 1"),
        ("original_instruction,new_instruction,high,low\na,b,both,x\n", ":2: high 'both' and low 'x' are not as"),
    ],
)
def test_bad_pairs(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(text)
    with pytest.raises(ImportFileError, match=message):
        read_instructions(file)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_bytes(b"original_instruction,new_instruction\n\xff\xfe,b\n")
    with pytest.raises(ImportFileError, match="cannot be read as CSV"):
        read_instructions(file)
    with pytest.raises(ImportFileError, match="no such file"):
        read_instructions(tmp_path / "none.csv")
    with pytest.raises(ImportFileError, match=r"holds no run.json and no eval\*.json"):
        read_instructions(tmp_path)


PLUS = {
    "libero_goal": [
        {
            "id": 1,
            "name": "put_the_bowl_on_the_plate_table_1",
            "category": "Background Textures",
            "difficulty_level": 2,
        },
        {"id": 2, "name": "turn_on_the_stove_language_7", "category": "Language Instructions", "difficulty_level": 1},
        {"id": 3, "name": "turn_on_the_stove_light_3", "category": "Light Conditions", "difficulty_level": None},
        {
            "id": 4,
            "name": "turn_on_the_stove_view_0_0_100_2_9_initstate_4",
            "category": "Camera Viewpoints",
            "difficulty_level": 5,
        },
        {"id": 5, "name": "turn_on_the_stove_add_12", "category": "Objects Layout", "difficulty_level": 4},
    ]
}


def test_plus_classification(tmp_path: Path) -> None:
    file = tmp_path / "task_classification.json"
    file.write_text(json.dumps(PLUS))
    tasks = read_plus_classification(file)
    assert [task.number for task in tasks] == [1, 2, 3, 4, 5]
    assert [task.difficulty for task in tasks] == [2, 1, None, 5, 4]
    assert [task.base for task in tasks] == ["put_the_bowl_on_the_plate", *["turn_on_the_stove"] * 4]
    results = tmp_path / "results.csv"
    results.write_text(
        "task,success\nturn_on_the_stove_language_7,1\nlibero_goal/2,0\nturn_on_the_stove_add_12.bddl,1\n"
    )
    joined = classify_trials(read_csv(results), tasks)
    assert [task.number for _, task in joined] == [2, 3, 5]
    results.write_text("task,success\nturn_on_the_oven,1\n")
    with pytest.raises(ImportFileError, match="has no task 'turn_on_the_oven'; name the column"):
        classify_trials(read_csv(results), tasks)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ([], "is not a classification of LIBERO-Plus"),
        ({"libero_goal": []}, "has no tasks"),
        ({"libero_goal": [{"id": 1}]}, r"libero_goal\[0\]: is not a task of LIBERO-Plus: KeyError"),
        ({"libero_goal": [{**PLUS["libero_goal"][0], "difficulty_level": 9}]}, "difficulty_level 9"),
    ],
)
def test_damaged_classifications(tmp_path: Path, body: Any, message: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps(body))
    with pytest.raises(ImportFileError, match=message):
        read_plus_classification(file)
