"""What a policy tells of an episode, on its page."""

from __future__ import annotations

import json
from typing import Any

import made_runs
import pytest

from proctor.report._policy_notes import NotedCall, policy_notes_of


def _row(notes: Any) -> Any:
    return made_runs.episode(policy_notes=notes if isinstance(notes, str) else json.dumps(notes))


def test_calls_and_facts_are_told_apart() -> None:
    log = [{"step": 0, "call": "pick(3)"}, {"step": 40, "call": "press(4)", "error": "cannot", "text": "no button"}]
    told = policy_notes_of(_row({"ended": "done", "log": log, "tokens_in": 1200}))
    assert told is not None
    assert told.calls == (NotedCall("0", "pick(3)", ""), NotedCall("40", "press(4)", "cannot: no button"))
    assert told.facts == (("ended", "done"), ("tokens_in", "1200"))


@pytest.mark.parametrize("notes", ["{}", "[1]", "no json", "null", ""])
def test_nothing_told_is_nothing_shown(notes: str) -> None:
    assert policy_notes_of(_row(notes)) is None


@pytest.mark.parametrize("log", [7, [1, 2], [{"step": 1}], {"call": "x"}])
def test_notes_of_any_form_are_facts(log: Any) -> None:
    told = policy_notes_of(_row({"log": log}))
    assert told is not None
    assert told.calls == ()
    assert told.facts == (("log", json.dumps(log)),)
