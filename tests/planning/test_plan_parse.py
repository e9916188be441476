"""Reading answers: what fits the schema is ok, what is understood is repaired, what is not has a class."""

from __future__ import annotations

import json
from importlib import resources

import pytest

from proctor.planning import SKILLS, parse

SCHEMA = json.loads((resources.files("proctor.planning") / "data" / "plan.schema.json").read_text(encoding="utf-8"))
PLAN = [{"skill": "pick", "args": {"object": 3}}, {"skill": "place", "args": {"target": 1}}]
TEXT = json.dumps(PLAN)


@pytest.mark.parametrize(
    "answer",
    [
        TEXT,
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```\n",
        json.dumps({"reasoning": "the apple is red", "plan": PLAN}),
        f"First I looked at [this].\nThen:\n```json\n{TEXT}\n```\nDone.",
        f"```json\n[]\n```\nNo, wait:\n```json\n{TEXT}\n```",
        f"The plan is {TEXT} and nothing else",
        f"```json {TEXT}```",
        f"```{TEXT}\n```",
        f"{TEXT}\n```",
        f"{TEXT}\n```\nThat is all.",
        f"```json\r\n{TEXT}\r\n```\r\n",
        f"Marks [1] and [3] matter. {TEXT} See [2], as said.",
        f"<think>First ```json\n[]\n``` but no.</think>\n{TEXT}",
        f"```json\n{TEXT}\n```\n<think>Was that right?\n```json\n[]\n```\n</think>",
        f"<Thinking>Perhaps\n```json\n[]\n```\n</Thinking>\n{TEXT}",
        f"<think>The tag <think> begins a thought: [].</think>{TEXT}",
        f"I saw {{}}. {TEXT}\nErrors: []",
        f"苹果是 [3]，盘子是 [1]。\n```json\n{TEXT}\n```\n完成。",
        "\ufeff" + TEXT,
        f"\\boxed{{{TEXT}}}",
    ],
)
def test_what_fits_is_ok(answer: str) -> None:
    parsed = parse(answer)
    assert parsed.kind == "ok"
    assert [(call.skill, dict(call.args)) for call in parsed.calls] == [
        ("pick", {"object": 3}),
        ("place", {"target": 1}),
    ]


@pytest.mark.parametrize(
    "answer",
    [
        '[{"name": "pick", "params": {"target_entity_name": 3}}, {"name": "place", "params": {"container": 1}}]',
        '{"answer": [{"skill": "pick", "args": {"object": 3}}, {"skill": "place", "args": {"target": 1}}]}',
        '[{"skill": "pick", "object": 3}, {"skill": "place", "target": 1}]',
        '{"actions": [{"skill": "PICK", "args": {"object": 3}}, {"skill": "place", "args": {"target": 1}}]}',
    ],
)
def test_what_is_understood_is_repaired(answer: str) -> None:
    parsed = parse(answer)
    assert parsed.kind == "repaired"
    assert parsed.note
    assert [(call.skill, dict(call.args)) for call in parsed.calls] == [
        ("pick", {"object": 3}),
        ("place", {"target": 1}),
    ]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("", "no_json"),
        ("I would pick the apple.", "no_json"),
        ("Sorry, I cannot see any number [in the pictures].", "no_json"),
        (TEXT[:-5], "cut_off"),
        (f"```json\n{TEXT[:30]}", "cut_off"),
        (f"```json\n{TEXT[:30]}\n```", "cut_off"),
        ("```json\n", "cut_off"),
        ('"pick the apple"', "wrong_type"),
        ('["pick(3)", "place(1)"]', "wrong_type"),
        ('{"answer": 3}', "wrong_type"),
        ('{"plan": "pick, place"}', "wrong_type"),
        ('[{"args": {"object": 3}}]', "wrong_type"),
        ("42", "wrong_type"),
        ('[{"skill": "pick", "args": {"object": 3}}, {"skill": "place", "args": {"target": 1}},]', "no_json"),
        ("[{'skill': 'pick', 'args': {'object': 3}}]", "no_json"),
        ('```json\n[{"skill": "press", "args": {"object": 2}} // the cork\n]\n```', "no_json"),
        (f"```json\n{TEXT}\n```\nSo:\n```text\npick, place\n```", "no_json"),
        (f"First idea: {TEXT}. Better: {TEXT[:30]}", "cut_off"),
        (f"Marks [1] and [3]. {TEXT[:30]}", "cut_off"),
        (f"<think>Perhaps {TEXT}, but", "cut_off"),
        (f"<think>First.</think><think>Perhaps {TEXT}, but", "cut_off"),
        ('{"skill": "press", "args": {"object": 2}}', "wrong_type"),
        ('{"skill": "pick", "args": {"object": 3}}\n{"skill": "place", "args": {"target": 1}}', "wrong_type"),
        ('[{"skill": "pick", "args": [3]}]', "wrong_type"),
        ('[{"skill": "pick", "args": 3}]', "wrong_type"),
        (f"[{TEXT}]", "wrong_type"),
        (json.dumps({"plan": TEXT}), "wrong_type"),
        ('[{"skill": 3, "args": {"object": 3}}]', "wrong_type"),
        ("null", "no_json"),
        (json.dumps(PLAN * 31), "wrong_type"),
    ],
)
def test_what_is_not_read_has_a_class(answer: str, kind: str) -> None:
    parsed = parse(answer)
    assert parsed.kind == kind
    assert parsed.failed
    assert not parsed.calls
    assert parsed.note


def test_an_answer_that_the_server_stopped_is_cut_off_not_empty() -> None:
    assert parse("Let me think. The apple", stopped_at_limit=True).kind == "cut_off"
    assert parse(TEXT, stopped_at_limit=True).kind == "ok"


def test_every_cut_of_a_good_answer_is_cut_off() -> None:
    answer = f"```json\n{TEXT}\n```"
    first = answer.index("{") + 12
    kinds = {parse(answer[:k]).kind for k in range(first, answer.index("]\n") + 1)}
    assert kinds == {"cut_off"}


def test_an_empty_list_is_a_plan_where_there_is_no_other() -> None:
    assert parse("Nothing is to be done: []").kind == "ok"
    assert parse(f'{TEXT}\nFinally: {{"plan": []}}').calls == ()


def test_an_unknown_skill_is_a_call() -> None:
    parsed = parse('[{"skill": "teleport", "args": {"object": 3}}]')
    assert parsed.kind == "ok"
    assert [call.skill for call in parsed.calls] == ["teleport"]


def test_the_schema_names_the_skills_of_the_language() -> None:
    named: set[str] = set()
    for choice in SCHEMA["$defs"]["call"]["oneOf"]:
        skill = choice["properties"]["skill"]
        named |= set(skill.get("enum", [skill.get("const")]))
    assert named == set(SKILLS)
