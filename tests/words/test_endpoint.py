"""The four stages against a real HTTP server of our own, and every way in which an endpoint can fail."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from goal_scene import TASKS

from proctor.core import StoreError
from proctor.core.chat import Chat, ChatError
from proctor.tasks.words import (
    Cell,
    LanguageError,
    generate_with_endpoint,
    parse_cells,
    read_judgement,
    read_list,
)

Answer = Callable[[dict[str, Any]], tuple[int, bytes]]


class FakeEndpoint:
    """A chat server whose answers a test decides; it keeps every request."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.answer: Answer = lambda request: said("[]")
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(body)
                status, raw = outer.answer(body) if self.path == "/v1/chat/completions" else (404, b"")
                self.send_response(status)
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def said(text: str) -> tuple[int, bytes]:
    return 200, json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}).encode()


@pytest.fixture
def fake() -> Iterator[FakeEndpoint]:
    endpoint = FakeEndpoint()
    yield endpoint
    endpoint.close()


def model(request: dict[str, Any]) -> tuple[int, bytes]:
    """A small "language model" for put the bowl on the plate, wrong now and then."""
    prompt = request["messages"][1]["content"]
    if "Rewritten:" in prompt:
        return said('{"valid": %s, "reason": "r"}' % ("false" if "soup dish" in prompt else "true"))
    if "Version with other names: " in prompt:
        names = re.search(r"other names: put (.*) on (.*)\n", prompt)
        assert names is not None
        return said(f'["I need {names[1]} on {names[2]}"]')
    if "same_polarity_habitual" in prompt:
        texts = ["put the basin on the plate", "put the soup dish on the plate", "put the mug on the plate"]
        return said("Here you are:\n```json\n" + json.dumps(texts) + "\n```")
    return said(json.dumps(["I need the bowl on the plate", "I need the bowl under the plate", "I want the bowl off"]))


def run(fake: FakeEndpoint, out: Path, cells: str) -> list[tuple[str, str]]:
    endpoint = Chat(fake.url, "m", timeout_s=5, retries=0)
    judge = Chat(fake.url, "judge", timeout_s=5, retries=0)
    found = generate_with_endpoint([TASKS[3]], parse_cells(cells), endpoint, judge, out, per_task=3)
    return [(str(item.cell), item.text) for item in found]


def test_four_stages_keep_only_what_rules_and_verifier_accept(fake: FakeEndpoint, tmp_path: Path):
    fake.answer = model
    assert run(fake, tmp_path / "j", "hab/none,none/need,hab/need") == [
        ("same_polarity_habitual/none", "put the basin on the plate"),
        ("none/need_statement", "I need the bowl on the plate"),
        ("same_polarity_habitual/need_statement", "I need the basin on the plate"),
    ]
    judged = [r["messages"][1]["content"] for r in fake.requests if r["model"] == "judge"]
    # What our rules refuse is never put to the verifier.
    assert not any("mug" in prompt or "under" in prompt for prompt in judged)


def test_the_same_call_again_asks_nothing_and_gives_the_same(fake: FakeEndpoint, tmp_path: Path):
    fake.answer = model
    first = run(fake, tmp_path / "j", "hab/need")
    asked = len(fake.requests)
    assert run(fake, tmp_path / "j", "hab/need") == first
    assert len(fake.requests) == asked


def test_a_broken_connection_costs_one_answer(fake: FakeEndpoint, tmp_path: Path):
    count = 0

    def failing(request: dict[str, Any]) -> tuple[int, bytes]:
        nonlocal count
        count += 1
        return model(request) if count <= 3 else (400, b"")

    fake.answer = failing
    with pytest.raises(ChatError, match="answered 400"):
        run(fake, tmp_path / "j", "hab/need")
    fake.answer = model
    before = len(fake.requests)
    assert run(fake, tmp_path / "j", "hab/need")
    again = len(fake.requests) - before
    fake.requests.clear()
    run(fake, tmp_path / "fresh", "hab/need")
    assert again == len(fake.requests) - 3


def test_a_line_cut_short_is_asked_again_and_a_foreign_file_is_refused(fake: FakeEndpoint, tmp_path: Path):
    fake.answer = model
    first = run(fake, tmp_path / "j", "hab/none")
    text = (tmp_path / "j").read_text()
    (tmp_path / "j").write_text(text[:-20])
    assert run(fake, tmp_path / "j", "hab/none") == first
    asked = len(fake.requests)
    assert run(fake, tmp_path / "j", "hab/none") == first
    assert len(fake.requests) == asked
    (tmp_path / "x").write_text("hello\nworld\n")
    with pytest.raises(StoreError, match="x:1: damaged line"):
        run(fake, tmp_path / "x", "hab/none")


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda request: (200, b"<html>"), "something that is not JSON"),
        (lambda request: (200, b'{"error": "x"}'), "without choices"),
        (lambda request: (200, b'{"choices": [{"message": {"content": 7}}]}'), "is no text"),
        (lambda request: (200, b'{"choices": [{"message": {"content": null}}]}'), "without a JSON array of strings"),
        (lambda request: (401, b""), "answered 401 Unauthorized: set PROCTOR_ENDPOINT_KEY"),
        (lambda request: (404, b""), "answered 404"),
        (lambda request: said("I cannot help with that."), "without a JSON array"),
        (lambda request: said('{"texts": ["a"]} and [1, 2]'), "without a JSON array of strings"),
    ],
)
def test_a_wrong_answer_is_one_clear_line(fake: FakeEndpoint, tmp_path: Path, answer: Answer, says: str):
    fake.answer = answer
    with pytest.raises(ChatError, match=says) as caught:
        run(fake, tmp_path / "j", "hab/none")
    assert "\n" not in str(caught.value)


def test_cells_and_answers_are_checked(tmp_path: Path):
    here = Chat("http://localhost:9", "m", retries=0)
    with pytest.raises(LanguageError, match="compound cells come from the grammar"):
        generate_with_endpoint(TASKS[:1], [Cell(None, "addition_deletion+hint")], here, here, tmp_path / "j")
    assert read_list('Sure: ["a  b", ""]') == ["a b"]
    assert read_judgement('```{"valid": false}```') is False
    with pytest.raises(ChatError, match="verifier answered without"):
        read_judgement("yes")
