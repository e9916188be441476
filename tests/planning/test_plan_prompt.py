"""Laws of the prompts: order, what each option changes and what it leaves, and that shots answer in the asked form."""

from __future__ import annotations

import base64
import itertools
import json
from typing import Any

import pytest

from proctor.core import ProctorError
from proctor.planning import (
    COMPAT_SKILLS,
    SKILLS,
    Asked,
    Picture,
    PromptOptions,
    SkillCall,
    messages,
    parse,
    plan_schema,
)

PNG = b"\x89PNG\r\n\x1a\n"
OPTIONS = [
    PromptOptions(language, cot, skills)
    for language, cot, skills in itertools.product(("en", "zh"), (False, True), ("full", "compat"))
]


def _asked(number: int) -> Asked:
    pictures = tuple(
        Picture(
            camera, PNG + f"clean {camera} {number}".encode(), b"\xff\xd8\xff" + f"marked {camera} {number}".encode()
        )
        for camera in ("head", "left")
    )
    plan = (SkillCall("pick", {"object": number}), SkillCall("place", {"target": 40 + number}))
    return Asked(pictures, f"instruction number {number}", plan, {number: "mug", 40 + number: "tray"})


def _flat(built: list[dict[str, Any]]) -> list[str]:
    """Return all texts and pictures in the order in which a model reads them."""
    read = []
    for message in built:
        content = message["content"]
        for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if part["type"] == "text":
                read.append(part["text"])
            else:
                head, _, data = part["image_url"]["url"].partition(";base64,")
                assert head in ("data:image/png", "data:image/jpeg")
                read.append(base64.b64decode(data).decode("latin-1"))
    return read


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("shots", [0, 1, 3])
def test_everything_is_there_once_and_in_order(options: PromptOptions, shots: int) -> None:
    built = messages(_asked(9), [_asked(k) for k in range(1, shots + 1)], options)
    assert [m["role"] for m in built] == ["system", *["user", "assistant"] * shots, "user"]
    read = "\n".join(_flat(built))
    places = [read.index(SKILLS["pick"].meaning_zh if options.language == "zh" else SKILLS["pick"].meaning)]
    places.append(read.index('"plan"'))
    for number in (*range(1, shots + 1), 9):
        for kind in ("clean head", "marked head", "clean left", "marked left"):
            assert read.count(f"{kind} {number}") == 1
            places.append(read.index(f"{kind} {number}"))
        places.append(read.index(f"instruction number {number}"))
    assert places == sorted(places)
    # The question's own plan is nowhere.
    assert '"object": 9' not in read


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_shots_answer_in_the_form_that_is_asked_for(options: PromptOptions) -> None:
    built = messages(_asked(9), [_asked(1)], options)
    parsed = parse(built[2]["content"])
    assert parsed.kind == "ok"
    assert parsed.calls == _asked(1).plan
    assert bool(parsed.reasoning) is options.cot


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_only_the_chosen_skills_are_offered(options: PromptOptions) -> None:
    text = messages(_asked(9), (), options)[0]["content"]
    offered = {name for name in SKILLS if f"- {name}(" in text}
    assert offered == set(COMPAT_SKILLS if options.skills == "compat" else SKILLS)
    schema = json.loads(text[text.index('{"type": "object"') :])
    named = {n for choice in schema["$defs"]["call"]["oneOf"] for n in choice["properties"]["skill"]["enum"]}
    assert named == offered


def test_equal_questions_give_equal_bytes_and_options_show() -> None:
    built = {str(options): json.dumps(messages(_asked(9), [_asked(1)], options)) for options in OPTIONS}
    again = {str(options): json.dumps(messages(_asked(9), [_asked(1)], options)) for options in OPTIONS}
    assert built == again
    assert len(set(built.values())) == len(OPTIONS)


def test_the_schema_allows_what_we_write_and_nothing_unknown() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    check = jsonschema.Draft202012Validator(plan_schema())
    roles = {"object": 3, "target": 4, "seconds": 2}
    for skill in SKILLS.values():
        call = {"skill": skill.name, "args": {role: roles[role] for role in skill.roles}}
        assert check.is_valid({"plan": [call]}), skill.name
        assert not check.is_valid({"plan": [call | {"args": call["args"] | {"speed": 1}}]}), skill.name
        if skill.roles:
            assert not check.is_valid({"plan": [call | {"args": {}}]}), skill.name
    assert not check.is_valid({"plan": [{"skill": "teleport", "args": {"object": 3}}]})


def test_a_file_that_is_no_picture_is_refused() -> None:
    bad = Asked((Picture("head", b"GIF89a", PNG),), "do it")
    with pytest.raises(ProctorError, match="neither PNG nor JPEG"):
        messages(bad)
