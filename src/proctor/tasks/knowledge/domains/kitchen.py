"""Kitchen work in several steps: dishes, juice, fridge, microwave, coffee."""

from __future__ import annotations

from collections.abc import Sequence

from .._candidates import Candidates, ObjectSet, by_bank, said, sample_candidates
from .._draw import recipe
from .._parts import EpisodeParts, chain, inside, one_of, others, prove_in
from .._sampler import Sampler
from .._scene import ScenePiece, SceneText, SitePlace, Spot
from .._tasks import KnowledgeSubgoal
from ..facts import Question, choose, table
from ..scenes import fixture, row, table_with
from .condiment import OBJECTS as CONDIMENTS
from .drink import OBJECTS as DRINKS
from .fruit import OBJECTS as FRUITS

INGREDIENTS = ObjectSet.of("recipes", "ingredient", "kind")
# Fruits that go through the mouth of the juicer, 10 cm wide.
JUICED = ("apple", "orange", "lemon", "peach", "kiwi", "plum", "strawberry", "cherry", "lime")
DOOR_X, DOOR_Y = 0.13, 0.04
# Where one to four things stand that an open door of such a fixture does not reach.
BESIDE_DOOR = {
    1: ((-0.29, -0.17),),
    2: ((-0.29, -0.08), (-0.29, -0.24)),
    3: ((-0.29, -0.03), (-0.29, -0.17), (-0.29, -0.31)),
    4: ((-0.32, -0.02), (-0.32, -0.16), (-0.32, -0.30), (-0.17, -0.24)),
}
SOUP = ("cooked rice bowl", "soup bowl", "cooked leftovers", "bread roll")


@recipe("cook_dishes")
def cook(sampler: Sampler) -> EpisodeParts:
    """C13: everything for a dish onto the plate, nothing else."""
    data = table("recipes")
    sides = data["recipe_split"]
    dishes = (*sides["seen"], *sides["unseen"]) if sampler.split == "all" else sides[sampler.split]
    dish = sampler.turn("dish", dishes)
    wanted = len(data["recipes"][dish])
    chosen = choose(sampler.rng, "recipe", max(4, wanted + 2), dish=dish)
    keys = [item.look("kind") for item in chosen.items]
    pieces = INGREDIENTS.pieces(keys, [sampler.instance() for _ in keys])
    # Room for the palm between a tall package and what lies low.
    scene, names, plate = table_with(
        sampler, pieces, "serving_plate", name="plate", width=0.68, turn=0.25, size="large"
    )
    proof = prove_in(scene, Question("recipe", {"dish": dish}), names)
    steps = chain([(name, plate) for name in scene.longest_first(proof.names)])
    goal = f"(OnlyIn {plate} ({' '.join(proof.names)}))"
    text = said(sampler, "C13", proof.question, scene.items(names)).text
    wrong = inside(plate, others(names, *proof.names))
    return EpisodeParts(scene, text, {}, proof, dish, wrong, goal, steps, (*proof.names, plate))


def _juice_scene(sampler: Sampler, fruits: Sequence[ScenePiece]) -> tuple[SceneText, tuple[str, ...], str, str]:
    scene = SceneText()
    juicer = fixture(scene, sampler, "juicer", -0.02, 0.0)
    lid = scene.put(
        ScenePiece("lid_1", "lid", sampler.instance()), Spot(-0.20, sampler.choice((0.22, -0.22)), 0.01, 0.01)
    )
    return scene, row(scene, sampler, fruits, x=-0.31, width=0.54, depth=0.008), juicer, lid


def juice_bindings(juicer: str, lid: str, fruit: str) -> dict[str, str]:
    """Return what the words of the juice tasks stand for."""
    return {"$f": fruit, "juicer": juicer, "juicer_top": f"{juicer}/top", "lid": lid}


@recipe("make_juice")
def juice(sampler: Sampler) -> EpisodeParts:
    """C04: fruit into the juicer, lid on, button."""
    targets = [key for key in FRUITS.side(sampler.split) if key in JUICED]
    candidates = sample_candidates(sampler, FRUITS, (3, 3), targets)
    scene, names, juicer, lid = _juice_scene(sampler.of("scene"), candidates.pieces)
    asked = by_bank("C04")(sampler, candidates)
    return one_of(
        scene, names, asked, lambda f: juice_bindings(juicer, lid, f), lambda f: inside(juicer, others(names, f))
    )


def cold_row(scene: SceneText, sampler: Sampler, pieces: Sequence[ScenePiece]) -> tuple[str, ...]:
    """Put things on the table out of the way of a door that opens to the left, 13 cm apart or more."""
    return tuple(
        scene.put(piece, Spot(x, y, 0.006, 0.006, (-0.08, 0.08)))
        for piece, (x, y) in zip(pieces, BESIDE_DOOR[len(pieces)], strict=True)
    )


def stocked(
    scene: SceneText, fixture_name: str, pieces: Sequence[ScenePiece], columns: Sequence[int]
) -> tuple[str, ...]:
    """Put things side by side into a fridge with a door."""
    return tuple(
        scene.put(
            piece,
            SitePlace(
                f"{fixture_name}/spot{column + 1}",
                # The middle one stands before its neighbours, so that the palm passes them.
                Spot(-0.022 if column == 1 else 0.006, 0.0, 0.004, 0.006, (-0.05, 0.05)),
                (DOOR_X, 0.12 * (1 - column)),
                fixture_name,
            ),
        )
        for piece, column in zip(pieces, columns, strict=True)
    )


@recipe("take_out_cool_drink")
def take_out(sampler: Sampler) -> EpisodeParts:
    """C07: a drink out of the fridge, the door shut behind it."""
    candidates = sample_candidates(sampler, DRINKS, (3, 3))
    geometry = sampler.of("scene")
    scene = SceneText()
    fridge = fixture(scene, geometry, "fridge_door", DOOR_X, DOOR_Y, name="fridge")
    names = stocked(scene, fridge, candidates.pieces, range(3))
    asked = by_bank("C07")(sampler, candidates)
    return one_of(scene, names, asked, lambda t: {"$t": t, "fridge": fridge, "table": "main_table"})


@recipe("cool_drink")
def cool(sampler: Sampler) -> EpisodeParts:
    """C08: the asked drink stands on the table; the fridge is empty or holds others."""
    candidates = sample_candidates(sampler, DRINKS, (3, 3))
    inside_too = sampler.turn("fridge", (0, 1))
    geometry = sampler.of("scene")
    scene = SceneText()
    fridge = fixture(scene, geometry, "fridge_door", DOOR_X, DOOR_Y, name="fridge")
    pieces = [candidates.asked, *(piece for piece in candidates.pieces if piece is not candidates.asked)]
    within = stocked(scene, fridge, pieces[2:], [0])[:inside_too] if inside_too else ()
    outside = geometry.shuffled(pieces[:2] if inside_too else pieces)
    names = (*cold_row(scene, geometry, outside), *within)
    asked = by_bank("C08")(sampler, candidates)
    return one_of(
        scene,
        names,
        asked,
        lambda t: {"$t": t, "fridge": fridge},
        lambda t: inside(fridge, [name for name in names if name != t and name not in within]),
    )


@recipe("store_food")
def store(sampler: Sampler) -> EpisodeParts:
    """C14: what needs cooling into the fridge, the rest stays."""
    data = table("storage")
    count = sampler.turn("count", (3, 4))
    first = sampler.turn("target", data["fridge"])
    cold = [first, sampler.choice([kind for kind in data["fridge"] if kind != first])]
    keys = sampler.shuffled([*cold, *sampler.sample(list(data["room_temperature"]), count - 2)])
    geometry = sampler.of("scene")
    scene = SceneText()
    fridge = fixture(scene, geometry, "fridge_door", DOOR_X, DOOR_Y, name="fridge")
    names = cold_row(
        scene, geometry, ObjectSet("food", "kind", (), ()).pieces(keys, [sampler.instance() for _ in keys])
    )
    proof = prove_in(scene, Question("storage"), names)
    moves = [(name, fridge) for name in scene.longest_first(proof.names)]
    door = f"{fridge}/door"
    steps = [KnowledgeSubgoal("open", f"(Once (Joint {door} 0.9 1.95))", (), (f"(open {door})",), 1.0)]
    steps += chain(moves, after=("open",))
    steps.append(KnowledgeSubgoal("close", f"(Joint {door} -0.05 0.1)", ("p1", "p2"), (f"(close {door})",), 1.0))
    goal = f"(And (OnlyIn {fridge} ({' '.join(proof.names)})) (Joint {door} -0.05 0.1))"
    text = said(sampler, "C14", proof.question, scene.items(names)).text
    return EpisodeParts(
        scene, text, {}, proof, " + ".join(sorted(cold)), inside(fridge, others(names, *proof.names)), goal, steps,
        (door, *proof.names),
    )  # fmt: skip


@recipe("heat_food")
def heat(sampler: Sampler) -> EpisodeParts:
    """C15: food into the microwave, door shut, button."""
    candidates = sample_candidates(sampler, ObjectSet("food", "kind", SOUP, SOUP), (2, 3), SOUP)
    geometry = sampler.of("scene")
    scene = SceneText()
    microwave = fixture(scene, geometry, "microwave", DOOR_X, DOOR_Y)
    names = cold_row(scene, geometry, candidates.pieces)
    asked = by_bank("C15")(sampler, candidates)
    return one_of(
        scene, names, asked, lambda t: {"$t": t, "microwave": microwave}, lambda t: inside(microwave, others(names, t))
    )


def _coffee_scene(sampler: Sampler, bottles: Sequence[ScenePiece]) -> tuple[SceneText, str, str, tuple[str, ...]]:
    scene = SceneText()
    machine = fixture(scene, sampler, "coffee_machine", -0.02, 0.16 if bottles else 0.0)
    # The handle is turned to the robot, as the hand that takes it comes.
    mug = scene.put(
        ScenePiece("mug_1", "mug", sampler.instance()),
        Spot(-0.27, sampler.uniform(0.02, 0.10), 0.008, 0.008, (2.9, 3.4)),
    )
    ys = (-0.10, -0.20, -0.30)
    names = tuple(
        scene.put(piece, Spot(-0.20, y, 0.006, 0.006, (-0.1, 0.1))) for piece, y in zip(bottles, ys, strict=False)
    )
    return scene, machine, mug, names


@recipe("get_coffee")
def coffee(sampler: Sampler) -> EpisodeParts:
    """C28: the mug under the spout, button, wait."""
    scene, machine, mug, _ = _coffee_scene(sampler.of("scene"), ())
    proof = prove_in(scene, Question("look", {"category": "mug"}), [mug])
    text = said(sampler, "C28", proof.question, scene.items([mug])).text
    return EpisodeParts(scene, text, {"mug": mug, "machine": machine}, proof, "black")


ADDED = {"get_coffee_with_sugar": "sugar", "get_coffee_with_milk": "milk"}


@recipe(*ADDED)
def coffee_with(sampler: Sampler) -> EpisodeParts:
    """C29, C30: coffee, then something poured into it."""
    wanted = ADDED[sampler.task.slug]
    # What else could be meant by sweet or white stays out of the scene.
    pool = [key for key in CONDIMENTS.side("all") if key not in ("sugar", "honey")]
    place = sampler.cycle("slot of 3", 3)
    keys = sampler.sample(pool, 2)
    keys.insert(place, wanted)
    pieces = CONDIMENTS.pieces(keys, [sampler.instance() for _ in keys])
    scene, machine, mug, names = _coffee_scene(sampler.of("scene"), pieces)
    asked = by_bank(sampler.task.id)(sampler, Candidates(tuple(pieces), place))
    return one_of(
        scene,
        names,
        asked,
        lambda t: {"mug": mug, "machine": machine, wanted: t, "table": "main_table"},
        lambda t: [f"(Poured {name} {mug} 0.1)" for name in names if name != t],
    )
