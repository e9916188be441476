"""The table laid for a menu, and an answer laid with number cubes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from .._candidates import said
from .._draw import recipe
from .._parts import EpisodeParts, chain, prove_in
from .._sampler import Sampler
from .._scene import ScenePiece, SceneText, SitePlace, Spot
from .._tasks import KnowledgeSubgoal
from ..facts import Question, choose, table
from ..scenes import fixture, row

MAT_X, RACK_X = -0.22, 0.02
# Menus whose cutlery is a fork and a knife, or one piece beside the plate; three pieces do not fit one mat.
MENUS = ("steak", "grilled fish fillet", "tomato soup", "cereal with milk", "sushi")


@recipe("set_dining_table", "set_dining_left_hand")
def lay(sampler: Sampler) -> EpisodeParts:
    """C31, C32: a plate on a mat, cutlery in a rack; the guest sits on the robot's side of the table."""
    dish = sampler.turn("dish", MENUS)
    hand = "left_handed" if sampler.task.slug.endswith("left_hand") else "right_handed"
    geometry = sampler.of("scene")
    scene = SceneText()
    mat = fixture(scene, geometry, "placemat", MAT_X, 0.0, turn=0.02, size="wide")
    rack = fixture(scene, geometry, "cutlery_rack", RACK_X, geometry.uniform(-0.05, 0.05), slots="4")
    plate = scene.put(
        ScenePiece("plate_1", "serving_plate", geometry.instance()),
        SitePlace(f"{mat}/top", Spot(0.0, 0.0, 0.003, 0.003, (-0.1, 0.1)), (MAT_X, 0.0), mat),
    )
    kinds = geometry.shuffled(list(table("dining")["cutlery"]))
    names = [
        scene.put(
            ScenePiece(f"{kind}_1", "cutlery", geometry.instance(), {"kind": kind}),
            SitePlace(
                f"{rack}/slot{i + 1}", Spot(0.0, 0.0, 0.004, 0.002, (-0.03, 0.03)), (RACK_X, 0.1 - 0.07 * i), rack
            ),
        )
        for i, kind in enumerate(kinds)
    ]
    proof = prove_in(scene, Question("menu", {"dish": dish, "hand": hand}), [*names, plate])
    order = proof.names
    middle = order.index(plate)
    moves = [(name, f"{mat}/{'left' if order.index(name) < middle else 'right'}") for name in order if name != plate]
    steps = chain(moves, done=f"(In {{}} {mat})")
    line = f"(Ordered diner_x ({' '.join(order)}) 0.02)"
    steps.append(KnowledgeSubgoal("ord", line, tuple(node.id for node in steps if node.id.startswith("p")), (), 1.0))
    goal = f"(And (OnlyIn {mat} ({' '.join(order)})) {line})"
    text = said(sampler, sampler.task.id, proof.question, scene.items(names)).text
    wrong = [f"(In {name} {mat})" for name in names if name not in order]
    intent = (*(name for name, _ in moves), mat)
    return EpisodeParts(scene, text, {"diner_x": "y-"}, proof, dish, wrong, goal, steps, intent)


@recipe("play_math_game")
def math_game(sampler: Sampler) -> EpisodeParts:
    """C38: the answer to a word problem in number cubes, left to right on a mat."""
    problems = table("math_problems")
    sides = problems["split"]
    ids = (*sides["seen"], *sides["unseen"]) if sampler.split == "all" else sides[sampler.split]
    problem = next(row for row in problems["problems"] if row["id"] == sampler.turn("problem", ids))
    count = sampler.turn("count", (5, 6))
    chosen = choose(sampler.rng, "number", count, problem=problem["id"])
    geometry = sampler.of("scene")
    scene = SceneText()
    mat = fixture(scene, geometry, "placemat", MAT_X, geometry.uniform(-0.05, 0.05), turn=0.03)
    pieces = [
        ScenePiece(f"cube_{i + 1}", "number_cube", sampler.instance(), item.looks)
        for i, item in enumerate(chosen.items)
    ]
    names = row(scene, geometry, pieces, x=0.0, turn=0.2)
    proof = prove_in(scene, Question("number", {"problem": problem["id"]}), names)
    digits = proof.names
    steps = chain([(name, f"{mat}/slot{i + 1}") for i, name in enumerate(digits)], done=f"(Placed {{}} {mat})")
    goal = f"(OnlyIn {mat} ({' '.join(digits)}))"
    if len(digits) > 1:
        line = _in_line(digits, {piece.name: piece.looks["text"] for piece in pieces})
        steps.append(KnowledgeSubgoal("ord", line, tuple(f"p{i + 1}" for i in range(len(digits))), (), 1.0))
        goal = f"(And {goal} {line})"
    text = said(sampler, "C38", proof.question, scene.items(names)).text
    wrong = [f"(In {name} {mat})" for name in names if name not in digits]
    shown = "".join(next(p.looks["text"] for p in pieces if p.name == name) for name in digits)
    return EpisodeParts(scene, text, {"reader_x": "y-"}, proof, shown, wrong, goal, steps, (*digits, mat))


def _in_line(digits: Sequence[str], shown: Mapping[str, str]) -> str:
    """Return that the cubes stand in line; cubes that show the same digit may change places."""
    number = [shown[name] for name in digits]
    ways = [way for way in permutations(digits) if [shown[name] for name in way] == number]
    lines = [f"(Ordered reader_x ({' '.join(way)}) 0.02)" for way in ways]
    return lines[0] if len(lines) == 1 else f"(Or {' '.join(lines)})"
