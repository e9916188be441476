"""How many functions, files and packages one command passes through, and how many pairs of them.

Every process of the command is traced (``sys.setprofile``, threads too), import time left out. A pair is a distinct
caller and callee (functions) in different files, both of ours: what other libraries do in between is passed over.

    python benchmarks/walks.py                         # the walks that the architecture page names
    python benchmarks/walks.py -- run arena/goal ...   # one command of your own
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import proctor

ROOT = Path(proctor.__file__).parent
RUN = ("run", "arena/static_obstacles", "--policy", "expert", "-n", "1", "--limit", "1", "--workers", "1")
HOOK = """
import atexit, json, os, sys, threading
ROOT = {root!r}
pairs, seen, known = set(), set(), set()
def watch(frame, event, arg):
    if event != "call":
        return
    code, up = frame.f_code, frame.f_back
    if not code.co_filename.startswith(ROOT) or not code.co_filename.endswith(".py") or code.co_name.startswith("<"):
        return
    if (code, up and up.f_code) in known:
        return
    known.add((code, up and up.f_code))
    caller = None
    while up is not None:
        of_ours = up.f_code.co_filename.startswith(ROOT)
        if of_ours and up.f_code.co_name == "<module>" and not up.f_code.co_filename.endswith("__main__.py"):
            return  # carried out while a module is imported: registrations, bodies of classes
        if of_ours and caller is None and not up.f_code.co_name.startswith("<"):
            caller = up.f_code
        up = up.f_back
    seen.add((code.co_filename, code.co_qualname))
    if caller is not None and caller.co_filename != code.co_filename:
        pairs.add((caller.co_filename, caller.co_qualname, code.co_filename, code.co_qualname))
def write():
    sys.setprofile(None)
    with open(os.path.join({out!r}, f"{{os.getpid()}}.json"), "w") as file:
        json.dump([sorted(seen), sorted(pairs)], file)
leave = os._exit
def left(code):
    write()
    leave(code)
os._exit = left
atexit.register(write)
sys.setprofile(watch)
threading.setprofile(watch)
"""


def package(file: str) -> str:
    """Return the package of ours that a file belongs to."""
    parts = Path(file).relative_to(ROOT).parts
    return parts[0] if len(parts) > 1 else ""


def trace(commands: list[list[str]]) -> dict[str, int]:
    """Carry out the commands and count what was called in all their processes."""
    seen: set[tuple[str, str]] = set()
    pairs: set[tuple[str, str, str, str]] = set()
    with tempfile.TemporaryDirectory() as folder:
        hook = Path(folder, "hook")
        out = Path(folder, "out")
        hook.mkdir()
        out.mkdir()
        (hook / "sitecustomize.py").write_text(HOOK.format(root=str(ROOT) + os.sep, out=str(out)))
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(hook), os.environ.get("PYTHONPATH", "")])}
        for command in commands:
            words = [sys.executable, "-m", "proctor", *command]
            subprocess.run(words, check=True, env=environment, cwd=folder, stdout=subprocess.DEVNULL)
        for file in out.glob("*.json"):
            functions, found = json.loads(file.read_text())
            seen |= {tuple(entry) for entry in functions}
            pairs |= {tuple(entry) for entry in found}
    files = {file for file, _ in seen}
    return {
        "functions": len(seen),
        "files": len(files),
        "packages": len({package(file) for file in files}),
        "cross-file pairs": len(pairs),
        "cross-package pairs": len({pair for pair in pairs if package(pair[0]) != package(pair[2])}),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", nargs="*", help="words of one command of proctor; none: the walks of the page")
    chosen = parser.parse_args().command
    video = [*RUN, "--video", "all", "--out", "run"]
    knowledge = ["run", "knowledge/primitive", "--policy", "expert", "-n", "1", "--limit", "1", "--workers", "1"]
    walks = {
        "run, one episode with video": [video],
        "run and report": [video, ["report", "run", "--out", "page"]],
        "a knowledge episode": [[*knowledge, "--out", "drawn"]],
    }
    for name, commands in {" ".join(chosen): [chosen]}.items() if chosen else walks.items():
        print(name + ": " + ", ".join(f"{key} {value}" for key, value in trace(commands).items()))


if __name__ == "__main__":
    main()
