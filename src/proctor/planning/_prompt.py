"""Prompts as pure functions: the same question and options give the same messages, byte for byte.

Order (specification, section 5.3): role and rules, skills with types and two toy calls, schema; for each shot its
pictures, instruction and plan; then the question's pictures, its instruction, and what to answer. Messages are those of
OpenAI's chat completions, pictures as data URLs.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from proctor.core import ProctorError

from ._call import Call
from ._prompt_texts import TEXTS, Language, Texts
from ._skills import COMPAT_SKILLS, SKILLS, Skill

LEAST_TOKENS = {False: 1024, True: 4096}
"""What an answer may need, without and with reasoning; shorter limits cut answers off."""
_TYPES = {"object": "mark", "target": "mark", "seconds": "number"}
_TOYS = (Call("pick", {"object": 7}), Call("place", {"target": 2}))


@dataclass(frozen=True, slots=True)
class PromptOptions:
    """How to ask. ``skills``: all fifteen, or the nine of VLABench; ``cot``: reasoning before the plan."""

    language: Language = "en"
    cot: bool = False
    skills: Literal["full", "compat"] = "full"

    def __post_init__(self) -> None:
        if self.language not in TEXTS:
            raise ProctorError(f"unknown prompt language {self.language!r} (there are {', '.join(TEXTS)})")


@dataclass(frozen=True, slots=True)
class Picture:
    """A view, clean and marked, as PNG or JPEG files."""

    camera: str
    clean: bytes
    marked: bytes


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked: pictures and an instruction; for a shot also the plan, and what the numbers in it are."""

    pictures: tuple[Picture, ...]
    instruction: str
    plan: tuple[Call, ...] = ()
    named: Mapping[int, str] | None = None


def messages(
    question: Asked, shots: Sequence[Asked] = (), options: PromptOptions | None = None
) -> list[dict[str, Any]]:
    options = options or PromptOptions()
    texts = TEXTS[options.language]
    built: list[dict[str, Any]] = [{"role": "system", "content": system_text(options)}]
    for number, shot in enumerate(shots, start=1):
        built.append({"role": "user", "content": _asked(shot, texts.example.format(number=number), texts, options)})
        built.append({"role": "assistant", "content": _answered(shot, texts, options)})
    built.append({"role": "user", "content": _asked(question, texts.question, texts, options)})
    return built


def system_text(options: PromptOptions) -> str:
    """Return what comes before all pictures: role, rules, skills, schema."""
    texts = TEXTS[options.language]
    names = COMPAT_SKILLS if options.skills == "compat" else tuple(SKILLS)
    lines = [texts.role, "", *(f"{k}. {rule}" for k, rule in enumerate(texts.rules, start=1)), "", texts.skills]
    lines += [_skill_line(SKILLS[name], texts, options.language) for name in names]
    toys = ", ".join(json.dumps(_plain(call)) for call in _TOYS)
    lines += ["", texts.toys.format(toys=toys), "", texts.schema, _schema(names)]
    return "\n".join(lines)


def answer_json(calls: Sequence[Call], reasoning: str | None = None) -> str:
    plan = [_plain(call) for call in calls]
    return json.dumps(plan if reasoning is None else {"reasoning": reasoning, "plan": plan}, ensure_ascii=False)


def without_pictures(built: Sequence[Mapping[str, Any]], name_of: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return messages with every picture replaced by its name; ``name_of`` maps data URLs to names."""
    plain = []
    for message in built:
        content = message["content"]
        if not isinstance(content, str):
            content = [
                {"picture": name_of.get(part["image_url"]["url"], "?")} if part["type"] == "image_url" else part
                for part in content
            ]
        plain.append({"role": message["role"], "content": content})
    return plain


def data_url(file: bytes) -> str:
    """Return a picture file as a data URL; its first bytes tell PNG from JPEG."""
    if file.startswith(b"\x89PNG\r\n\x1a\n"):
        kind = "png"
    elif file.startswith(b"\xff\xd8\xff"):
        kind = "jpeg"
    else:
        raise ProctorError("a picture of a prompt is neither PNG nor JPEG")
    return f"data:image/{kind};base64,{base64.b64encode(file).decode('ascii')}"


def _skill_line(skill: Skill, texts: Texts, language: Language) -> str:
    roles = [f"{role}: {_TYPES[role]}" for role in skill.roles]
    roles += [f"{role}?: text" for role in skill.optional_roles]
    meaning = skill.meaning_zh if language == "zh" else skill.meaning
    return texts.skill_line.format(
        call=f"{skill.name}({', '.join(roles)})", meaning=meaning, needs=texts.needs[skill.needs]
    )


def _plain(call: Call) -> dict[str, Any]:
    return {"skill": call.skill, "args": dict(call.args)}


@cache
def _whole_schema() -> str:
    return (resources.files(__package__) / "data" / "plan.schema.json").read_text(encoding="utf-8")


def plan_schema(names: Sequence[str] | None = None) -> dict[str, Any]:
    """Return the JSON Schema of an answer, for constrained decoding too; ``names`` keeps it to some skills."""
    schema: dict[str, Any] = json.loads(_whole_schema())
    if names is not None:
        call = schema["$defs"]["call"]
        kept = []
        for choice in call["oneOf"]:
            skill = choice["properties"]["skill"]
            left = [name for name in skill.get("enum", [skill.get("const")]) if name in names]
            if left:
                choice["properties"]["skill"] = {"enum": left}
                kept.append(choice)
        call["oneOf"] = kept
    return schema


def _schema(names: Sequence[str]) -> str:
    schema = plan_schema(names)
    for key in ("$schema", "$id", "title"):
        del schema[key]
    return json.dumps(schema)


def _asked(asked: Asked, heading: str, texts: Texts, options: PromptOptions) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = [_text(heading)]
    for picture in asked.pictures:
        camera = texts.cameras.get(picture.camera, picture.camera)
        for words, file in ((texts.clean, picture.clean), (texts.marked, picture.marked)):
            parts.append(_text(words.format(camera=camera)))
            parts.append({"type": "image_url", "image_url": {"url": data_url(file)}})
    parts.append(_text(texts.instruction.format(text=asked.instruction)))
    parts.append(_text(texts.request_cot if options.cot else texts.request))
    return parts


def _answered(shot: Asked, texts: Texts, options: PromptOptions) -> str:
    reasoning = None
    if options.cot:
        used = dict.fromkeys(value for call in shot.plan for value in call.args.values() if isinstance(value, int))
        named = shot.named or {}
        items = "; ".join(texts.shot_item.format(number=n, name=named[n]) for n in used if n in named)
        reasoning = texts.shot_reasoning.format(items=items[:1].upper() + items[1:])
    return f"```json\n{answer_json(shot.plan, reasoning)}\n```"


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
