"""The words that an agent's model is given. Our own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from proctor.planning import data_url

from ._types import AgentObservation, Level, Look, SeenThing, Tool

_ROLE = (
    "You control a robot arm with one gripper at a table. You are given an instruction and carry it out by calling "
    "tools, one at a time. After each call you hear whether it could be done; nothing tells you whether the task is "
    "solved, so judge that yourself and call done when it is."
)
_REFERS: Mapping[Level, str] = {
    "pixels": (
        "Refer to a thing by a point on it in one of the pictures, as [camera, x, y]: x counts pixels from the left, y "
        'from the top, as in ["head", 320, 240]. Every picture is 640 pixels wide and 480 high.'
    ),
    "marks": (
        "Refer to a thing by its number in the marked pictures. A number stands for the same thing in all views and "
        "all looks."
    ),
    "state": "Refer to a thing, or a part of it, by its name as listed.",
}
_RULES = (
    'Refer to the table as "table".',
    "The gripper holds one thing at a time.",
    "Left and right, near and far are as seen from the robot. Coordinates are metres: x away from the robot, y to its "
    "left, z up.",
    "Do what is asked and nothing else.",
    'Answer with one JSON object and nothing after it: {"tool": "pick", "args": {"object": ...}}. You may think before '
    "it.",
)


def system_text(tools: Sequence[Tool], level: Level) -> str:
    """Return what comes before everything else."""
    lines = [_ROLE, "", _REFERS[level], *_RULES, "", "Tools:"]
    lines += [f"- {tool.name}({', '.join(tool.roles)}): {tool.meaning}" for tool in tools]
    return "\n".join(lines)


def observation_parts(observation: AgentObservation, first: bool) -> list[dict[str, Any]]:
    lines = [f"Instruction: {observation.instruction}"] if first else []
    result = observation.result
    if result is not None:
        lines.append(f"{result.call}: {'done' if result.ok else f'failed ({result.error}): {result.text}'}.")
    held = observation.holding
    lines.append("The hand holds " + ("nothing." if held is None else "something." if held is True else f"{held}."))
    lines.append(f"{observation.calls_left} calls and {observation.seconds_left:.0f} s are left.")
    parts: list[dict[str, Any]] = [{"type": "text", "text": "\n".join(lines)}]
    if observation.look is not None:
        parts += _look_parts(observation.look)
    return parts


def _look_parts(look: Look) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = []
    for view in look.views:
        for words, picture in ((f"View {view.camera}:", view.picture), (f"{view.camera}, marked:", view.marked)):
            if picture is not None:
                parts.append({"type": "text", "text": words})
                parts.append({"type": "image_url", "image_url": {"url": data_url(picture)}})
    if look.things:
        parts.append({"type": "text", "text": "\n".join(["Things:", *(_thing(thing) for thing in look.things)])})
    return parts


def _thing(thing: SeenThing) -> str:
    words = [f"{thing.name} at {_place(thing.position)}"]
    if thing.words:
        words.append(", ".join(thing.words))
    if thing.inside:
        words.append(f"in {thing.inside}")
    for part in thing.parts:
        state = "" if part.is_open is None else " (open)" if part.is_open else " (shut)"
        words.append(f"{part.kind} {part.name}{state}")
    return "- " + "; ".join(words)


def _place(position: tuple[float, float, float]) -> str:
    return "(" + ", ".join(f"{value:.2f}" for value in position) + ")"


def without_old_pictures(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return messages in which only the latest look has its pictures: older ones are paid for again at every call."""
    last = max((k for k, message in enumerate(messages) if _pictures(message)), default=-1)
    return [
        {**message, "content": [part for part in message["content"] if part["type"] == "text"]}
        if k != last and _pictures(message)
        else dict(message)
        for k, message in enumerate(messages)
    ]


def _pictures(message: Mapping[str, Any]) -> bool:
    content = message["content"]
    return not isinstance(content, str) and any(part["type"] == "image_url" for part in content)
