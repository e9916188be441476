"""Random, damaged and enormous inputs: only diagnostics come out, soon. ``benchmarks/fuzz_cbddl.py`` runs more."""

from __future__ import annotations

import random
import time

import pytest
from cbddl_fuzz import examine, random_input, seeds

from proctor.tasks.cbddl import check
from proctor.tasks.words import instruction_defects


def test_random_and_damaged_inputs_give_diagnostics_only() -> None:
    rng = random.Random(20261116)
    texts = seeds()
    outcomes = [examine(random_input(rng, texts)) for _ in range(3000)]
    assert 100 < sum(outcomes) < 2900  # both kinds must occur, or the inputs test nothing


def _task(*, objects: str = "", init: str = "", goal: str = "(True)", cost: str = "", regions: str = "") -> str:
    return (
        f"(define (problem Tabletop_Manipulation) (:domain robosuite) (:language all then) (:regions {regions})"
        f"(:fixtures main_table - table) (:objects {objects}) (:init {init}) (:goal {goal}) (:cost {cost}))"
    )


def _many(pattern: str, count: int) -> str:
    return " ".join(pattern.format(i, i + 1) for i in range(count))


LARGE = {
    "open": lambda n: "(" * n * 40,
    "close": lambda n: ")" * n * 40,
    "words": lambda n: "a " * n * 10,
    "comments": lambda n: ";c\n" * n * 10,
    "unclosed blocks": lambda n: "(define (problem x) " + "(:init (On a b) " * n,
    "unknown names": lambda n: _task(objects=_many("o{} - c{}", 400), init=_many("(On x{} o{}y)", n)),
    "tower": lambda n: _task(
        objects=_many("b{}", n + 1) + " - ball",
        init=_many("(On b{1} b{0})", n),
        cost=f"(And {_many('(NotOn b{} b0)', n)})",
    ),
    "circle": lambda n: _task(
        objects=_many("b{}", n) + " - ball", init=_many("(On b{1} b{0})", n - 1) + f"(On b0 b{n - 1})"
    ),
    "regions": lambda n: _task(regions=_many("(r{} (:target main_table))", n)),
    "deep and wide": lambda n: _task(goal="(And " * 50 + "(True) " * n + ")" * 50),
    "objects on fixtures": lambda n: _task(objects=_many("b{}", n) + " - ball", init=_many("(In b{} b7)", n)),
}


@pytest.mark.parametrize("shape", LARGE)
def test_time_grows_with_size_and_not_with_its_square(shape: str) -> None:
    def seconds(count: int) -> float:
        text = LARGE[shape](count)
        best = float("inf")
        for _ in range(2):
            begun = time.process_time()
            check(text, rules=instruction_defects)
            best = min(best, time.process_time() - begun)
        return best

    # Eight times the size may take eight times as long, never 64 times; the constant forgives small timings.
    assert seconds(4000) < 24 * seconds(500) + 0.2
