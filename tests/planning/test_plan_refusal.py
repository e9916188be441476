"""Telling a model that declines from one that fails: the server's word, or its own, however it writes an apostrophe."""

from __future__ import annotations

import pytest

from proctor.core.chat import Reply
from proctor.planning import refuses


@pytest.mark.parametrize(
    "reply",
    [
        Reply("I'm sorry, but I can't assist with that."),
        Reply("I\u2019m sorry, but I can\u2019t assist with that."),
        Reply("As an AI, I have no hands."),
        Reply("\u62b1\u6b49\uff0c\u6211\u65e0\u6cd5\u63d0\u4f9b\u5e2e\u52a9\u3002"),
        Reply("", finish="content_filter"),
        Reply("", refusal="No."),
    ],
)
def test_who_declines_refuses(reply: Reply) -> None:
    assert refuses(reply)


@pytest.mark.parametrize(
    "text", ["", "The robot\u2019s hand is empty.", "I can place the apple.", "I'd pick the apple: no more."]
)
def test_who_only_talks_does_not(text: str) -> None:
    assert not refuses(Reply(text, finish="stop"))
