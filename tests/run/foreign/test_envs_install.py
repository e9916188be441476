"""Installing: real virtual environments and a real pip, with packages of our own from disk instead of the network."""

from __future__ import annotations

import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from proctor.core import ProctorError
from proctor.run.foreign import FOREIGN, Foreign, ForeignEnvError, home, install, installed, known, python_of, remove


def wheel(folder: Path, name: str, code: str) -> str:
    """Write a wheel by hand and return its path, which pip takes as a requirement."""
    path = folder / f"{name}-0.1-py3-none-any.whl"
    info = f"{name}-0.1.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}.py", code)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return str(path)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PROCTOR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PROCTOR_ENV_GYMNASIUM", raising=False)
    return tmp_path


def test_every_pin_is_exact_and_serves_the_wire() -> None:
    for entry in FOREIGN.values():
        assert all(pin.count("==") == 1 for pin in entry.pins)
        names = [pin.partition("==")[0] for pin in entry.pins]
        assert len(set(names)) == len(names)
        assert {"numpy", "msgpack", "pyzmq"} <= set(names)


def test_libero_gets_the_physics_its_results_were_made_with() -> None:
    (mujoco,) = (pin for pin in known("libero").pins if pin.startswith("mujoco=="))
    assert mujoco.startswith("mujoco==3.3."), "from 3.4.0 on libero_spatial task 5 settles differently"


def test_install_replace_and_remove(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    entry = Foreign("gymnasium", "a test", (wheel(cache, "tinysim", "X = 1\n"),), ("tinysim",), True)
    monkeypatch.setitem(FOREIGN, "gymnasium", entry)
    made = install("gymnasium", say=said.append)
    assert made.current
    assert installed() == [made]
    assert python_of("gymnasium") == made.folder / "bin" / "python"
    seen = subprocess.run([python_of("gymnasium"), "-c", "import tinysim; print(tinysim.X)"], capture_output=True)
    assert seen.stdout == b"1\n"
    assert len(said) == 3
    assert os.listdir(home()) == ["gymnasium"]

    # A second install that fails leaves the first one as it was, and nothing else.
    broken = Foreign("gymnasium", "a test", (str(cache / "absent-0.1-py3-none-any.whl"),), ("tinysim",), True)
    monkeypatch.setitem(FOREIGN, "gymnasium", broken)
    with pytest.raises(ProctorError, match=r"nothing was installed: .*absent.*; the command was: .*pip.* --no-deps"):
        install("gymnasium")
    assert os.listdir(home()) == ["gymnasium"]
    assert [entry.current for entry in installed()] == [False]
    assert remove("gymnasium") == made.folder
    assert not installed()
    with pytest.raises(ForeignEnvError, match="not installed"):
        remove("gymnasium")


def test_a_python_that_is_not_there_is_one_line(cache: Path) -> None:
    with pytest.raises(ProctorError, match="cannot start /no/python"):
        install("gymnasium", python="/no/python")
    assert os.listdir(home()) == []


def test_what_is_not_installed_says_how(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ForeignEnvError, match="run `proctor env install gymnasium`"):
        python_of("gymnasium")
    with pytest.raises(ForeignEnvError, match="did you mean 'libero'"):
        python_of("librero")
    monkeypatch.setenv("PROCTOR_ENV_GYMNASIUM", "/no/python")
    with pytest.raises(ForeignEnvError, match="PROCTOR_ENV_GYMNASIUM=/no/python"):
        python_of("gymnasium")
