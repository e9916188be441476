"""Documentation is run, not trusted: every bash, python and console block of a page, in order, in one empty folder.

A block that cannot run is written as ``text``. A ``bash`` block of ``make`` lines is not executed (the gate itself is
``make test``); instead each target must exist in the Makefile.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
RUNNABLE = {"bash", "python", "console"}
DATA = {"text", "toml", "json", "lisp"}
FENCE = re.compile(r"^(?P<indent>[ \t]*)```(?P<info>[^`\n]*)$")
LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)(?:\s+\"[^\"]*\")?\)")
BLOCK_LIMIT_S = 600


@dataclass(frozen=True)
class Block:
    line: int
    language: str
    text: str


def blocks_of(text: str) -> list[Block]:
    """Return the fenced blocks of a Markdown text with the line of their fence."""
    found: list[Block] = []
    opened: tuple[int, str, str] | None = None
    body: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if opened is None and fence:
            opened, body = (number, fence["info"].strip(), fence["indent"]), []
        elif opened and fence and not fence["info"].strip():
            found.append(Block(opened[0], opened[1], "\n".join(body) + "\n"))
            opened = None
        elif opened:
            body.append(line.removeprefix(opened[2]))
    assert opened is None, f"line {opened[0]}: fence is never closed" if opened else ""
    return found


def command_of(block: Block) -> list[str]:
    """Return the program that runs ``block``; the lines of a console block after ``$`` are its commands."""
    if block.language == "python":
        return [sys.executable, "-c", block.text]
    text = block.text
    if block.language == "console":
        text = "\n".join(line.removeprefix("$ ") for line in text.splitlines() if line.startswith("$ "))
    return ["bash", "-euo", "pipefail", "-c", text]


def make_targets(block: Block) -> list[str]:
    """Return the targets of a block that consists of make lines, else nothing."""
    lines = [line.split("#")[0].strip() for line in block.text.splitlines() if line.strip()]
    if block.language == "bash" and lines and all(line.startswith("make ") for line in lines):
        return [line.removeprefix("make ").strip() for line in lines]
    return []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_blocks_run(page: Path, tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {"MUJOCO_GL": "egl", **os.environ, "PATH": path, "COLUMNS": "120"}
    for block in blocks_of(page.read_text(encoding="utf-8")):
        where = f"{page.relative_to(ROOT)}:{block.line}"
        assert block.language in RUNNABLE | DATA, f"{where}: name the block's language, one of {RUNNABLE | DATA}"
        targets = make_targets(block)
        for target in targets:
            done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{where}: make {target}: {done.stderr}"
        if block.language in RUNNABLE and not targets:
            done = subprocess.run(
                command_of(block), cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=BLOCK_LIMIT_S
            )
            assert done.returncode == 0, f"{where}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_inside_the_repository_resolve(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for match in LINK.finditer(text):
        target = match["target"].split("#")[0]
        if target and "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)}: no such file: {match['target']}"


def test_the_navigation_is_short_and_every_page_is_in_it_or_linked_from_it() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("nav:")[1]
    entries = re.findall(r"[\w/-]+\.md", navigation)
    assert len(entries) == len(set(entries)) <= 30
    shown = {(ROOT / "docs" / entry).resolve() for entry in entries}
    linked = {
        (page.parent / match["target"].split("#")[0]).resolve()
        for page in shown
        for match in LINK.finditer(page.read_text(encoding="utf-8"))
    }
    assert {page.resolve() for page in PAGES[1:]} <= shown | linked


def test_what_newcomers_search_for_has_a_page() -> None:
    words = {
        "tutorial/your_policy.md": ("your policy",),
        "reference/policy.md": ("state", "proprioception", "timestep", "action"),
        "howto/python.md": ("training loop", "evaluate"),
        "reference/api.md": ("python api", "custom env"),
        "howto/simulators.md": ("custom env", "action space", "joint"),
        "howto/tasks.md": ("proctor show",),
        "howto/many_hosts.md": ("slurm",),
        "explanation/architecture.md": ("architecture",),
        "explanation/statistics.md": ("how many episodes",),
        "index.md": ("citation", "python api"),
    }
    for page, sought in words.items():
        text = (ROOT / "docs" / page).read_text(encoding="utf-8").lower()
        assert [word for word in sought if word not in text] == [], page


def test_the_readme_shows_both_commands() -> None:
    shown = [target for block in blocks_of(PAGES[0].read_text(encoding="utf-8")) for target in make_targets(block)]
    assert {"demo", "test"} <= set(shown)


def test_blocks_are_found_with_language_line_and_indent() -> None:
    text = "a\n```bash\nx\n```\n- item\n\n  ```text\n  y\n    z\n  ```\n"
    assert blocks_of(text) == [Block(2, "bash", "x\n"), Block(7, "text", "y\n  z\n")]


def test_console_blocks_run_their_commands_only() -> None:
    assert command_of(Block(1, "console", "$ echo hi\nhi\n$ true\n"))[-1] == "echo hi\ntrue"


def test_make_blocks_are_recognised() -> None:
    assert make_targets(Block(1, "bash", "make demo   # says why\nmake test\n")) == ["demo", "test"]
    assert make_targets(Block(1, "bash", "make demo\nrm -rf x\n")) == []
