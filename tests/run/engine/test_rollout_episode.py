"""The episode loop: what it asks, what it executes, what it refuses, and that it repeats itself."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from point_world import BadPolicy, GoPolicy, PointEnv

from proctor.core import PolicySpec
from proctor.results import Episode, read_steps
from proctor.run.engine import ActionError, EpisodeOptions, Guard, PolicyTimeout, as_chunk, run_episode


def play(spec, policy=None, env=None, **options):
    env = env or PointEnv()
    policy = policy or GoPolicy()
    policy.bind(env)
    return run_episode(env, policy, spec, EpisodeOptions(**options)), env


def test_success_ends_the_episode_and_hold_takes_nine_steps_more_than_any_step(make_plan):
    hold, _ = play(make_plan()[0])
    any_step, _ = play(make_plan(success_rule="any_step")[0])
    assert hold.status == any_step.status == "completed"
    assert hold.outcome.success
    assert any_step.outcome.success
    assert hold.outcome.steps == any_step.outcome.steps + 9
    assert hold.outcome.success_time_s == pytest.approx(hold.outcome.steps / 20.0)
    assert hold.timing.policy_calls == hold.outcome.steps


def test_step_limit_ends_the_episode_inside_a_chunk(make_plan):
    row, env = play(make_plan()[0], GoPolicy(chunk=25, speed=0.001))
    assert (row.status, row.outcome.success, row.outcome.steps, env.steps) == ("completed", False, 60, 60)
    assert row.timing.policy_calls == 3


def test_a_world_that_cannot_go_on_ends_the_episode_without_success(make_plan):
    class Falling(PointEnv):
        def step(self, action):
            return replace(super().step(action), ended=self.steps == 3)

    row, env = play(make_plan()[0], GoPolicy(chunk=25, speed=0.001), Falling())
    assert (row.status, row.outcome.success, row.outcome.steps, env.steps) == ("completed", False, 3, 3)


@pytest.mark.parametrize("chunk", [1, 4])
def test_frames_are_rendered_only_when_the_policy_is_asked_and_only_its_cameras(make_plan, chunk):
    row, env = play(make_plan()[0], GoPolicy(chunk=chunk, cameras="wrist"))
    assert env.observed == [(step, ("wrist",)) for step in range(0, row.outcome.steps, chunk)]
    assert len(env.observed) == row.timing.policy_calls


def test_same_spec_same_result_and_video_or_recording_change_nothing(make_plan, tmp_path):
    spec = make_plan()[4]
    plain, _ = play(spec)
    again, _ = play(spec)
    filmed, _ = play(spec, out=tmp_path, video="all", record_steps=True, video_cameras=("agentview", "wrist"))
    assert plain.result() == again.result() == filmed.result()
    assert (tmp_path / filmed.files.video).exists()
    actions = read_steps(tmp_path / filmed.files.steps)
    assert actions.shape == (plain.outcome.steps, 7)
    assert play(make_plan(seed=8)[4])[0].outcome.trajectory_hash != plain.outcome.trajectory_hash


def test_films_of_failures_only(make_plan, tmp_path):
    good, _ = play(make_plan()[0], out=tmp_path, video="failures")
    bad, _ = play(make_plan()[1], GoPolicy(speed=0.001), out=tmp_path, video="failures")
    broken, _ = play(make_plan()[1], BadPolicy("raise", every=1), out=tmp_path / "other", video="failures")
    assert good.files.video == ""
    assert bad.files.video
    assert broken.files.video
    assert [p.name for p in (tmp_path / "videos").iterdir()] == [bad.files.video.removeprefix("videos/")]


def test_film_has_a_frame_for_the_start_and_for_every_step(make_plan, tmp_path):
    import imageio_ffmpeg

    for chunk in (1, 4):
        row, _ = play(make_plan()[0], GoPolicy(chunk=chunk), out=tmp_path, video="all")
        count, _ = imageio_ffmpeg.count_frames_and_secs(str(tmp_path / row.files.video))
        assert count == row.outcome.steps + 1


ERRORS = {
    "nan": "act() at step 3 returned nan in action 0, dimension 2 (shape (1, 7))",
    "inf": "act() at step 3 returned -inf in action 0, dimension 1 (shape (1, 7))",
    "shape": "act() at step 3 returned shape (6,), expected (7,)",
    "chunk": "act() at step 3 returned shape (2, 7), expected (7,)",
    "dtype": "act() at step 3 returned dtype <U1",
    "none": "act() at step 3 returned dtype object (NoneType)",
    "range": "act() at step 3 returned 1.5 in action 0, dimension 0, outside [-1, 1]: scale the policy's output, or "
    "clip it with --clip-actions",
    "raise": "act() at step 3 raised ValueError: bad luck (",
    "exit": "act() at step 3 raised SystemExit: 4 (",
    "reset": "reset() raised KeyError: 'no such prompt' (",
}


@pytest.mark.parametrize("how", ERRORS)
def test_a_policy_that_breaks_a_rule_is_an_error_and_not_a_failure(make_plan, how):
    row, _ = play(make_plan()[0], BadPolicy(how, every=1))
    assert row.status == "policy_error"
    assert row.outcome.success is None
    assert row.error.startswith(ERRORS[how])
    assert row.outcome.steps == (0 if how == "reset" else 3)
    assert "\n" not in row.error
    if how in ("raise", "exit", "reset"):
        assert "point_world.py:" in row.error


def test_clipping_is_asked_for_and_counted(make_plan):
    row, env = play(make_plan()[0], BadPolicy("range", every=1), clip_actions=True)
    assert row.status == "completed"
    assert row.outcome.actions_clipped == row.outcome.steps - 3
    assert np.abs(env.position).max() <= 0.05 * row.outcome.steps + 1e-12


def test_a_policy_without_an_answer_is_interrupted(make_plan):
    began = time.monotonic()
    row, _ = play(make_plan()[0], BadPolicy("sleep", every=1), policy_timeout_s=0.2)
    assert time.monotonic() - began < 2.0
    assert row.status == "policy_error"
    assert row.error == "act() at step 3 gave nothing within 0.2 s: allow more with --policy-timeout"


def test_a_late_answer_is_no_answer():
    guard = Guard(0.05)
    guard._alarm = False
    with pytest.raises(PolicyTimeout), guard.policy():
        time.sleep(0.1)
    assert not guard.interrupted


def test_an_environment_that_fails_is_not_the_policys_fault(make_plan):
    row, _ = play(make_plan()[0], env=PointEnv(fail_episode=0))
    assert (row.status, row.outcome.success) == ("infra_error", None)
    assert "RuntimeError: the floor is gone" in row.error


def test_an_outcome_that_no_row_can_hold_is_the_environments_error(make_plan):
    row, _ = play(make_plan()[0], env=PointEnv(cost=float("nan")))
    assert (row.status, row.outcome.success) == ("infra_error", None)
    assert "cannot be recorded" in row.error
    numpy_row, _ = play(make_plan()[0], env=PointEnv(cost=np.float32(2.0)))
    assert Episode.from_json(numpy_row.to_json()) == numpy_row
    assert numpy_row.costs.total == 2.0


def test_cost_and_first_violation_come_from_the_environment(make_plan):
    rows = [play(spec)[0] for spec in make_plan(40)]
    paid = [row for row in rows if row.costs.total]
    assert paid
    for row in paid:
        assert row.costs.total == sum(entry.cost for entry in row.costs.entries)
        assert row.costs.first_violation_s == min(e.time_s for e in row.outcome.events if e.kind == "cost_on")
    assert all(row.costs.first_violation_s is None for row in rows if not row.costs.total)


@given(
    values=st.lists(st.lists(st.floats(-1, 1), min_size=7, max_size=7), min_size=1, max_size=4),
    scale=st.sampled_from([1.0, 1.0 + 5e-7]),
)
def test_lawful_chunks_pass_unchanged(values, scale):
    array = np.array(values) * scale
    chunk, clipped = as_chunk(array, PolicySpec("x", chunk=4), 0, clip=False)
    assert np.array_equal(chunk, np.clip(array, -1, 1))
    assert not clipped.any()


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, np.float64])
def test_any_real_dtype_is_an_action(dtype):
    chunk, _ = as_chunk(np.ones(7, dtype), PolicySpec("x"), 0, clip=False)
    assert chunk.dtype == np.float64


@pytest.mark.parametrize("value", [np.zeros((0, 7)), np.zeros((5, 7)), np.zeros((1, 1, 7)), np.float64(0), True, 1j])
def test_other_shapes_and_kinds_are_not(value):
    with pytest.raises(ActionError, match="at step 9"):
        as_chunk(value, PolicySpec("x", chunk=4), 9, clip=True)
