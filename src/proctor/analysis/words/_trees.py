"""Ordered labelled trees and the edit distance between them.

The distance is the least number of insertions, deletions and renamings of nodes that turns one tree into the other,
all of cost 1 (Zhang and Shasha 1989). A tree is stored in post-order: ``labels[i]`` and ``leftmost[i]``, the number of
the first node below ``i`` (``i`` itself for a leaf).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

Label = Hashable


@dataclass(frozen=True)
class Tree:
    """A tree in post-order; build it with `Tree.node`."""

    labels: tuple[Label, ...]
    leftmost: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.labels)

    @classmethod
    def node(cls, label: Label, children: Iterable[Tree] = ()) -> Tree:
        """Return a root of ``label`` above ``children``, in their order."""
        labels: list[Label] = []
        leftmost: list[int] = []
        for child in children:
            shift = len(labels)
            labels.extend(child.labels)
            leftmost.extend(shift + number for number in child.leftmost)
        return cls((*labels, label), (*leftmost, 0))

    @property
    def root(self) -> Label:
        return self.labels[-1]

    @cached_property
    def keyroots(self) -> tuple[int, ...]:
        """The nodes that start a leftmost path of their own: the highest node of each ``leftmost`` value."""
        return tuple(sorted({first: node for node, first in enumerate(self.leftmost)}.values()))


def edit_distance(a: Tree, b: Tree) -> int:
    """Return the least number of insertions, deletions and renamings from ``a`` to ``b``."""
    if a == b:
        return 0
    between = [[0] * len(b) for _ in range(len(a))]
    for i in a.keyroots:
        for j in b.keyroots:
            _forest(a, b, i, j, between)
    return between[-1][-1]


def _forest(a: Tree, b: Tree, i: int, j: int, between: list[list[int]]) -> None:
    """Fill ``between`` for every pair of subtrees on the leftmost paths of ``i`` and ``j``."""
    first_a, first_b = a.leftmost[i], b.leftmost[j]
    above = list(range(j - first_b + 2))
    rows = [above]
    for x in range(first_a, i + 1):
        row = [above[0] + 1]
        whole_a = a.leftmost[x] == first_a
        label, left_x, trees = a.labels[x], a.leftmost[x], between[x]
        for column, y in enumerate(range(first_b, j + 1), start=1):
            best = min(above[column], row[column - 1]) + 1
            if whole_a and b.leftmost[y] == first_b:
                best = min(best, above[column - 1] + (label != b.labels[y]))
                trees[y] = best
            else:
                best = min(best, rows[left_x - first_a][b.leftmost[y] - first_b] + trees[y])
            row.append(best)
        rows.append(row)
        above = row


def forest_distance(a: Sequence[Tree], b: Sequence[Tree]) -> int:
    """Return the edit distance of two ordered forests: both are hung under one more node that costs nothing.

    For a single tree on each side it is their `edit_distance`: matching the two added roots is never worse.
    """
    top = object()
    return edit_distance(Tree.node(top, a), Tree.node(top, b))
