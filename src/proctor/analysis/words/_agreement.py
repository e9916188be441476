"""The annotation sheet: do people find that a paraphrase asks for the same behaviour as its original?

A sheet is a CSV file with one line per pair, in an order of its own, and one empty column per annotator; the type of a
paraphrase is not on it, so that nobody answers by type. An item's name is a hash of its two texts, so that sheets can
be filled in by several people, sorted by a spreadsheet, and still be put together. LIBERO-Para drew 205 pairs (5 %)
for 15 annotators, who marked O or X (appendix A.5).
"""

from __future__ import annotations

import csv
import hashlib
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from proctor.tasks.words import LanguageError

from ._pride_checks import require_text

FIXED = ("item", "original_instruction", "new_instruction")
YES = frozenset({"o", "yes", "y", "1", "true"})
NO = frozenset({"x", "no", "n", "0", "false"})


@dataclass(frozen=True, slots=True)
class RatedItem:
    """One pair with the answers that it got: True, False, or None where an annotator left it empty."""

    item: str
    original: str
    paraphrase: str
    answers: tuple[bool | None, ...] = ()

    @property
    def given(self) -> int:
        """How many annotators answered."""
        return sum(answer is not None for answer in self.answers)

    @property
    def yes(self) -> int:
        """How many of them said yes."""
        return sum(answer is True for answer in self.answers)


@dataclass(frozen=True, slots=True)
class Consensus:
    """How many items pass when a share of the answers must be yes. ``at_least`` (0.8) or more than half (None)."""

    at_least: float | None
    passed: int
    items: int

    @property
    def share(self) -> float:
        """The part of the answered items that passes."""
        return self.passed / self.items if self.items else float("nan")


def item_name(original: str, paraphrase: str) -> str:
    """Return the name of a pair: 10 hex digits of SHA-256 over both texts."""
    return hashlib.sha256(f"{original}\n{paraphrase}".encode()).hexdigest()[:10]


def draw_items(pairs: Sequence[tuple[str, str]], count: int | None, seed: int) -> list[RatedItem]:
    """Return ``count`` distinct pairs (all for None) in a random order that ``seed`` decides."""
    distinct = sorted(set(pairs))
    for original, paraphrase in distinct:
        require_text(original, f"original {original!r}")
        require_text(paraphrase, f"paraphrase {paraphrase!r}")
    wanted = len(distinct) if count is None else count
    if not 1 <= wanted <= len(distinct):
        raise LanguageError(f"{wanted} items are asked for: there are {len(distinct)} distinct pairs")
    return [RatedItem(item_name(*pair), *pair) for pair in random.Random(seed).sample(distinct, wanted)]


def write_sheet(path: Path, items: Iterable[RatedItem], annotators: Sequence[str]) -> None:
    """Write a sheet with one empty column per annotator."""
    names = [name.strip() for name in annotators]
    if not names or "" in names or len(set(names)) < len(names) or set(names) & set(FIXED):
        raise LanguageError("annotators need distinct names that are none of " + ", ".join(FIXED))
    try:
        with path.open("w", newline="", encoding="utf-8-sig") as file:
            writer = csv.writer(file)
            writer.writerow([*FIXED, *names])
            writer.writerows([item.item, item.original, item.paraphrase, *([""] * len(names))] for item in items)
    except OSError as error:
        raise LanguageError(f"cannot write {path}: {error.strerror}") from None


def read_sheets(paths: Sequence[Path]) -> list[RatedItem]:
    """Read filled sheets and put the answers to each item together, annotators in the order in which they appear."""
    texts: dict[str, tuple[str, str]] = {}
    answers: dict[str, dict[str, bool | None]] = {}
    annotators: dict[str, None] = {}
    for path in paths:
        for where, line, names in _lines(path):
            name, pair = line["item"], (line[FIXED[1]], line[FIXED[2]])
            if name != item_name(*pair):
                raise LanguageError(
                    f"{where}: item {name!r} is not of these texts: leave the first columns as they are"
                )
            texts[name] = pair
            mine = answers.setdefault(name, {})
            for annotator in names:
                annotators[annotator] = None
                answer = _answer(line[annotator], f"{where}: {annotator}")
                if answer is not None and mine.get(annotator, answer) != answer:
                    raise LanguageError(f"{where}: {annotator} answered item {name} twice, and differently")
                if answer is not None or annotator not in mine:
                    mine[annotator] = answer
    return [
        RatedItem(name, *pair, tuple(answers[name].get(annotator) for annotator in annotators))
        for name, pair in texts.items()
    ]


def _lines(path: Path) -> list[tuple[str, dict[str, str], list[str]]]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            header = list(reader.fieldnames or ())
            lost = [column for column in FIXED if column not in header]
            if lost:
                raise LanguageError(f"{path}: has no column {lost[0]!r}: it is no annotation sheet")
            names = [column for column in header if column not in FIXED]
            if not names:
                raise LanguageError(f"{path}: has no column of an annotator")
            rows = [(f"{path}:{reader.line_num}", line, names) for line in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise LanguageError(f"{path}: cannot be read as CSV: {error}") from None
    for where, line, _ in rows:
        if None in line or None in line.values():
            raise LanguageError(f"{where}: has not as many cells as the header")
    return rows


def _answer(cell: str, where: str) -> bool | None:
    text = cell.strip().casefold()
    if text in YES | NO:
        return text in YES
    if text:
        raise LanguageError(f"{where} says {cell.strip()!r}: write O (same behaviour) or X (not)")
    return None


def consensus(items: Sequence[RatedItem], at_least: float | None = None) -> Consensus:
    """Return how many answered items have more than half (``at_least`` None) or at least that share of yes."""
    answered = [item for item in items if item.given]
    if at_least is None:
        passed = sum(2 * item.yes > item.given for item in answered)
    else:
        # 12 of 15 is 0.8; without the margin, rounding would refuse it.
        passed = sum(item.yes >= at_least * item.given - 1e-9 for item in answered)
    return Consensus(at_least, passed, len(answered))
