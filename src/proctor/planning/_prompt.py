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
from types import MappingProxyType
from typing import Any, Literal

from proctor.core import ProctorError

from ._call import SkillCall
from ._skills import COMPAT_SKILLS, SKILLS, Skill

# The words of the prompts, English and Chinese. Both say the same, sentence by sentence.

Language = Literal["en", "zh"]


@dataclass(frozen=True, slots=True)
class Texts:
    """The sentences of one language; braces are filled in."""

    role: str
    rules: tuple[str, ...]
    skills: str
    skill_line: str
    needs: Mapping[str, str]
    toys: str
    schema: str
    example: str
    question: str
    clean: str
    marked: str
    cameras: Mapping[str, str]
    instruction: str
    request: str
    request_cot: str
    shot_reasoning: str
    shot_item: str


_EN = Texts(
    role=(
        "You plan for a robot arm with one gripper at a table. You are given pictures of the table and an instruction, "
        "and you answer with the list of skill calls that carries it out."
    ),
    rules=(
        "Every view is shown twice: as it is, and with outlines and numbers. A number stands for the same thing in all "
        "views. Refer to things by their numbers.",
        'A thing that no view shows has no number. Refer to it by its name in English, such as "mug". The table '
        'has no number either: call it "table".',
        "The gripper holds one thing at a time. A skill that needs something in the hand acts on what was picked last.",
        "Left and right, near and far are as seen from the robot, which stands at the lower edge of the first view.",
        "Do what is asked and nothing else: every call that is not needed counts against the plan.",
    ),
    skills="Skills:",
    skill_line="- {call}: {meaning}. {needs}.",
    needs=MappingProxyType(
        {
            "free": "The hand must be empty before",
            "holding": "The hand must hold something before",
            "anything": "Any state of the hand",
        }
    ),
    toys="Two calls, as an example of the form: {toys}",
    schema="The answer follows this JSON Schema; a bare list of calls is accepted too:",
    example="Example {number}.",
    question="Now your task.",
    clean="View {camera}, as it is:",
    marked="View {camera}, with numbers:",
    cameras=MappingProxyType({"agentview": "facing the robot", "head": "from the robot", "wrist": "from the hand"}),
    instruction="Instruction: {text}",
    request="Answer with one ```json block that holds the plan, and nothing after it.",
    request_cot=(
        "First think step by step. Answer with one ```json block that holds an object whose first field is "
        '"reasoning" and whose second field is "plan", and nothing after it.'
    ),
    shot_reasoning="{items}. The plan does what is asked, in an order in which the hand is free when it must be.",
    shot_item="number {number} is {name}",
)

_ZH = Texts(
    role="你为桌旁一台带单个夹爪的机械臂做规划。你会看到桌面的图片和一条指令,请回答完成该指令的技能调用列表。",
    rules=(
        "每个视角给出两张图:原图,以及带轮廓和编号的图。同一编号在所有视角中代表同一物体。请用编号指代物体。",
        '任何视角都看不到的物体没有编号,请用它的英文名称指代,例如 "mug"。桌子也没有编号,请写 "table"。',
        "夹爪一次只能拿一个物体。需要手中有物体的技能作用于最近抓起的物体。",
        "左右远近以机器人的视角为准,机器人位于第一个视角的下边缘。",
        "只做指令要求的事:每个多余的调用都会扣分。",
    ),
    skills="技能:",
    skill_line="- {call}:{meaning}。{needs}。",
    needs=MappingProxyType(
        {"free": "执行前手必须为空", "holding": "执行前手中必须有物体", "anything": "对手的状态没有要求"}
    ),
    toys="两个调用的格式示例:{toys}",
    schema="回答须符合以下 JSON Schema;也可以只给出调用列表:",
    example="示例 {number}。",
    question="现在是你的任务。",
    clean="视角“{camera}”,原图:",
    marked="视角“{camera}”,带编号:",
    cameras=MappingProxyType(
        {
            "agentview": "面向机器人",
            "head": "从机器人看",
            "wrist": "从手上看",
            "left": "左侧",
            "right": "右侧",
        }
    ),
    instruction="指令:{text}",
    request="请用一个 ```json 代码块给出规划,其后不要再写任何内容。",
    request_cot=(
        '请先逐步思考。用一个 ```json 代码块给出一个对象,第一个字段是 "reasoning",第二个字段是 "plan",'
        "其后不要再写任何内容。"
    ),
    shot_reasoning="{items}。该规划完成指令,并且在需要空手时手是空的。",
    shot_item="编号 {number} 是 {name}",
)

TEXTS: Mapping[Language, Texts] = MappingProxyType({"en": _EN, "zh": _ZH})


LEAST_TOKENS = {False: 1024, True: 4096}
"""What an answer may need, without and with reasoning; shorter limits cut answers off."""
_TYPES = {"object": "mark", "target": "mark", "seconds": "number"}
_TOYS = (SkillCall("pick", {"object": 7}), SkillCall("place", {"target": 2}))


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
    plan: tuple[SkillCall, ...] = ()
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


def answer_json(calls: Sequence[SkillCall], reasoning: str | None = None) -> str:
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


def _plain(call: SkillCall) -> dict[str, Any]:
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
