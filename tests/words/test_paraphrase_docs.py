"""The page about paraphrases shows what the generator writes and what the taxonomy says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from proctor.tasks.words import ACTION_TYPES, OBJECT_TYPES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "howto" / "pictures_and_words.md"


def test_the_examples_are_the_generators():
    script = ROOT / "scripts" / "paraphrase_table.py"
    table = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout
    assert table.count("\n") == 45
    assert table in PAGE.read_text(encoding="utf-8") + "\n"


def test_every_type_is_defined_as_in_the_data():
    text = PAGE.read_text(encoding="utf-8")
    for kind in (*OBJECT_TYPES, *ACTION_TYPES):
        assert f"| {kind.axis} | {kind.name} | `{kind.short}` | {kind.definition} |" in text
