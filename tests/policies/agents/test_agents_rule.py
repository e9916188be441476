"""The agent of rules: what it reads, what it finds, and that it solves a scene from the instruction alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from proctor.core import EpisodeSpec, ProctorError
from proctor.policies.agents import AgentObservation, Part, RuleAgent, Rules, SeenThing, ToolCall, calls_for, ground
from proctor.run.engine import run_episode
from proctor.sim import SimEnv
from proctor.tasks.words import Intent, intents


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Put the lemon on the plate.", [Intent("move", "lemon", "plate")]),
        ("Please move the peach onto the plate", [Intent("move", "peach", "plate")]),
        ("The pirate goes into the gift box.", [Intent("move", "pirate", "gift box")]),
        ("Add honey to the pan.", [Intent("pour", "honey", "pan")]),
        ("Pick up the 2 of diamonds.", [Intent("take", "2 of diamonds")]),
        (
            "Get me the milk from the fridge, put it on the table, and shut the door.",
            [Intent("take", "milk", "fridge"), Intent("move", "it", "table"), Intent("close", "door")],
        ),
        ("Find the banana and put it on the table.", [Intent("find", "banana"), Intent("move", "it", "table")]),
        ("Press the button of the lightest one.", [Intent("press", "button of the lightest one")]),
        ("Wait 3 seconds, then open the drawer.", [Intent("wait", seconds=3.0), Intent("open", "drawer")]),
        ("Pot ball 11 in the left bottom pocket, seen from here.", [Intent("move", "ball 11", "left bottom pocket")]),
        ("Pick up the first card from the right.", [Intent("take", "first card from the right")]),
        ("Add to the pan the sweet one.", [Intent("pour", "sweet one", "pan")]),
        ("Into the vase goes the rose.", [Intent("move", "rose", "vase")]),
        (
            "On the upper shelf, take out the second drink from the left.",
            [Intent("take", "second drink from the left on the upper shelf")],
        ),
        ("What a lovely day.", []),
    ],
)
def test_the_grammar_reads_clauses(text: str, wanted: list[Intent]) -> None:
    assert intents(text) == wanted


def _thing(name: str, x: float, y: float, *words: str, **more: Any) -> SeenThing:
    return SeenThing(name, (x, y, 0.9), words=words, movable=True, **more)


ROW = [
    _thing("card_1", 0.0, 0.2, "card", "a", "spades"),
    _thing("card_2", 0.0, 0.1, "card", "10", "hearts"),
    _thing("card_3", 0.0, -0.1, "card", "10", "spades"),
    _thing("card_4", 0.1, -0.2, "card", "k", "hearts"),
]


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("ace of spades", "card_1"),
        ("ten of spades", "card_3"),
        ("10 of hearts", "card_2"),
        ("second card from the left", "card_2"),
        ("card that is first from the right", "card_4"),
        ("leftmost card", "card_1"),
        ("farthest card", "card_4"),
        ("card right of the ten of hearts", "card_3"),
        ("heart", "card_2"),
        ("teapot", None),
        ("seventh card from the left", None),
    ],
)
def test_phrases_are_grounded_by_words_and_then_by_place(phrase: str, name: str | None) -> None:
    found = ground(phrase, ROW)
    assert (found.name if found else None) == name


def test_layers_are_told_apart_by_height() -> None:
    drinks = [
        SeenThing(f"drink_{k}", (0.1, y, z), words=("drink",), movable=True)
        for k, (y, z) in enumerate([(0.1, 1.0), (0.0, 1.0), (0.15, 1.3), (-0.1, 1.3)])
    ]
    upper = ground("first drink from the left on the upper shelf", drinks)
    lower = ground("first drink from the left on the bottom layer", drinks)
    assert (upper and upper.name, lower and lower.name) == ("drink_2", "drink_0")


def test_it_opens_what_hides_a_thing_before_it_picks_it_and_only_once() -> None:
    drawer = Part("cabinet_1/top", "slot", (0.2, 0.0, 1.0), behind="cabinet_1/drawer")
    handle = Part("cabinet_1/drawer", "joint", (0.1, 0.0, 1.0), is_open=False)
    cabinet = SeenThing("cabinet_1", (0.2, 0.0, 0.9), words=("cabinet",), parts=(handle, drawer))
    lemon = _thing("fruit_1", 0.2, 0.0, "lemon", inside="cabinet_1/top")
    lime = _thing("fruit_2", 0.2, 0.05, "lime", inside="cabinet_1/top")
    calls = calls_for("Put the lemon on the table and put the lime on the table.", [cabinet, lemon, lime])
    assert [str(call) for call in calls] == [
        "open(cabinet_1/drawer)",
        "pick(fruit_1)",
        "place(table)",
        "pick(fruit_2)",
        "place(table)",
    ]


def test_what_cannot_be_grounded_is_not_half_done() -> None:
    assert calls_for("Put the ace of spades on the moon.", ROW) == []
    assert calls_for("Put the teapot on the table.", ROW) == []


def test_a_call_that_fails_is_tried_again_and_then_given_up(table_task: Callable[..., EpisodeSpec]) -> None:
    from proctor.policies.agents import Done, Look, ToolResult

    rules = Rules()
    rules.reset("", ())
    look = Look(things=tuple(ROW))
    first = AgentObservation("Pick up the ace of spades.", look, None, None, 9, 9.0)
    call = rules.step(first)
    failed = dataclasses.replace(first, look=None, result=ToolResult(str(call), "unreachable", "no"))
    assert rules.step(failed) == call
    assert rules.step(failed) == Done("gave up: unreachable")


class Spy(Rules):
    """Keeps what the agent was shown."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[AgentObservation] = []

    def step(self, observation: AgentObservation) -> Any:
        self.seen.append(observation)
        return super().step(observation)


def _values(value: Any) -> Iterator[Any]:
    """Yield every object that can be reached from what an agent is shown."""
    yield value
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _values(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from (*_values(key), *_values(item))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _values(item)


@pytest.mark.parametrize("told", ["lemon", "orange"])
def test_it_does_what_it_is_told_whatever_goal_and_plan_say(
    told: str, table_task: Callable[..., EpisodeSpec], world: SimEnv
) -> None:
    """The goal and the plan are the lemon's: who reads them would put it down whatever is said."""
    fruit = "(:plan (pick fruit_1) (place plate_1))"
    spec = table_task(f"Put the {told} on the plate.", "fruit_1", fruit)
    policy = RuleAgent()
    spy = policy.agent = Spy()
    policy.bind(world)
    row = run_episode(world, policy, spec)
    assert row.status == "completed", row.error
    assert row.outcome.success is (told == "lemon")
    wanted = {"lemon": "fruit_1", "orange": "fruit_3"}[told]
    assert [line.call for line in row.policy.calls] == [f"pick({wanted})", "place(plate_1)"]
    assert row.policy.notes["perception"] == "state"
    # What it was shown is plain data: no task, no scene, and no word of the goal or the plan.
    plain = (str, int, float, bool, type(None), Mapping, tuple)
    values = [value for seen in spy.seen for value in _values(seen)]
    ours = (AgentObservation, SeenThing, Part, ToolCall)
    others = {type(value).__name__ for value in values if not isinstance(value, plain + ours)}
    assert others <= {"Look", "ToolResult"}
    texts = [value.lower() for value in values if isinstance(value, str)]
    assert not [text for text in texts if "goal" in text or "(pick" in text or "placed" in text]


def test_the_agent_is_deterministic_and_stops_when_done(table_task: Callable[..., EpisodeSpec], world: SimEnv) -> None:
    spec = table_task("Pick up the peach.", "fruit_1", max_steps=120)
    policy = RuleAgent()
    policy.bind(world)
    first, second = run_episode(world, policy, spec), run_episode(world, policy, spec)
    assert first.outcome.trajectory_hash == second.outcome.trajectory_hash
    assert first.policy.notes["ended"] == "done"
    assert first.outcome.steps == 120


def test_rules_need_names() -> None:
    with pytest.raises(ProctorError, match="reads names"):
        RuleAgent(perception="pixels")
