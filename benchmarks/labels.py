"""Labels against independent solvers: the whole of what tests/bench checks in small.

python benchmarks/labels.py [--deals 10000]

Poker: random seven-card deals, best fives by the rule and by brute force over all 21 subsets. Mahjong: random hands,
waits by counts and by exhaustive search. Chemistry: every reaction gives the event the ion table says.
Materials: every set of three and four of every property; a winner must beat every rival at every value both may have.
Books: every ordering respects its gap. Arithmetic: every word problem against Python.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from itertools import combinations, pairwise

import numpy as np

from proctor.tasks.knowledge.facts import Item, NotUniqueError, Question, prove, table, winning_hand
from proctor.tasks.knowledge.facts.solvers import (
    best_by_brute_force,
    best_fives,
    evaluate,
    events,
    kinds,
    to_avoid,
    waits,
    wins_by_search,
)

DECK = [(rank, suit) for rank in range(2, 15) for suit in "cdhs"]


def poker(deals: int) -> tuple[int, int, str]:
    rng = random.Random(2026)
    wrong = unique = 0
    for _ in range(deals):
        cards = rng.sample(DECK, 7)
        best = set(best_fives(cards))
        wrong += best != set(best_by_brute_force(cards))
        unique += len(best) == 1
    return deals, wrong, f"{100 * unique / deals:.1f} % of deals have one best hand and may be used"


def mahjong(hands: int) -> tuple[int, int, str]:
    rng = np.random.default_rng(2026)
    wrong = asked = 0
    for _ in range(hands):
        hand = winning_hand(rng)
        hand.pop(int(rng.integers(14)))
        for kind in kinds():
            if hand.count(kind) < 4:
                asked += 1
                wrong += (kind in waits(hand)) != wins_by_search([*hand, kind])
    return asked, wrong, f"{hands} hands of 13, every kind tried"


def chemistry() -> tuple[int, int, str]:
    rows = table("chemistry")["reactions"]
    wrong = 0
    for row in rows:
        found = {(event.event, event.product, event.colour or None) for event in events(*row["solutions"])}
        fits = found == {(row["event"], row["product"], row["product_colour"])}
        wrong += not (fits and not to_avoid(*row["solutions"]))
    return len(rows), wrong, "reactions: one event from the ions, none unclear"


def materials() -> tuple[int, int, str]:
    asked = wrong = passed = 0
    for name, data in table("materials")["properties"].items():
        for size in (3, 4):
            for chosen in combinations(data["values"], size):
                items = [Item(f"s{i}", "sample", {"material": m}) for i, m in enumerate(chosen)]
                for direction, sign in (("largest", 1), ("smallest", -1)):
                    asked += 1
                    try:
                        proof = prove(Question("material", {"property": name, "direction": direction}), items)
                    except NotUniqueError:
                        continue
                    passed += 1
                    winner = data["values"][chosen[int(proof.names[0][1:])]]
                    others = [data["values"][m] for i, m in enumerate(chosen) if f"s{i}" != proof.names[0]]
                    wrong += any(sign * a <= sign * b for o in others for a in winner[1:] for b in o[1:])
    return asked, wrong, f"{passed} sets have one answer"


def books() -> tuple[int, int, str]:
    years = {entry["title"]: entry["year"] for entry in table("books")["classics"]}
    asked = wrong = passed = 0
    for chosen in combinations(years, 3):
        items = [Item(f"b{i}", "book", {"title": title}) for i, title in enumerate(chosen)]
        asked += 1
        try:
            proof = prove(Question("book_order", {"by": "year", "direction": "rising"}), items)
        except NotUniqueError:
            continue
        passed += 1
        order = [years[chosen[int(name[1:])]] for name in proof.names]
        wrong += any(b - a < 20 for a, b in pairwise(order))
    return asked, wrong, f"{passed} triples are at least 20 years apart"


def arithmetic() -> tuple[int, int, str]:
    rows = table("math_problems")["problems"]
    return len(rows), sum(evaluate(row["expression"]) != eval(row["expression"]) for row in rows), "word problems"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=10_000)
    deals = parser.parse_args().deals
    parts: dict[str, Callable[[], tuple[int, int, str]]] = {
        "poker": lambda: poker(deals),
        "mahjong": lambda: mahjong(300),
        "chemistry": chemistry,
        "materials": materials,
        "books": books,
        "arithmetic": arithmetic,
    }
    total = 0
    print(f"{'part':<11}{'asked':>8}{'wrong':>7}{'s':>7}  note")
    for name, part in parts.items():
        begin = time.perf_counter()
        asked, wrong, note = part()
        total += wrong
        print(f"{name:<11}{asked:>8}{wrong:>7}{time.perf_counter() - begin:>7.1f}  {note}")
    raise SystemExit(1 if total else 0)


if __name__ == "__main__":
    main()
