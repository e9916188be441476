"""An agent behind a chat endpoint: calls good, malformed, refused and without end; counts, budgets, and the key."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer, Said, said

from proctor.core import EpisodeSpec, ProctorError
from proctor.policies.agents import LanguageAgent, UnreadableError, read_answer
from proctor.results import Episode
from proctor.run.engine import run_episode
from proctor.sim import SimEnv

KEY = "sk-the-agent-must-not-tell-this-41"


def _call(tool: str, **args: Any) -> str:
    return "Let me see.\n```json\n" + json.dumps({"tool": tool, "args": args}) + "\n```"


def _texts(request: dict[str, Any]) -> list[str]:
    parts = [message["content"] for message in request["messages"] if message["role"] != "assistant"]
    return [
        part["text"]
        for content in parts
        for part in ([{"type": "text", "text": content}] if isinstance(content, str) else content)
        if part["type"] == "text"
    ]


def _numbers(request: dict[str, Any]) -> list[int]:
    return [int(n) for text in _texts(request) for n in re.findall(r"^- (\d+) at ", text, re.MULTILINE)]


def _run(
    answer: Callable[[dict[str, Any], int], Said],
    world: SimEnv,
    spec: EpisodeSpec,
    monkeypatch: pytest.MonkeyPatch,
    **options: Any,
) -> tuple[Episode, Mapping[str, Any], ChatServer]:
    monkeypatch.setenv("PROCTOR_ENDPOINT_KEY", KEY)
    with ChatServer(lambda request: answer(request, len(server.requests))) as server:
        policy = LanguageAgent(server.url, "fake", views="head", pause_s=0.01, **options)
        policy.bind(world)
        row = run_episode(world, policy, spec)
    return row, row.policy.notes, server


def test_names_at_the_state_level_solve_the_task_and_tokens_are_counted(
    table_task: Callable[..., EpisodeSpec], world: SimEnv, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = [_call("pick", object="fruit_1"), _call("place", target="plate_1"), _call("done")]

    def answer(request: dict[str, Any], number: int) -> Said:
        return said(script[number - 1], usage=(100, 7))

    spec = table_task("Put the lemon on the plate.", "fruit_1")
    row, notes, server = _run(answer, world, spec, monkeypatch, perception="state")
    assert row.outcome.success is True, (row.error, notes)
    assert [line.call for line in row.policy.calls] == ["pick(fruit_1)", "place(plate_1)"]
    assert (notes["tokens_in"], notes["tokens_out"]) == (100 * notes["asked"], 7 * notes["asked"])
    assert all(request["model"] == "fake" for request in server.requests)
    assert "lemon" in "\n".join(_texts(server.requests[0]))
    assert not [part for part in str(server.requests[0]) if "image_url" in part]


def test_marks_show_numbers_and_no_names_and_errors_name_nothing(
    table_task: Callable[..., EpisodeSpec], world: SimEnv, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(request: dict[str, Any], number: int) -> Said:
        some = _numbers(request)[0]
        script = [
            _call("place", target=some),
            _call("press", object=some),
            _call("pick", object=99),
            _call("pick", object="the yellow one"),
            _call("look"),
            _call("done"),
        ]
        return said(script[number - 1])

    spec = table_task("Put the thing on the round one.", "fruit_1", max_steps=150)
    row, notes, server = _run(answer, world, spec, monkeypatch, perception="marks")
    assert row.status == "completed", row.error
    assert [line.error for line in row.policy.calls[2:]] == ["bad_argument", "bad_argument", ""]
    assert row.policy.calls[0].error == "cannot"
    assert notes["ended"] == "done"
    told = "\n".join(text for request in server.requests for text in _texts(request))
    assert not re.search(r"fruit_\d|plate_1|lemon|peach|goal", told)
    # The latest look has its pictures, earlier ones do not: a clean and a marked one of the one view.
    assert [str(request).count("data:image/png") for request in server.requests] == [2, 2, 2, 2, 2, 2]


def test_pixels_are_pointed_at(
    table_task: Callable[..., EpisodeSpec], world: SimEnv, monkeypatch: pytest.MonkeyPatch
) -> None:
    from proctor.planning.views import SIZE, pixel_of

    spec = table_task("Put the lemon on the plate.", "fruit_1")
    world.reset(spec)
    points = {}
    for name in ("fruit_1", "plate_1"):
        x, y, z = (float(value) for value in world.scene.com(name))
        pixel = pixel_of(world.scene, "head", (x, y, z), SIZE)
        assert pixel is not None
        points[name] = ["head", pixel[1], pixel[0]]
    script = [
        _call("pick", object=["head", 1, 1]),
        _call("pick", object=["head", 9999, 1]),
        _call("pick", object=points["fruit_1"]),
        _call("place", target=points["plate_1"]),
        _call("done"),
    ]
    row, notes, server = _run(
        lambda request, number: said(script[number - 1]), world, spec, monkeypatch, perception="pixels"
    )
    assert [line.error for line in row.policy.calls] == ["bad_argument", "bad_argument", "", ""], notes
    assert row.outcome.success is True
    assert not re.search(r"fruit_\d|plate_1", "\n".join(t for r in server.requests[:1] for t in _texts(r)))


def test_refusals_and_unreadable_answers_end_the_agent_and_not_the_run(
    table_task: Callable[..., EpisodeSpec], world: SimEnv, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = table_task("Put the lemon on the plate.", "fruit_1", max_steps=10)
    for text, ended, asked in (
        ("I'm sorry, but I can't help with that.", "refused", 1),
        ("The lemon is yellow.", "unreadable answers", 3),
        ('{"tool": 7}', "unreadable answers", 3),
        ('{"tool": "pick", "args": [3]}', "unreadable answers", 3),
    ):
        row, notes, server = _run(
            lambda request, number, text=text: said(text), world, spec, monkeypatch, perception="state"
        )
        assert (row.status, row.outcome.success, notes["ended"]) == ("completed", False, ended)
        assert len(server.requests) == notes["asked"] == asked
    told = "\n".join(_texts(server.requests[-1]))
    assert "could not be read" in told


def test_an_agent_without_end_is_stopped_by_its_budget(
    table_task: Callable[..., EpisodeSpec], world: SimEnv, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = table_task("Put the lemon on the plate.", "fruit_1", max_steps=10)

    def endless(request: dict[str, Any], number: int) -> Said:
        return said(_call("look"), usage=(1000, 1))

    _, notes, server = _run(endless, world, spec, monkeypatch, perception="state", calls=7)
    assert (notes["ended"], notes["calls"], len(server.requests)) == ("budget: calls", 7, 7)
    _, notes, server = _run(endless, world, spec, monkeypatch, perception="state", tokens=3500)
    assert (notes["ended"], notes["asked"]) == ("budget: tokens", 4)


def test_a_server_that_fails_is_an_error_of_the_policy_and_the_key_is_not_told(
    table_task: Callable[..., EpisodeSpec], world: SimEnv, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = table_task("Put the lemon on the plate.", "fruit_1", max_steps=10)
    row, _, server = _run(
        lambda request, number: Said(KEY.encode(), status=500), world, spec, monkeypatch, perception="state", retries=1
    )
    assert row.status == "policy_error"
    assert row.outcome.success is None
    assert "answered 500" in row.error
    assert len(server.requests) == 2
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    echoed, _, _ = _run(
        lambda request, number: said(f'{{"tool": "{KEY}", "args": {{}}}}'),
        world,
        spec,
        monkeypatch,
        perception="state",
        calls=2,
    )
    assert KEY not in row.to_json() + echoed.to_json()


def test_keys_are_refused_where_they_would_be_written_down() -> None:
    for options in (
        {"url": "http://user:secret@localhost:1/v1"},
        {"url": "http://localhost:1/v1?key=secret"},
        {"url": "http://localhost:1/v1", "key_env": "sk-secret"},
    ):
        with pytest.raises(ProctorError) as error:
            LanguageAgent(**options, model="m")
        assert "secret" not in str(error.value)
    with pytest.raises(ProctorError, match="perception"):
        LanguageAgent("http://localhost:1/v1", "m", perception="mark")  # type: ignore[arg-type]


def test_it_is_examined_and_resumed_like_any_policy(table_task: Callable[..., EpisodeSpec], tmp_path: Path) -> None:
    """A run whose second episode meets a dead server; the same command again asks for that one only."""
    spec = table_task("Put the lemon on the plate.", "fruit_1", max_steps=10)
    out = tmp_path / "run"
    down = [True]

    def answer(request: dict[str, Any]) -> Said:
        return Said(status=400) if down[0] and len(server.requests) > 1 else said(_call("done"), usage=(5, 5))

    with ChatServer(answer) as server:
        words = [
            "run",
            spec.task_path,
            "--policy",
            "proctor.policies.agents:LanguageAgent",
            "--policy-arg",
            f"url={server.url}",
        ]
        words += ["--policy-arg", "model=fake", "--policy-arg", "perception=state", "-n", "2", "--workers", "1"]
        command = [sys.executable, "-m", "proctor", *words, "--max-steps", "10", "--out", str(out)]
        environment = {**os.environ, "PROCTOR_ENDPOINT_KEY": KEY}
        first = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)
        assert first.returncode == 1, first.stdout + first.stderr
        down[0] = False
        again = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)
        assert again.returncode == 0, again.stdout + again.stderr
        assert len(server.requests) == 3
    for path in out.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path
    assert KEY not in first.stdout + first.stderr + again.stdout + again.stderr


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"tool": "pick", "args": {"object": 3}}', "pick(3)"),
        ('I take it. {"skill": "pick", "arguments": {"object": 3}}', "pick(3)"),
        ('{"tool": "look"} no, wait: {"tool": "pick", "args": {"object": 4}}', "pick(4)"),
        ('{"name": "pick", "arguments": "{\\"object\\": 3}"}', "pick(3)"),
        ('{"plan": {"tool": "look"}, "tool": "pull", "args": {}}', "pull()"),
    ],
)
def test_answers_are_read_in_the_forms_that_models_use(text: str, wanted: str) -> None:
    assert str(read_answer(text)) == wanted


@pytest.mark.parametrize("text", ["", "pick(3)", "{", '{"args": {}}', '{"tool": null}', '["pick"]', "{" * 5000])
def test_what_is_no_call_is_said_to_be_none(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_answer(text)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://[::1/v1", "no address"),
        ("http://localhost:abc/v1", "no address"),
        ("http:///v1", "no address"),
        ("http://localhost:1/v1#sk-123", "no user, password or query"),
        ("http://localhost:1/v1", "name the model too, as in model="),
    ],
)
def test_an_address_that_is_none_is_one_line(url: str, says: str) -> None:
    with pytest.raises(ProctorError, match=says) as caught:
        LanguageAgent(url)
    assert "\n" not in str(caught.value)
    assert "sk-123" not in str(caught.value)
