"""An agent driven by a language model behind a chat endpoint, or by a Python callable in its place."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from proctor.core import ProctorError
from proctor.core.chat import KEY_VARIABLE, ChatError, Reply
from proctor.planning import Model, ModelSettings, data_url, load_model, refuses

from ._policy import AgentPolicy
from ._tools import DONE
from ._types import AgentObservation, Budget, Done, Level, Look, SeenThing, Tool, ToolCall

# Read the tool call in a model's answer: the last JSON object of it, in a fenced block or not.


class UnreadableError(Exception):
    """An answer that holds no tool call; the text says what is missing."""


def read_answer(text: str) -> ToolCall | Done:
    """Return the call of an answer: ``{"tool": name, "args": {...}}``; ``skill`` and ``name`` do too."""
    found = _last_object(text)
    if found is None:
        raise UnreadableError("there is no JSON object in the answer")
    tool = next((found[key] for key in ("tool", "skill", "name", "tool_name") if key in found), None)
    if not isinstance(tool, str):
        raise UnreadableError('the JSON object has no text "tool"')
    args: Any = next((found[key] for key in ("args", "arguments", "parameters", "params") if key in found), {})
    if isinstance(args, str):
        args = _last_object(args)
    if not isinstance(args, dict):
        raise UnreadableError('"args" is no JSON object')
    if tool == DONE:
        return Done()
    return ToolCall(tool, args)


def _last_object(text: str) -> dict[str, Any] | None:
    """Return the last outermost JSON object in a text."""
    decoder = json.JSONDecoder()
    found: dict[str, Any] | None = None
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        if isinstance(value, dict):
            found = value
        at = text.find("{", end)
    return found


# The words that an agent's model is given. Our own.

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


UNREADABLE_IN_A_ROW = 3


class ModelMind:
    """Asks a model for each call; an answer that cannot be read is told so and asked for again, a few times."""

    def __init__(self, model: Model, level: Level) -> None:
        self._model, self._level = model, level
        self._messages: list[dict[str, Any]] = []
        self._asked = self._unreadable = self._uncounted = self._tokens_in = self._tokens_out = 0

    def reset(self, instruction: str, tools: Sequence[Tool]) -> None:
        self._messages = [{"role": "system", "content": system_text(tools, self._level)}]
        self._asked = self._unreadable = self._uncounted = self._tokens_in = self._tokens_out = 0

    def step(self, observation: AgentObservation) -> ToolCall | Done:
        """Return the model's next call; it stops where the model refuses or cannot be read."""
        first = len(self._messages) == 1
        self._say(observation_parts(observation, first))
        for _ in range(UNREADABLE_IN_A_ROW):
            reply = self._ask()
            self._messages.append({"role": "assistant", "content": reply.text})
            try:
                return read_answer(reply.text)
            except UnreadableError as error:
                if refuses(reply):
                    return Done("refused")
                self._unreadable += 1
                cut = " It was cut off at the limit of tokens." if reply.finish == "length" else ""
                self._say([{"type": "text", "text": f"Your answer could not be read: {error}.{cut} Answer again."}])
        return Done("unreadable answers")

    def _say(self, parts: list[dict[str, Any]]) -> None:
        self._messages.append({"role": "user", "content": parts})

    def _ask(self) -> Reply:
        """Ask, and count. A server that fails is an error of the policy, not of the model's judgement."""
        self._messages = without_old_pictures(self._messages)
        try:
            reply = self._model.ask(self._messages)
        except ChatError as error:
            raise ProctorError(str(error)) from None
        self._asked += 1
        if reply.tokens_in is None or reply.tokens_out is None:
            self._uncounted += 1
        self._tokens_in += reply.tokens_in or 0
        self._tokens_out += reply.tokens_out or 0
        return reply

    def spent(self) -> Mapping[str, Any]:
        """Return how often the model was asked, and its tokens; ``uncounted`` answers came without counts."""
        return {
            "model": self._model.name,
            "asked": self._asked,
            "unreadable": self._unreadable,
            "tokens_in": self._tokens_in,
            "tokens_out": self._tokens_out,
            "uncounted": self._uncounted,
        }


class LanguageAgent(AgentPolicy):
    """A language model in a body.

    ``url`` is an OpenAI-compatible endpoint (``http://host:port/v1``, with ``model`` what it calls the model), or
    ``package.module:callable``. The endpoint's key is in the environment variable named by ``key_env``; no row, log or
    error holds it.
    """

    name = "language-agent"

    def __init__(
        self,
        url: str,
        model: str = "",
        perception: Level = "marks",
        calls: int = 60,
        tokens: int = 400_000,
        wall_s: float = 1800.0,
        views: str = "head,left,right",
        temperature: float = 0.0,
        max_tokens: int = 1024,
        timeout_s: float = 55.0,
        retries: int = 3,
        pause_s: float = 1.0,
        key_env: str = KEY_VARIABLE,
    ) -> None:
        _refuse_secrets(self.name, url, key_env)
        if not model and url.startswith(("http://", "https://")):
            raise ProctorError(f"policy {self.name!r}: name the model too, as in model=qwen2.5-vl-7b")
        settings = ModelSettings(model, key_env, timeout_s, retries, pause_s, max_tokens, temperature, None)
        asked = load_model(url, settings)
        super().__init__(
            ModelMind(asked, perception),
            perception,
            budget=Budget(calls, tokens, wall_s),
            cameras=tuple(camera for camera in views.replace(" ", "").split(",") if camera),
            version=f"1-{asked.name}",
        )


def _refuse_secrets(name: str, url: str, key_env: str) -> None:
    """Arguments of a policy are written into every row: a key among them would be, too."""
    try:
        parts = urlsplit(url) if url.startswith(("http://", "https://")) else None
        nowhere = parts is not None and (not parts.hostname or parts.port == 0)
    except ValueError as error:
        raise ProctorError(f"policy {name!r}: url is no address: {error}") from None
    if parts is not None and (parts.username or parts.password or parts.query or parts.fragment):
        raise ProctorError(f"policy {name!r}: url must hold no user, password or query; the key goes into ${key_env}")
    if nowhere:
        raise ProctorError(f"policy {name!r}: url {url} is no address: write http://host:port/v1")
    if not key_env.isidentifier() or key_env.lower().startswith(("sk_", "key_")):
        raise ProctorError(f"policy {name!r}: key_env is the name of an environment variable, not the key itself")
