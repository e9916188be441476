"""An adapter as one piece of text: its own module behind those of this folder that it imports from."""

from __future__ import annotations

import ast
from pathlib import Path

from proctor.core import ProctorError, did_you_mean

FOLDER = Path(__file__).parent


def adapter_names() -> list[str]:
    """Return the names of the adapters: the public modules of this package."""
    return sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))


def adapter_classes(name: str) -> list[str]:
    """Return the public classes of adapter ``name``, without importing it."""
    tree = ast.parse(_path(name).read_text(encoding="utf-8"))
    return [node.name for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]


def adapter_source(name: str) -> str:
    """Return the text of adapter ``name`` with the modules it needs in front, each once, as one module.

    ``from __future__`` statements are dropped: they must stand on top of the file that this text becomes part of.
    """
    return "\n\n".join(_stripped(path) for path in _ordered(_path(name), []))


def _path(name: str) -> Path:
    known = adapter_names()
    if name not in known:
        raise ProctorError(f"no adapter {name!r} (there are {', '.join(known)}){did_you_mean(name, known)}")
    return FOLDER / f"{name}.py"


def _ordered(path: Path, found: list[Path]) -> list[Path]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
            needed = FOLDER / f"{node.module}.py"
            if needed not in found:
                _ordered(needed, found)
    if path not in found:
        found.append(path)
    return found


def _stripped(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and (node.level == 1 or node.module == "__future__"):
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = ""
    return "\n".join(lines).strip() + "\n"
