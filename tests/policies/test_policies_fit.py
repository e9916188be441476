"""Built-in policies take the shape of the environment; in ours they are what they always were."""

from __future__ import annotations

import numpy as np
import pytest

from proctor.core import EnvSpec, EpisodeSpec, FittingPolicy, Observation, require_compatible
from proctor.policies import NoopPolicy, RandomPolicy

CART = EnvSpec("cart", (), state_dim=4, action_dim=2, control_mode="discrete", control_hz=50.0)
ARM = EnvSpec("arm", ("agentview",))
EPISODE = EpisodeSpec("s", "s/L0/t", "L0", "h", 0, 11, "do it", "p")


def act(policy: FittingPolicy, env: EnvSpec) -> np.ndarray:
    policy.fit(env)
    require_compatible(policy.spec(), env)
    policy.reset("do it", EPISODE)
    return np.asarray(policy.act(Observation({}, np.zeros(env.state_dim), "do it", 0)))


@pytest.mark.parametrize("make", [NoopPolicy, RandomPolicy])
def test_they_fit_any_environment(make: type) -> None:
    assert isinstance(make(), FittingPolicy)
    assert act(make(), CART).shape == (2,)
    assert act(make(), ARM).shape == (7,)


@pytest.mark.parametrize("make", [NoopPolicy, RandomPolicy])
def test_our_own_environment_changes_nothing(make: type) -> None:
    unfitted, fitted = make(), make()
    fitted.fit(ARM)
    assert fitted.spec() == unfitted.spec()
    unfitted.reset("do it", EPISODE)
    assert np.array_equal(unfitted.act(Observation({}, np.zeros(8), "do it", 0)), act(make(), ARM))


def test_the_gripper_is_open_only_where_there_is_one() -> None:
    assert act(NoopPolicy(), ARM).tolist() == [0, 0, 0, 0, 0, 0, -1]
    assert act(NoopPolicy(), CART).tolist() == [0, 0]
