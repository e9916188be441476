"""The examination end to end, against a chat server on this host: every class of answer, resuming, and the key."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer, Said, said

from proctor.core import ProctorError
from proctor.planning import load_model
from proctor.report import summarise_plans
from proctor.results import Episode, read_episodes, read_history, read_run

KEY = "sk-a-secret-that-must-not-be-told-77"
TASKS = "arena/static_obstacles/L0"


def _instruction(request: dict[str, Any]) -> str:
    texts = [part["text"] for part in request["messages"][-1]["content"] if part["type"] == "text"]
    return next(text for text in texts if text.startswith("Instruction: ")).removeprefix("Instruction: ")


def _right(request: dict[str, Any]) -> str:
    """Answer "Pick the X and place it on the Y" in words, which name exactly one thing each."""
    found = re.search(
        r"[Pp]ick (?:up )?the (.+?) and place it (?:on|in|into|onto) the (.+?)\.?$", _instruction(request)
    )
    assert found is not None, _instruction(request)
    plan = [{"skill": "pick", "args": {"object": found[1]}}, {"skill": "place", "args": {"target": found[2]}}]
    return f"```json\n{json.dumps(plan)}\n```"


def _command(url: str, out: Path, *more: str) -> list[str]:
    words = ["plan-eval", TASKS, "--model", url, "--model-name", "fake", "--views", "agentview", "--shots", "0"]
    return [sys.executable, "-m", "proctor", *words, "-n", "2", "--limit", "8", "-o", str(out), *more]


def _run(url: str, out: Path, *more: str, key: str = KEY) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MY_SECRET": key}
    command = _command(url, out, "--api-key-env", "MY_SECRET", *more)
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)


@pytest.fixture(scope="module")
def examined(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Any, ChatServer]]:
    """A run whose eight questions get eight kinds of answer, some only after a busy server was asked again."""
    release = threading.Event()
    kinds: dict[str, int] = {}

    def answer(request: dict[str, Any]) -> Said:
        text = json.dumps(request["messages"])
        number = kinds.setdefault(text, len(kinds))
        again = sum(json.dumps(r["messages"]) == text for r in server.requests) > 1
        if number == 1 and not again:
            return Said(status=429, headers={"Retry-After": "0"})
        if number == 2 and not again:
            return Said(status=500)
        if number == 7:
            release.wait(30)
        scripted = [
            said(_right(request), usage=(1000, 50)),
            said('[{"skill": "pick", "args": {"object": 99}}]', usage=(1000, 10)),
            said("I would take the fruit and put it down. " + KEY, usage=(1000, 10)),
            said("I'm sorry, but I can't help with that.", usage=(1000, 10)),
            said(_right(request)[:40], "length", usage=(1000, 5)),
            said('"pick and place"'),
            said(None, "content_filter", refusal="No."),
            said("too late"),
        ]
        return scripted[number]

    out = tmp_path_factory.mktemp("examined") / "run"
    with ChatServer(answer) as server:
        done = _run(
            server.url, out, "-c", "1", "--timeout", "3", "--retries", "1", "--price-in", "2", "--price-out", "10"
        )
        release.set()
        yield out, done, server


def test_every_class_of_answer_is_told_apart(examined: tuple[Path, Any, ChatServer]) -> None:
    out, done, _ = examined
    assert [_verdict(row) for row in read_history(out)] == [
        "ok",
        "ok",
        "no_json",
        "refused",
        "cut_off",
        "wrong_type",
        "refused",
        "timeout",
    ]
    # One question ended in an error.
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr


def _verdict(row: Episode) -> str:
    assert row.plan is not None
    return row.plan.verdict


def test_right_is_exact_and_wrong_is_not(examined: tuple[Path, Any, ChatServer]) -> None:
    rows = read_history(examined[0])
    assert {row.kind for row in rows} == {"plan"}
    right, wrong, *others = [row.plan for row in rows]
    assert (right.exact, right.runs, right.scores["score"]) == (True, True, 1.0)
    assert (wrong.exact, wrong.runs) == (False, False)
    assert wrong.why_not == ("'99' names nothing in the scene",)
    assert right.verdicts == ("credited", "credited")
    assert all(not plan.exact and not plan.scores.get("score") for plan in others)
    assert wrong.tries == 2
    assert [row.outcome.success for row in rows] == [True, *[False] * 6, None]
    assert all(row.costs is None for row in rows)


def test_figures_count_answers_and_not_errors(examined: tuple[Path, Any, ChatServer]) -> None:
    out, done, _ = examined
    summary = summarise_plans(read_episodes(out))
    assert (summary.whole.exact.k, summary.whole.exact.n) == (1, 7)
    assert (summary.whole.answers, summary.whole.errors) == (7, 1)
    assert summary.tokens_in == 5000
    assert summary.uncounted == 2
    assert summary.price_usd == pytest.approx((5000 * 2 + 85 * 10) / 1e6)
    assert "refused 2" in done.stdout
    assert "cost 0.0108" in done.stdout or "cost 0.0109" in done.stdout


def test_the_key_is_sent_and_is_nowhere_else(examined: tuple[Path, Any, ChatServer]) -> None:
    out, done, server = examined
    assert all(headers["Authorization"] == f"Bearer {KEY}" for headers in server.headers)
    files = [path for path in out.rglob("*") if path.is_file()]
    assert len(files) > 20
    for path in files:
        assert KEY.encode() not in path.read_bytes(), path
    assert KEY not in done.stdout + done.stderr
    assert not any(KEY in json.dumps(request) for request in server.requests)


def test_pages_show_views_prompt_answer_and_verdict(examined: tuple[Path, Any, ChatServer]) -> None:
    report = examined[0] / "report"
    plans = (report / "plans.html").read_text()
    for row in read_episodes(examined[0]):
        page = (report / "episode" / f"{row.episode_id}.html").read_text()
        assert f"episode/{row.episode_id}.html" in plans
        pictures = re.findall(r'src="(\.\./views/[^"]+)"', page)
        assert any(name.endswith("agentview_marked.png") for name in pictures)
        assert all((report / "episode" / name).resolve().is_file() for name in pictures)
        assert row.language.sent in page
        assert "You plan for a robot arm" in page
        assert "credited" in page or not row.plan.exact


def test_what_reads_runs_reads_plans_and_says_what_they_lack(examined: tuple[Path, Any, ChatServer]) -> None:
    from typer.testing import CliRunner

    from proctor.cli import app

    for words in (["stats", "summary"], ["stats", "scores"], ["failures"]):
        result = CliRunner().invoke(app, [*words, str(examined[0])], catch_exceptions=False)
        assert result.exit_code == 0
        assert "no cost, film" in result.output or words[1:] == ["scores"]
    assert "no plan" in result.output
    assert (examined[0] / "episodes.parquet").exists()


def test_the_same_command_asks_only_what_has_no_answer(examined: tuple[Path, Any, ChatServer]) -> None:
    out, _, _ = examined
    before = read_history(out)
    with ChatServer(lambda request: said(_right(request))) as server:
        done = _run(server.url, out, "-c", "1")
        assert done.returncode == 0, done.stderr
        assert len(server.requests) == 1
        again = _run(server.url, out, "-c", "1")
        assert (again.returncode, len(server.requests)) == (0, 1)
    after = read_history(out)
    assert after[:8] == before
    assert [(_verdict(row), row.attempt) for row in after[8:]] == [("ok", 2)]
    other = _run("http://127.0.0.1:9/v1", out, "--cot")
    assert other.returncode == 2
    assert "holds another run" in other.stderr
    assert other.stderr.count("\n") == 1


def test_killed_at_any_moment_no_answer_is_lost_or_asked_twice(tmp_path: Path) -> None:
    out = tmp_path / "run"
    asked: list[str] = []
    fifth, release = threading.Event(), threading.Event()

    def answer(request: dict[str, Any]) -> Said:
        asked.append(json.dumps(request["messages"]))
        if len(asked) >= 5 and not release.is_set():
            fifth.set()
            release.wait(60)
        return said(_right(request))

    with ChatServer(answer) as server:
        command = _command(server.url, out, "-c", "1")
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            assert fifth.wait(240)
        finally:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        kept = read_history(out)
        assert len(kept) == 4
        with (out / "episodes.jsonl").open("ab") as file:
            file.write(b'{"id": "torn')
        release.set()
        done = _run(server.url, out, "-c", "1")
    assert done.returncode == 0, done.stderr
    rows = read_episodes(out)
    assert len(rows) == 8
    assert all(_verdict(row) == "ok" for row in rows)
    assert rows[:4] == kept
    # Four questions once, the fifth twice (it had no answer), three once.
    assert len(asked) == 9
    assert len(set(asked)) == 8


def test_a_server_that_is_down_is_one_line_and_not_every_question(tmp_path: Path) -> None:
    done = _run("http://127.0.0.1:9/v1", tmp_path / "run", "-c", "1", "--retries", "0")
    assert done.returncode == 1
    assert "gave up: endpoint http://127.0.0.1:9/v1/chat/completions cannot be reached" in done.stderr
    assert len(read_history(tmp_path / "run")) == 5


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--model", "nonsense"], "write http://host:port/v1"),
        (["--model", "http://localhost:1/v1"], "name the model too"),
        (["--model", "no_such_module_x:f"], "No module named"),
        (["--model", "json:nothing"], "has no 'nothing'"),
        (["--model", "json:__doc__"], "not a callable"),
        (["--model", "json:dumps", "--views", "moon"], "choose from"),
        (["--model", "json:dumps", "--api-key-env", "sk-123-456"], "not the key itself"),
        (["--model", "json:dumps", "--concurrency", "0"], "at least 1"),
        (["--model", "json:dumps", "--max-tokens", "0"], "at least 1"),
        (["--model", "json:dumps", "--temperature", "nan"], "at least 0"),
        (["--model", "localhost:8000/v1"], "write http://host:port/v1"),
        (["--model", "http://", "--model-name", "m"], "no address"),
        (["--model", "http://localhost:abc/v1", "--model-name", "m"], "no address"),
        (["--model", "http://localhost:1/v1", "--model-name", "m", "--timeout", "nan"], "timeout"),
        (["--model", "http://localhost:1/v1", "--model-name", "m", "--timeout", "inf"], "timeout"),
        (["--model", "json:dumps", "--price-in", "-3"], "at least 0"),
        (["--model", "http://me:sk-123@localhost:1/v1", "--model-name", "m"], "no user, password or query"),
        (["--model", "http://localhost:1/v1?key=sk-123", "--model-name", "m"], "no user, password or query"),
    ],
)
def test_mistakes_are_one_line(words: list[str], says: str, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from proctor.cli import app

    result = CliRunner().invoke(app, ["plan-eval", TASKS, "-o", str(tmp_path / "x"), *words])
    assert isinstance(result.exception, ProctorError)
    assert says in str(result.exception)
    assert "\n" not in str(result.exception)
    assert "sk-123" not in str(result.exception)


def test_a_few_errors_are_explained(tmp_path: Path) -> None:
    """Too few to give up: the reason still belongs on the screen."""
    with ChatServer(lambda _: Said(b'{"error": {"message": "no such key"}}', status=401)) as server:
        done = _run(server.url, tmp_path / "run", "--limit", "1")
    assert done.returncode == 1
    assert re.search(r"^1 question ended in an error, the last: .*no such key\): set MY_SECRET;", done.stderr, re.M)


@pytest.mark.parametrize("body", ["raise ValueError('not today')", "def f(:"])
def test_a_model_that_cannot_be_imported_is_one_line(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a_bad_model.py").write_text(body)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ProctorError, match=r"^--model a_bad_model:f: importing a_bad_model raised .*Error: .+$"):
        load_model("a_bad_model:f")


def test_odd_counts_of_a_function_are_no_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"text": "x", "tokens_in": "many", "tokens_out": -1, "finish": None, "refusal": None}
    (tmp_path / "an_odd_model.py").write_text(f"def f(messages):\n    return {told!r}\n")
    monkeypatch.syspath_prepend(tmp_path)
    reply = load_model("an_odd_model:f").ask([])
    assert (reply.text, reply.tokens_in, reply.tokens_out, reply.finish, reply.refusal) == ("x", None, None, "", "")


def test_answers_from_a_file_are_scored_and_a_missing_one_is_an_error(tmp_path: Path) -> None:
    """Half a pair of surrogates, and a number that JSON does not have, are kept as text."""
    task = f"{TASKS}/pick_the_apple_and_place_it_on_the_plate"
    odd = r'[{"skill": "\ud800", "args": {"object": 1}}, {"skill": "wait", "args": {"seconds": NaN}}]'
    answers = tmp_path / "mine.jsonl"
    answers.write_text(json.dumps({"task": task, "episode": 0, "answer": odd}) + "\n")
    command = ["plan-eval", task, "--model", str(answers), "-n", "2", "--shots", "0", "--views", "agentview"]
    done = subprocess.run(
        [sys.executable, "-m", "proctor", *command, "-o", str(tmp_path / "run")], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "has no answer to episode 1" in done.stderr
    first, second = sorted(read_episodes(tmp_path / "run"), key=lambda row: row.spec.episode)
    assert [call.skill for call in first.plan.calls] == [r"\ud800", "wait"]
    assert first.plan.calls[1].arguments == {"seconds": "nan"}
    assert (first.status, second.status) == ("completed", "policy_error")


@pytest.mark.parametrize(
    ("text", "says"), [("{", "line 1: "), ('{"task": "x"}', "line 1: write task, episode"), (None, "No such file")]
)
def test_a_bad_file_of_answers_is_one_line(text: str | None, says: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ProctorError, match=says) as caught:
        load_model(str(path))
    assert "\n" not in str(caught.value)


def test_a_command_that_asked_nothing_leaves_the_folder_to_the_next(tmp_path: Path) -> None:
    out = tmp_path / "run"
    url = "http://127.0.0.1:9/v1"
    assert _run(url, out, "--retries", "0", "--shots", "99").returncode == 2
    assert read_run(out)["plan"]["policy_args"]["shots"] == 99
    assert _run(url, out, "--retries", "0", "--limit", "1").returncode == 1
    again = _run(url, out, "--retries", "0", "--temperature", "1")
    assert again.returncode == 2
    assert "holds another run (temperature 0.0)" in again.stderr
    assert len(again.stderr.splitlines()) == 1
