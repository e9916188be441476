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
from proctor.planning.exam import Ledger, read_run, summarise

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


def _answer_lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(raw) for raw in (out / "answers.jsonl").read_text().splitlines() if raw.strip()]


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
    assert [line["outcome"] for line in _answer_lines(out)] == [
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


def test_right_is_exact_and_wrong_is_not(examined: tuple[Path, Any, ChatServer]) -> None:
    right, wrong, *others = _answer_lines(examined[0])
    assert (right["exact"], right["runs"], right["score"]) == (True, True, 100.0)
    assert (wrong["exact"], wrong["runs"]) == (False, False)
    assert wrong["why_not"] == ["'99' names nothing in the scene"]
    assert right["verdicts"] == ["credited", "credited"]
    assert all(not line["exact"] and line["score"] == 0 for line in others if "score" in line)
    assert wrong["tries"] == 2


def test_figures_count_answers_and_not_errors(examined: tuple[Path, Any, ChatServer]) -> None:
    out, done, _ = examined
    _, lines, executions = read_run(out)
    summary = summarise(lines, executions, (2.0, 10.0))
    assert summary.whole.exact is not None
    assert summary.whole.exact.of == (1, 7)
    assert (summary.whole.answers, summary.whole.errors) == (7, 1)
    assert summary.bill.tokens_in == 5000
    assert summary.bill.unknown == 2
    assert summary.bill.cost == pytest.approx((5000 * 2 + 85 * 10) / 1e6)
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
    out, _, _ = examined
    index = (out / "index.html").read_text()
    for line in _answer_lines(out):
        page = (out / "pages" / f"{line['id']}.html").read_text()
        assert f"pages/{line['id']}.html" in index
        for picture in re.findall(r'(?:src|href)="(\.\./views/[^"]+)"', page):
            assert (out / "pages" / picture).resolve().is_file()
        assert "agentview_marked.png" in page
        assert line["instruction"] in page
        assert "credited" in page or not line.get("exact")


def test_the_same_command_asks_only_what_has_no_answer(examined: tuple[Path, Any, ChatServer]) -> None:
    out, _, _ = examined
    before = _answer_lines(out)
    with ChatServer(lambda request: said(_right(request))) as server:
        done = _run(server.url, out, "-c", "1")
        assert done.returncode == 0, done.stderr
        assert len(server.requests) == 1
        again = _run(server.url, out, "-c", "1")
        assert (again.returncode, len(server.requests)) == (0, 1)
    after = _answer_lines(out)
    assert after[:8] == before
    assert [line["outcome"] for line in after[8:]] == ["ok"]
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
        kept = _answer_lines(out)
        assert len(kept) == 4
        with (out / "answers.jsonl").open("ab") as file:
            file.write(b'\n{"id": "torn')
        release.set()
        done = _run(server.url, out, "-c", "1")
    assert done.returncode == 0, done.stderr
    _, lines, _ = read_run(out)
    assert len(lines) == 8
    assert all(line["outcome"] == "ok" for line in lines)
    assert lines[:4] == kept
    # Four questions once, the fifth twice (it had no answer), three once.
    assert len(asked) == 9
    assert len(set(asked)) == 8


def test_a_server_that_is_down_is_one_line_and_not_every_question(tmp_path: Path) -> None:
    done = _run("http://127.0.0.1:9/v1", tmp_path / "run", "-c", "1", "--retries", "0")
    assert done.returncode == 1
    assert "gave up: endpoint http://127.0.0.1:9/v1/chat/completions cannot be reached" in done.stderr
    assert len(_answer_lines(tmp_path / "run")) == 5


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


def test_a_command_that_asked_nothing_leaves_the_folder_to_the_next(tmp_path: Path) -> None:
    out = tmp_path / "run"
    Ledger(out, {"shots": 1})
    Ledger(out, {"shots": 0}).answers.keep({"id": "a", "outcome": "error"})
    Ledger(out, {"shots": 0})
    with pytest.raises(ProctorError, match="holds another run"):
        Ledger(out, {"shots": 1})
    assert read_run(out)[0]["settings"] == {"shots": 0}
