"""A fruit at the bottom of a well, on one pan of a seesaw, and the weights that lift it."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.assets import Link, make

from .._candidates import AskedQuestion, Candidates, by_bank
from .._draw import recipe
from .._parts import EpisodeParts, chain, one_of
from .._sampler import Sampler
from .._scene import ScenePiece, SceneText, SitePlace, Spot
from .._tasks import KnowledgeSubgoal
from ..scenes import fixture
from .cabinet import DRAWERS
from .fruit import OBJECTS

SEESAW_X, WEIGHTS_X = -0.02, -0.29
# The pan in the well leans outwards: a round fruit comes to rest at its rim, so that is where it is put.
LIES_M = 0.026
# A weight is low: the hand comes down to the bottom of the drawer, and its wrist clears the handles above it only here.
IN_DRAWER_X = -0.054
# Round, so that they lie in the pan, and heavy enough to be weighed against.
FRUITS = ("apple", "orange", "lemon", "peach", "kiwi", "plum", "lime")
HEAVY = ("apple", "orange", "lemon", "peach")
# Shares of the fruit's mass: what lifts it alone, what all others stay under together, and either half of a pair.
ENOUGH, TOO_LITTLE, HALF, TRIFLE = (1.6, 3.8), 0.85, (0.78, 0.84), (0.05, 0.10)


def _mass_g(piece: ScenePiece) -> float:
    """Return what the instance of a piece weighs."""
    asset = make(piece.category, piece.seed, tuple(piece.looks.items()))

    def kilograms(link: Link) -> float:
        return sum(part.mass_kg for part in link.colliders) + sum(map(kilograms, link.children))

    return 1000 * kilograms(asset.root)


def _weights(sampler: Sampler, grams: Sequence[float]) -> list[ScenePiece]:
    return [
        ScenePiece(f"weight_{i}", "weight", sampler.instance(), {"mass_g": str(round(mass))})
        for i, mass in enumerate(grams, start=1)
    ]


def _fruit(sampler: Sampler, task: str, kinds: Sequence[str]) -> tuple[ScenePiece, AskedQuestion]:
    """Return the fruit of an episode, by turn, and how it is asked for."""
    kind = sampler.turn("target", [key for key in OBJECTS.side(sampler.split) if key in kinds])
    (piece,) = OBJECTS.pieces([kind], [sampler.instance()])
    return piece, by_bank(task)(sampler, Candidates((piece,), 0))


def _seesaw(scene: SceneText, sampler: Sampler, fruit: ScenePiece, side: str, y: float = 0.0) -> str:
    """Put the seesaw across the table, its well at the robot's left or right, with the fruit in it; return its name."""
    name = fixture(scene, sampler, "seesaw", SEESAW_X, y, well=side)
    out = 1 if side == "left" else -1
    at = (SEESAW_X, round(y + 0.24 * out, 4))
    lies = Spot(0.0, LIES_M * out, 0.004, 0.004, (-0.4, 0.4))
    scene.put(fruit, SitePlace(f"{name}/cradle", lies, at, f"{name}/well"))
    return name


def _places(seesaw: str) -> dict[str, str]:
    return {"pan": f"{seesaw}/pan", "well": f"{seesaw}/well"}


def _row(scene: SceneText, sampler: Sampler, weights: Sequence[ScenePiece]) -> None:
    """Put the weights in a row before the robot, in any order."""
    pitch = 0.12
    for i, piece in enumerate(sampler.shuffled(weights)):
        y = round(pitch * ((len(weights) - 1) / 2 - i), 4)
        scene.put(piece, Spot(WEIGHTS_X, y, 0.012, 0.012, (-0.4, 0.4)))


@recipe("simple_seesaw_use")
def one_weight(sampler: Sampler) -> EpisodeParts:
    """P59: one weight lifts the fruit; all others together do not."""
    fruit, asked = _fruit(sampler, "P59", FRUITS)
    mass = _mass_g(fruit)
    light = sampler.turn("light", (1, 2))
    shares = [sampler.uniform(0.3, TOO_LITTLE / light) for _ in range(light)]
    weights = _weights(sampler, [mass * sampler.uniform(*ENOUGH), *(mass * share for share in shares)])
    side = sampler.turn("well", ("left", "right"))
    geometry = sampler.of("scene")
    scene = SceneText()
    seesaw = _seesaw(scene, geometry, fruit, side)
    _row(scene, geometry, weights)
    return one_of(scene, [fruit.name], asked, lambda t: {"$t": t, "$w": weights[0].name, **_places(seesaw)}, well=side)


@recipe("complex_seesaw_use")
def two_weights(sampler: Sampler) -> EpisodeParts:
    """C26: only one pair of weights lifts the fruit, no weight alone does."""
    fruit, asked = _fruit(sampler, "C26", HEAVY)
    mass = _mass_g(fruit)
    trifles = [sampler.uniform(*TRIFLE) for _ in range(sampler.turn("light", (1, 2)))]
    shares = [sampler.uniform(*HALF), sampler.uniform(*HALF), *trifles]
    weights = _weights(sampler, [mass * share for share in shares])
    side = sampler.turn("well", ("left", "right"))
    geometry = sampler.of("scene")
    scene = SceneText()
    seesaw = _seesaw(scene, geometry, fruit, side)
    _row(scene, geometry, weights)
    first, second = weights[0].name, weights[1].name
    steps = chain([(first, f"{seesaw}/far"), (second, f"{seesaw}/near")], done=f"(Placed {{}} {seesaw}/pan)")
    steps.append(KnowledgeSubgoal("rise", f"(AboveRim {fruit.name} {seesaw}/well)", ("p1", "p2"), (), 1.0))
    parts = one_of(
        scene, [fruit.name], asked, lambda t: {"$t": t, "$w1": first, "$w2": second, **_places(seesaw)}, well=side
    )
    parts.subgoals = [*steps, *(node for node in sampler.task.subgoals if node.id in ("hold", "out"))]
    return parts


@recipe("find_weights_for_seesaw")
def hidden_weight(sampler: Sampler) -> EpisodeParts:
    """C27: the weight that lifts the fruit lies in a drawer; the one in sight is too light."""
    fruit, asked = _fruit(sampler, "C27", FRUITS)
    mass = _mass_g(fruit)
    weights = _weights(sampler, [mass * sampler.uniform(*ENOUGH), mass * sampler.uniform(0.3, TOO_LITTLE)])
    drawer = sampler.turn("drawer", DRAWERS)
    geometry = sampler.of("scene")
    scene = SceneText()
    seesaw = _seesaw(scene, geometry, fruit, "right", -0.13)
    cabinet = scene.put(
        ScenePiece("cabinet_1", "cabinet", geometry.instance()),
        Spot(0.02, 0.44, 0.006, 0.006, (0.52, 0.58)),
        fixture=True,
    )
    where = f"{cabinet}/{drawer}"
    inside = Spot(IN_DRAWER_X, 0.0, 0.006, 0.02, (-0.12, 0.12))
    scene.put(weights[0], SitePlace(f"{where}_region", inside, (0.02, 0.44), where), relation="In")
    scene.put(weights[1], Spot(WEIGHTS_X, geometry.uniform(-0.15, -0.05), yaw=(-0.4, 0.4)))
    bindings = {"$w1": weights[0].name, "$drawer": where, **_places(seesaw)}
    return one_of(scene, [fruit.name], asked, lambda t: {"$t": t, **bindings}, drawer=drawer)
