"""Reference pictures: where they are found, what is refused, and the commands around them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from proctor.cli.station import app
from proctor.core import ProctorError
from proctor.station.camera import policy_view
from proctor.station.scene import (
    Annotation,
    SceneReferenceError,
    load_annotations,
    load_reference,
    load_scenes,
    reference_path,
    save_reference,
    select_scenes,
)
from proctor.station.twin import SceneObject, Twin

run = CliRunner()
BLANK = np.full((480, 640, 3), 210, np.uint8)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of the twin's top camera: a scene, and the same with the plate 2 cm nearer to the robot."""
    folder = tmp_path_factory.mktemp("pictures")
    with Twin(seed=1, speed=0, noise=2.0) as twin:
        twin.place([SceneObject("plate", 0.0, -0.05, colour="red"), SceneObject("block", 0.2, -0.05, colour="green")])
        Image.fromarray(twin.frame("top")).save(folder / "good.png")
        Image.fromarray(policy_view(twin.frame("top"))).save(folder / "view.png")
        twin.move_object("red plate", 0.0, -0.07)
        Image.fromarray(twin.frame("top")).save(folder / "bad.png")
    return folder


@pytest.mark.parametrize("prefix", ["tasks", ""])
def test_the_public_checkout_is_understood(tmp_path: Path, prefix: str) -> None:
    """Folder and number follow the repository: task numbers of Appendix C, pictures 1 to 5 per task and split."""
    for scene in load_scenes():
        name = f"{scene.split}/referencePics/task{scene.task.number:02d}/pic{scene.variant}.jpg"
        path = tmp_path / prefix / name
        path.parent.mkdir(parents=True, exist_ok=True)
        assert not path.exists(), "two scenes share a picture"
        path.write_bytes(b"")
    paths = {reference_path(scene, tmp_path) for scene in load_scenes()}
    assert len(paths) == 90
    assert not any("OOD/referencePics/task05" in str(path) or "OOD/referencePics/task06" in str(path) for path in paths)
    (towel,) = select_scenes("towel/OOD/2")
    assert str(reference_path(towel, tmp_path)).endswith("OOD/referencePics/task04/pic2.jpg")


def test_a_stations_own_picture_comes_first(tmp_path: Path) -> None:
    scene = load_scenes()[6]
    (tmp_path / "tasks").mkdir()
    save_reference(BLANK, tmp_path / "scene_07.png")
    assert reference_path(scene, tmp_path).name == "scene_07.png"


def test_a_missing_reference_says_how_to_take_one(tmp_path: Path) -> None:
    with pytest.raises(SceneReferenceError, match="proctor station scene capture 7"):
        reference_path(load_scenes()[6], tmp_path)
    with pytest.raises(SceneReferenceError, match="no such folder"):
        reference_path(load_scenes()[6], tmp_path / "none")


def test_a_reference_survives_its_files(tmp_path: Path) -> None:
    notes = (Annotation("red plate", (1.5, 2.0)), Annotation("fork", None, ((0.0, 0.0), (9.0, 0.0), (9.0, 5.0))))
    save_reference(BLANK, tmp_path / "a" / "scene_01.png", notes)
    again = load_reference(tmp_path / "a" / "scene_01.png")
    assert np.array_equal(again.picture, BLANK)
    assert again.annotations == notes


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("nonsense", "not annotations"),
        ('{"objects": [{"name": "x"}]}', "neither a point nor an outline"),
        ('{"objects": [{"at": [1, 2]}]}', "not annotations"),
        ('{"objects": [{"name": "x", "polygon": [[1, 2], [3, 4]]}]}', "fewer than three corners"),
        ('{"objects": [{"name": "x", "at": [1, 2]}, {"name": "x", "at": [3, 4]}]}', "two objects are called 'x'"),
    ],
)
def test_bad_annotations_are_one_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "pic1.json"
    path.write_text(content)
    with pytest.raises(SceneReferenceError, match=message) as caught:
        load_annotations(path)
    assert "\n" not in str(caught.value)


def test_a_picture_of_another_size_or_none_is_refused(tmp_path: Path) -> None:
    Image.fromarray(BLANK[:100]).save(tmp_path / "small.png")
    with pytest.raises(SceneReferenceError, match="640 x 480"):
        load_reference(tmp_path / "small.png")
    (tmp_path / "no.png").write_bytes(b"x")
    with pytest.raises(SceneReferenceError, match="not a picture"):
        load_reference(tmp_path / "no.png")
    with pytest.raises(SceneReferenceError, match="policy's view"):
        save_reference(BLANK[:100], tmp_path / "x.png")


def test_capture_then_check(pictures: Path, tmp_path: Path) -> None:
    capture = ["scene", "capture", "7", "--camera", str(pictures / "good.png"), "--out", str(tmp_path)]
    done = run.invoke(app, [*capture, "--name", "red plate@318,311"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "2 objects" in done.output
    names = {entry["name"] for entry in json.loads((tmp_path / "scene_07.json").read_text())["objects"]}
    assert names == {"red plate", "green object"}
    assert "exists" in str(run.invoke(app, capture).exception)

    check = ["scene", "check", "7", "--references", str(tmp_path), "--camera"]
    done = run.invoke(app, [*check, str(pictures / "good.png")], catch_exceptions=False)
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "gate: accepted")
    done = run.invoke(app, [*check, str(pictures / "view.png"), "--zoomed"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    shown = tmp_path / "overlay.jpg"
    done = run.invoke(app, [*check, str(pictures / "bad.png"), "--picture", str(shown)], catch_exceptions=False)
    assert done.exit_code == 1
    assert done.output.splitlines()[-1] == "gate: not yet"
    (line,) = (line for line in done.output.splitlines() if line.startswith("- "))
    assert line.startswith("- move the red plate ")
    assert line.endswith(" mm away from the robot")
    with Image.open(shown) as picture:
        assert picture.size == (640, 480)
    done = run.invoke(
        app, [*check, str(pictures / "bad.png"), "--tolerance-mm", "30", "--json"], catch_exceptions=False
    )
    assert done.exit_code == 0
    assert json.loads(done.output)["ok"] is True


def test_overlay_writes_a_picture(pictures: Path, tmp_path: Path) -> None:
    with Image.open(pictures / "view.png") as picture:
        save_reference(np.asarray(picture), tmp_path / "scene_01.png")
    out = tmp_path / "over.jpg"
    command = ["scene", "overlay", "1", "--camera", str(pictures / "bad.png"), "--references", str(tmp_path)]
    done = run.invoke(app, [*command, "--out", str(out)], catch_exceptions=False)
    assert done.exit_code == 0
    with Image.open(out) as picture:
        assert (picture.format, picture.size) == ("JPEG", (640, 480))


def test_ls_lists_and_knows_references(tmp_path: Path) -> None:
    save_reference(BLANK, tmp_path / "scene_02.png")
    done = run.invoke(app, ["scene", "ls", "1-3", "--references", str(tmp_path), "--json"], catch_exceptions=False)
    assert [(entry["id"], entry["reference"]) for entry in json.loads(done.output)] == [
        (1, False),
        (2, True),
        (3, False),
    ]
    done = run.invoke(app, ["scene", "ls"], catch_exceptions=False)
    assert done.exit_code == 0
    assert len([line for line in done.output.splitlines() if "/ID/" in line or "/OOD/" in line]) == 90


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scene", "check", "bread", "--camera", "x.png", "--references", "."], "means 10 scenes: name one"),
        (["scene", "capture", "1", "--camera", "{good}", "--out", "{tmp}", "--name", "plate"], "red plate@317,390"),
        (
            ["scene", "capture", "1", "--camera", "{good}", "--out", "{tmp}", "--name", "spoon@20,200"],
            "nothing to be seen",
        ),
        (["scene", "ls", "--references", "{tmp}/none"], "no such folder"),
    ],
)
def test_mistakes_are_one_line(pictures: Path, tmp_path: Path, arguments: list[str], message: str) -> None:
    filled = [text.format(good=pictures / "good.png", tmp=tmp_path) for text in arguments]
    done = run.invoke(app, filled)
    assert isinstance(done.exception, ProctorError)
    assert message in str(done.exception)
    assert "\n" not in str(done.exception)
    assert not list(tmp_path.glob("scene_*"))
