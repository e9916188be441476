"""A second scorer, written from the specification's text on raw JSON, that searches where ours walks.

Order credit is the largest number of answer calls that can be matched one to one with equal nodes such that every
required predecessor of a matched node is matched by an earlier call; found by trying everything.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

TAKES_HELD = ("place", "insert", "pour", "pull", "push", "lift", "hang", "hammer", "strike")
RELEASES = ("place", "insert", "hang")
LANGUAGE = {*TAKES_HELD, "pick", "press", "open", "close", "flip", "wait"}


def oracle(plan: list[dict[str, Any]], case: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of ``plan`` (calls with integer ids) by the names of the bank's file."""
    return max((_one(plan, nodes, case) for nodes in case["reference"]), key=lambda f: (f["exact"], f["score"]))


def _one(plan: list[dict[str, Any]], nodes: list[dict[str, Any]], case: dict[str, Any]) -> dict[str, Any]:
    same = {int(a): b for a, b in case["equivalent_ids"].items()}
    calls, free = _bound(plan, same)
    references = [_key(*node["call"]) for node in nodes]
    skills = {node["call"][0] for node in nodes}
    spare = Counter(references[k] for k, node in enumerate(nodes) if node["optional"])
    kept = []
    for k, call in enumerate(calls):
        if call[0] in ("lift", "wait") and call[0] not in skills:
            continue
        if spare[call]:
            spare[call] -= 1
            continue
        kept.append(k)
    required = [k for k, node in enumerate(nodes) if not node["optional"]]
    credited = _most(kept, calls, free, required, references, nodes)
    wanted = [references[k] for k in required]
    said = [calls[k] for k in kept]
    figures: dict[str, Any] = {}
    figures["skill_P"], figures["skill_R"], figures["skill_F1"] = _prf([c[0] for c in said], [c[0] for c in wanted])
    params = [[pair for c in group if c[0] in LANGUAGE for pair in c[2]] for group in (said, wanted)]
    figures["param_F1"] = _prf(*params)[2]
    figures["call_F1"] = _prf(said, wanted)[2]
    precision = credited / len(said) if said else 0.0
    recall = credited / len(wanted)
    figures["dag_P"], figures["dag_R"] = precision, recall
    figures["dag_F1"] = 0.0 if credited == 0 else 2 * precision * recall / (precision + recall)
    soft = 0.2 * (figures["skill_F1"] + figures["param_F1"] + figures["call_F1"])
    figures["score"] = 100 * (soft + 0.4 * figures["dag_F1"])
    figures["exact"] = credited == len(said) == len(wanted)
    return figures


def _key(skill: str, held: Any, *pairs: Any) -> tuple[Any, ...]:
    return skill, held, tuple(tuple(pair) for pair in pairs)


def _bound(plan: list[dict[str, Any]], same: dict[int, int]) -> tuple[list[tuple[Any, ...]], list[bool]]:
    hand = None
    calls, free = [], []
    for call in plan:
        skill = call["skill"]
        pairs = [(r, same.get(v, v)) for r, v in call["args"].items() if r != "seconds"] if skill in LANGUAGE else []
        calls.append(_key(skill, hand if skill in TAKES_HELD else None, *pairs))
        free.append(hand is None)
        if skill == "pick" and hand is None:
            hand = pairs[0][1]
        elif skill in RELEASES:
            hand = None
    return calls, free


def _before(k: int, nodes: list[dict[str, Any]]) -> set[int]:
    found: set[int] = set()
    for j in nodes[k]["after"]:
        found |= _before(j, nodes) if nodes[j]["optional"] else {j}
    return found


def _most(kept: list[int], calls: Any, free: list[bool], required: list[int], references: Any, nodes: Any) -> int:
    """Try, for every call in turn, every node it may match; a call that may be credited is."""

    def search(at: int, done: frozenset[int], credited: frozenset[int]) -> int:
        if at == len(calls):
            return len(credited)
        fits: list[int] = []
        if at in kept and not (calls[at][0] in ("open", "flip") and _gripped(at, calls, free, credited)):
            fits = [j for j in required if references[j] == calls[at] and j not in done and _before(j, nodes) <= done]
        if not fits:
            return search(at + 1, done, credited)
        return max(search(at + 1, done | {j}, credited | {at}) for j in fits)

    return search(0, frozenset(), frozenset())


def _gripped(at: int, calls: Any, free: list[bool], credited: frozenset[int]) -> bool:
    """Whether a credited pick that took hold has not been released before call ``at``."""
    for k in range(at - 1, -1, -1):
        if calls[k][0] in RELEASES:
            return False
        if calls[k][0] == "pick" and free[k]:
            return k in credited
    return False


def _prf(said: list[Any], wanted: list[Any]) -> tuple[float, float, float]:
    common = 0
    left = list(wanted)
    for item in said:
        if item in left:
            left.remove(item)
            common += 1
    if not said and not wanted:
        return 1.0, 1.0, 1.0
    precision = common / len(said) if said else 0.0
    recall = common / len(wanted) if wanted else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if common else 0.0
