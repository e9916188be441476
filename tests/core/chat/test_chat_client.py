"""The chat client against a server of our own: what it sends, reads, how it waits, and that it keeps the key."""

from __future__ import annotations

import contextlib
import email.utils
import json
import socketserver
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from chat_server import ChatServer, Said, said

from proctor.core.chat import Chat, ChatError, ChatTimeoutError, Reply
from proctor.core.chat import _client as client

KEY = "sk-do-not-tell-9431"
ASK = [{"role": "user", "content": "hello"}]


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the pauses that the client would have made."""
    taken: list[float] = []
    monkeypatch.setattr(client.time, "sleep", taken.append)
    return taken


def test_settings_are_sent_and_usage_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with ChatServer(lambda _: said("hi", usage=(120, 7))) as server:
        chat = Chat(
            server.url, "big", temperature=0.0, max_tokens=64, seed=5, key_variable="MY_KEY", extra={"top_p": 1}
        )
        reply = chat.ask(ASK)
    assert (reply.text, reply.finish, reply.tokens_in, reply.tokens_out) == ("hi", "stop", 120, 7)
    assert (reply.tries, reply.model) == (1, "fake-1")
    sent = server.requests[0]
    assert sent == {"model": "big", "messages": ASK, "temperature": 0.0, "max_tokens": 64, "seed": 5, "top_p": 1}
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_both_forms_of_the_address_are_the_same() -> None:
    short, full = Chat("http://h/v1/", "m"), Chat("http://h/v1/chat/completions", "m")
    assert short.address == full.address == "http://h/v1/chat/completions"


def test_parts_of_text_are_one_text() -> None:
    parts = [{"type": "text", "text": "Here: "}, {"type": "image_url"}, "[]"]
    with ChatServer(lambda _: said(parts)) as server:
        assert Chat(server.url, "m", retries=0).ask(ASK).text == "Here: []"


@pytest.mark.parametrize("finish", ["length", "tool_calls", "stop"])
def test_no_words_are_an_answer(finish: str) -> None:
    """A model whose tokens ran out while it was thinking has answered: with nothing."""
    with ChatServer(lambda _: said(None, finish, reasoning_content="The apple")) as server:
        reply = Chat(server.url, "m", retries=0).ask(ASK)
    assert (reply.text, reply.finish) == ("", finish)


@pytest.mark.parametrize("content", [3, {"text": "x"}, True])
def test_content_of_another_kind_is_an_error(content: Any) -> None:
    with ChatServer(lambda _: said(content)) as server, pytest.raises(ChatError, match="no text"):
        Chat(server.url, "m", retries=0).ask(ASK)


@pytest.mark.parametrize("message", ["a refusal", [], None, {"role": "assistant"}])
def test_no_message_is_an_error(message: Any) -> None:
    body = json.dumps({"choices": [{"message": message}]}).encode()
    with ChatServer(lambda _: Said(body)) as server, pytest.raises(ChatError, match="is it a chat API"):
        Chat(server.url, "m", retries=0).ask(ASK)


def test_who_speaks_no_http_is_an_error() -> None:
    with _greeting(b"SSH-2.0-OpenSSH\r\n") as url, pytest.raises(ChatError, match="speaks no HTTP: SSH"):
        Chat(url, "m", retries=0).ask(ASK)


def test_who_hangs_up_is_asked_again(naps: list[float]) -> None:
    with _greeting(b"") as url, pytest.raises(ChatError, match=r"hung up: .*gave up after 3 tries"):
        Chat(url, "m", retries=2).ask(ASK)
    assert len(naps) == 2


@pytest.mark.parametrize(
    "words",
    [
        b'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"choices": [{"mess',
        b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n900\r\n{"choices": [{"mess',
    ],
)
def test_who_hangs_up_in_the_middle_of_an_answer_is_asked_again(words: bytes, naps: list[float]) -> None:
    with _greeting(words) as url, pytest.raises(ChatError, match=r"hung up: .*gave up after 2 tries"):
        Chat(url, "m", retries=1).ask(ASK)
    assert len(naps) == 1


def test_an_answer_without_end_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "LARGEST_BODY", 1 << 20)
    with ChatServer(lambda _: said("a" * (2 << 20))) as server, pytest.raises(ChatError, match="more than 1 MiB"):
        Chat(server.url, "m", retries=3).ask(ASK)
    assert len(server.requests) == 1


@pytest.mark.parametrize("pause", ["nan", "soon", ""])
def test_a_pause_that_is_no_time_is_none(pause: str, naps: list[float]) -> None:
    answers = [Said(status=429, headers={"Retry-After": pause}), said("done")]
    with ChatServer(lambda _: answers[len(server.requests) - 1]) as server:
        assert Chat(server.url, "m", retries=1, pause_s=1.0).ask(ASK).text == "done"
    assert 1.0 <= naps[0] <= 1.5


@contextlib.contextmanager
def _greeting(words: bytes) -> Iterator[str]:
    """Serve whoever connects with ``words``, and hang up."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while self.rfile.readline().strip():
                pass
            self.wfile.write(words)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()


def test_the_server_says_how_long_to_wait(naps: list[float]) -> None:
    soon = email.utils.formatdate(time.time() + 30, usegmt=True)
    answers = [
        Said(status=429, headers={"Retry-After": "7"}),
        Said(status=503, headers={"Retry-After": soon}),
        Said(status=429, headers={"Retry-After": "86400"}),
        Said(status=500),
        said("done"),
    ]
    with ChatServer(lambda _: answers[len(server.requests) - 1]) as server:
        reply = Chat(server.url, "m", retries=4, pause_s=1.0).ask(ASK)
    assert (reply.text, reply.tries) == ("done", 5)
    assert naps[0] == 7.0
    assert 20.0 < naps[1] <= 30.0
    assert naps[2] == client.LONGEST_PAUSE_S
    assert 8.0 <= naps[3] <= 12.0


def test_giving_up_says_why(naps: list[float]) -> None:
    with (
        ChatServer(lambda _: Said(status=429)) as server,
        pytest.raises(ChatError, match=r"answered 429 .*gave up after 3 tries"),
    ):
        Chat(server.url, "m", retries=2).ask(ASK)
    assert len(server.requests) == 3
    assert len(naps) == 2


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'{"error": {"message": "the prompt has 9000 tokens,\\nat most 8192 fit"}}', "at most 8192 fit"),
        (b'{"error": "no model of that name"}', "no model of that name"),
        (b'{"detail": "no image input"}', "no image input"),
        (b"out of memory", "out of memory"),
        (b"<html><p>oops</p></html>", "answered 400 Bad Request$"),
    ],
)
def test_what_the_server_says_is_wrong_is_told(body: bytes, told: str) -> None:
    with ChatServer(lambda _: Said(body, status=400)) as server, pytest.raises(ChatError, match=told) as caught:
        Chat(server.url, "m", retries=0).ask(ASK)
    assert "\n" not in str(caught.value)


def test_a_body_that_drips_is_a_timeout() -> None:
    enough = threading.Event()

    def drip() -> Iterator[bytes]:
        while not enough.is_set():
            yield b" "
            enough.wait(0.02)

    with ChatServer(lambda _: Said(drip())) as server:
        try:
            with pytest.raises(ChatTimeoutError, match=r"no answer within 0\.3 s"):
                Chat(server.url, "m", timeout_s=0.3, retries=0).ask(ASK)
        finally:
            enough.set()


def test_a_refusal_is_an_answer() -> None:
    with ChatServer(lambda _: said(None, refusal="I will not.")) as server:
        reply = Chat(server.url, "m", retries=0).ask(ASK)
    assert (reply.text, reply.refusal) == ("", "I will not.")


@pytest.mark.parametrize(
    "echo",
    [
        said(f"your key is {KEY}"),
        Said(f"<html>{KEY}".encode()),
        Said(json.dumps({"error": {"message": f"no such key: {KEY}"}}).encode(), status=400),
        Said(b"x" * 185 + b" " + KEY.encode(), status=400),
        Said(b"x" * 48 + KEY.encode()),
        said("x", KEY),
        said(None, refusal=KEY),
        Said(status=302, headers={"Location": f"http://127.0.0.1:9/{KEY}"}),
        Said(json.dumps({"model": KEY, "choices": [{"message": {"content": "x"}}]}).encode()),
    ],
    ids=["answer", "garbage", "error", "long error", "long garbage", "finish", "refusal", "redirect", "model name"],
)
def test_the_key_comes_back_in_nothing(echo: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROCTOR_ENDPOINT_KEY", KEY)
    told: Reply | str
    with ChatServer(lambda _: echo) as server:
        chat = Chat(server.url, "m", retries=0)
        try:
            told = chat.ask(ASK)
        except ChatError as error:
            told = f"{error!r} {error.__cause__!r}"
    assert server.headers[0]["Authorization"].endswith(KEY)
    assert KEY[:8] not in repr(told)
    assert KEY not in repr(chat)


def test_no_redirection_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key is for the host it was given for."""
    monkeypatch.setenv("PROCTOR_ENDPOINT_KEY", KEY)
    with ChatServer(lambda _: said("stolen")) as thief:
        there = {"Location": thief.url + "/chat/completions"}
        with (
            ChatServer(lambda _: Said(status=307, headers=there)) as server,
            pytest.raises(ChatError, match="answered 307"),
        ):
            Chat(server.url, "m", retries=0).ask(ASK)
    assert thief.requests == []


@pytest.mark.parametrize("usage", [{}, {"prompt_tokens": "many"}, {"prompt_tokens": -1}, None, 3])
def test_odd_usage_is_no_usage(usage: Any) -> None:
    body = json.dumps({"choices": [{"message": {"content": "x"}}], "usage": usage}).encode()
    with ChatServer(lambda _: Said(body)) as server:
        assert Chat(server.url, "m", retries=0).ask(ASK).tokens_in is None
