"""The installed packages against what this version of Proctor asks for, and the tools inside them."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ._finding import DoctorFinding, Level

_REQUIREMENT = re.compile(r"^(?P<name>[A-Za-z0-9_.-]+)\s*(?:\[[^\]]*\])?\s*(?P<versions>[^;\[]*?)\s*(?P<marker>;.*)?$")

_EXTRA = re.compile(r"extra == [\"'](?P<name>[^\"']+)[\"']")
# Extras of those who work on Proctor itself.
_NOT_FOR_USERS = ("dev", "docs")


def _numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version: ``3.17.0.post1`` → (3, 17, 0), trailing zeros left out."""
    head = re.match(r"\d+(?:\.\d+)*", version)
    numbers = [int(part) for part in head[0].split(".")] if head else [0]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def satisfies(installed: str, versions: str) -> bool:
    """Say whether ``installed`` meets every clause of ``versions``, e.g. ``>=1.26,<3`` or ``==3.17.0``."""
    tests: dict[str, Callable[[tuple[int, ...], tuple[int, ...]], bool]] = {
        "==": lambda a, b: a == b,
        ">=": lambda a, b: a >= b,
        "<=": lambda a, b: a <= b,
        "!=": lambda a, b: a != b,
        "<": lambda a, b: a < b,
        ">": lambda a, b: a > b,
    }
    for clause in filter(None, (part.strip() for part in versions.split(","))):
        operator = next((name for name in tests if clause.startswith(name)), None)
        if operator is None:
            return False
        if not tests[operator](_numbers(installed), _numbers(clause.removeprefix(operator).strip())):
            return False
    return True


def _own() -> list[str]:
    """Return the requirements in Proctor's own metadata, none where it is not installed."""
    try:
        return importlib.metadata.requires("proctor") or []
    except importlib.metadata.PackageNotFoundError:
        return []


def _parsed(requirements: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yield package, versions and extra (empty for what everybody needs) of each requirement."""
    for match in filter(None, map(_REQUIREMENT.match, requirements)):
        extra = _EXTRA.search(match["marker"] or "")
        yield match["name"], match["versions"], extra["name"] if extra else ""


def check_extras(
    requirements: Iterable[str] | None = None, version_of: Callable[[str], str] = importlib.metadata.version
) -> list[DoctorFinding]:
    """Say which extras are whole, which are not here, and which have a package of another version than asked for."""
    wrong, here, absent = [], dict[str, bool](), dict[str, bool]()
    for name, versions, extra in _parsed(_own() if requirements is None else requirements):
        if not extra or extra in _NOT_FOR_USERS:
            continue
        try:
            installed = version_of(name)
        except importlib.metadata.PackageNotFoundError:
            absent[extra] = True
            continue
        here[extra] = True
        if not satisfies(installed, versions):
            text = f"{installed} is installed, extra {extra} asks for {versions}"
            wrong.append(DoctorFinding("warning", name, text, f"run: pip install 'proctor[{extra}]'"))
    whole = ", ".join(name for name in here if name not in absent) or "none"
    text = f"installed: {whole}"
    if absent:
        text += f"; not installed: {', '.join(absent)} (pip install 'proctor[{next(iter(absent))}]')"
    return [*wrong, DoctorFinding("ok", "extras", text)]


def check_packages(
    requirements: Iterable[str] | None = None, version_of: Callable[[str], str] = importlib.metadata.version
) -> list[DoctorFinding]:
    """Compare each requirement of Proctor's own metadata with what is installed. Extras are left out."""
    requirements = _own() if requirements is None else list(requirements)
    if not requirements:
        return [DoctorFinding("problem", "packages", "Proctor itself is not installed", "run: pip install -e .")]
    wrong = []
    fine = []
    for name, versions, extra in _parsed(requirements):
        if extra:
            continue
        wanted = f"{name}{versions}"
        try:
            installed = version_of(name)
        except importlib.metadata.PackageNotFoundError:
            wrong.append(DoctorFinding("problem", name, "not installed", f"run: pip install '{wanted}'"))
            continue
        if satisfies(installed, versions):
            fine.append(f"{name} {installed}")
        else:
            # An exact pin is there because another version gives other results.
            text = f"{installed} is installed, {versions} is asked for"
            wrong.append(DoctorFinding("problem", name, text, f"run: pip install '{wanted}'"))
    return [*wrong, *([DoctorFinding("ok", "packages", ", ".join(fine))] if fine else [])]


def check_robot(find_spec: Callable[[str], object] = importlib.util.find_spec) -> DoctorFinding:
    """The arm's model is read from the robopal wheel, which is located and never imported."""
    fix = "run: pip install --force-reinstall robopal==0.4.1"
    spec = find_spec("robopal")
    places = list(getattr(spec, "submodule_search_locations", None) or [])
    if not places:
        return DoctorFinding("problem", "robot", "the wheel with the arm's model is not installed", fix)
    model = Path(places[0]) / "assets" / "models" / "manipulators" / "Panda" / "panda.xml"
    if not model.is_file():
        return DoctorFinding("problem", "robot", f"{model} is missing", fix)
    return DoctorFinding("ok", "robot", str(model))


def check_cache(folder: Path | None = None) -> DoctorFinding:
    """The robot's light meshes are made once, in ``$PROCTOR_CACHE`` or ``~/.cache/proctor``."""
    base = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    root = folder or Path(os.environ.get("PROCTOR_CACHE") or Path(base) / "proctor")
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            pass
    except OSError as error:
        level: Level = "warning" if _has_meshes(root) else "problem"
        fix = "set PROCTOR_CACHE to a writable folder"
        return DoctorFinding(level, "cache", f"{root} is not writable ({error.strerror})", fix)
    state = "robot meshes ready" if _has_meshes(root) else "robot meshes are made on first use"
    return DoctorFinding("ok", "cache", f"{root}, {state}")


def _has_meshes(root: Path) -> bool:
    return any(path.is_dir() for path in root.glob("panda-*"))


def check_ffmpeg() -> DoctorFinding:
    """Videos are written by the ffmpeg inside imageio-ffmpeg; it must start."""
    fix = "run: pip install --force-reinstall imageio-ffmpeg, or set IMAGEIO_FFMPEG_EXE to an ffmpeg"
    try:
        import imageio_ffmpeg

        program = imageio_ffmpeg.get_ffmpeg_exe()
        done = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=20, check=True)
    except (ImportError, RuntimeError, OSError, subprocess.SubprocessError) as error:
        return DoctorFinding(
            "warning", "ffmpeg", f"does not start ({type(error).__name__}); no video can be recorded", fix
        )
    return DoctorFinding("ok", "ffmpeg", " ".join(done.stdout.split()[:3]))
