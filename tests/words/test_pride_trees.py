"""The tree edit distance against its recursive definition, and the laws of a metric."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.analysis.words import Tree, edit_distance, forest_distance

Node = tuple[str, tuple["Node", ...]]


def build(node: Node) -> Tree:
    return Tree.node(node[0], [build(child) for child in node[1]])


@cache
def size(forest: tuple[Node, ...]) -> int:
    return sum(1 + size(children) for _, children in forest)


@cache
def by_definition(a: tuple[Node, ...], b: tuple[Node, ...]) -> int:
    """Edit distance of ordered forests, straight from the recursion on the rightmost roots."""
    if not a or not b:
        return size(a) + size(b)
    (label_a, below_a), (label_b, below_b) = a[-1], b[-1]
    return min(
        by_definition((*a[:-1], *below_a), b) + 1,
        by_definition(a, (*b[:-1], *below_b)) + 1,
        by_definition(below_a, below_b) + by_definition(a[:-1], b[:-1]) + (label_a != label_b),
    )


labels = st.sampled_from("abc")
nodes = st.recursive(
    st.tuples(labels, st.just(())),
    lambda children: st.tuples(labels, st.lists(children, max_size=3).map(tuple)),
    max_leaves=6,
)


@given(nodes, nodes)
@settings(max_examples=300, deadline=None)
def test_the_distance_is_the_one_of_the_definition(a: Node, b: Node) -> None:
    assert edit_distance(build(a), build(b)) == by_definition((a,), (b,))


@given(nodes, nodes, nodes)
@settings(max_examples=100, deadline=None)
def test_it_is_a_metric(a: Node, b: Node, c: Node) -> None:
    x, y, z = build(a), build(b), build(c)
    assert (edit_distance(x, y) == 0) == (x == y)
    assert edit_distance(x, y) == edit_distance(y, x)
    assert edit_distance(x, z) <= edit_distance(x, y) + edit_distance(y, z)


@given(st.lists(nodes, min_size=1, max_size=3), st.lists(nodes, min_size=1, max_size=3))
@settings(max_examples=150, deadline=None)
def test_forests_are_compared_whole(a: list[Node], b: list[Node]) -> None:
    first, second = [build(node) for node in a], [build(node) for node in b]
    assert forest_distance(first, second) == by_definition(tuple(a), tuple(b))
    assert forest_distance(first[:1], second[:1]) == edit_distance(first[0], second[0])


def test_single_edits_cost_one() -> None:
    leaf = Tree.node("b")
    tree = Tree.node("a", [leaf, Tree.node("c")])
    assert edit_distance(tree, Tree.node("a", [leaf])) == 1
    assert edit_distance(tree, Tree.node("a", [leaf, Tree.node("d")])) == 1
    assert edit_distance(tree, Tree.node("a", [Tree.node("x", [leaf, Tree.node("c")])])) == 1
    assert edit_distance(tree, Tree.node("a", [Tree.node("c"), leaf])) == 2
    assert len(tree) == 3
    assert tree.root == "a"
