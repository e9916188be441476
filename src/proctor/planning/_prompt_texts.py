"""The words of the prompts, English and Chinese. Both say the same, sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

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
