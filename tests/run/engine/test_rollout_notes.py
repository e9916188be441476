"""What a policy tells of an episode goes into its row, and costs no episode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from point_world import GoPolicy, PointEnv

from proctor.results import Episode
from proctor.run.engine import run_episode


class Telling(GoPolicy):
    """A policy with something to tell."""

    told: Any = None

    def notes(self) -> Mapping[str, Any]:
        if isinstance(self.told, Exception):
            raise self.told
        return self.told  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ({"tokens_in": 7, "log": [{"call": "pick(3)"}]}, {"tokens_in": 7}),
        ({"x": float("nan")}, "ValueError"),
        ({"x": object()}, "TypeError"),
        (RuntimeError("broken"), "RuntimeError: broken"),
        (None, "TypeError"),
    ],
)
def test_notes_are_kept_and_no_episode_is_lost_over_them(told: Any, wanted: Any, make_plan: Any) -> None:
    env, policy = PointEnv(), Telling()
    policy.told = told
    policy.bind(env)
    row = run_episode(env, policy, make_plan()[0])
    assert row.status == "completed"
    if isinstance(wanted, dict):
        assert row.policy.notes == wanted
        assert [call.call for call in row.policy.calls] == ["pick(3)"]
    else:
        assert wanted in str(row.policy.notes["error"])
    assert Episode.from_json(row.to_json()) == row


def test_a_policy_that_tells_nothing_has_empty_notes_and_they_are_no_result(make_plan: Any) -> None:
    env, policy = PointEnv(), GoPolicy()
    policy.bind(env)
    row = run_episode(env, policy, make_plan()[0])
    assert row.policy.notes == {}
    assert "policy.notes" not in row.result()
