"""What ``--env.type=proctor`` takes, as LeRobot wants it: a registered dataclass with features and a Gymnasium id."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gymnasium.envs import registration
from lerobot.configs.types import FeatureType, PolicyFeature
from lerobot.envs.configs import EnvConfig

from proctor.core import ProctorError

GYM_ID = "proctor/LeRobot-v0"
if GYM_ID not in registration.registry:
    registration.register(
        id=GYM_ID, entry_point="proctor.run.gym.lerobot:LeRobotEnv", order_enforce=False, disable_env_checker=True
    )


@EnvConfig.register_subclass("proctor")
@dataclass
class ProctorEnvConfig(EnvConfig):  # type: ignore[misc]
    """One task of Proctor.

    ``task``: an id as ``proctor ls`` prints it. ``cameras``: our cameras to the names behind the checkpoint's
    ``observation.images.``. ``trained_on``: ``libero`` (pictures mirrored, its controller's reach, its side of angles)
    or ``proctor`` (everything as it is). ``episode_length``: control steps, 0 for the suite's limit.
    """

    task: str | None = None
    fps: int = 20
    cameras: dict[str, str] = field(default_factory=lambda: {"agentview": "image", "wrist": "image2"})
    trained_on: str = "libero"
    image_size: int = 256
    vision: str = "V0"
    episode_length: int = 0

    def __post_init__(self) -> None:
        """Declare the features, under the names by which LeRobot's own code will find them."""
        self.features = {"action": PolicyFeature(FeatureType.ACTION, (7,))}
        self.features["agent_pos"] = PolicyFeature(FeatureType.STATE, (8,))
        self.features_map = {"action": "action", "agent_pos": "observation.state"}
        for name in self.cameras.values():
            shape = (self.image_size, self.image_size, 3)
            self.features[f"pixels/{name}"] = PolicyFeature(FeatureType.VISUAL, shape)
            self.features_map[f"pixels/{name}"] = f"observation.images.{name}"

    @property
    def package_name(self) -> str:
        """The package that registers `gym_id`."""
        return "proctor.run.gym.lerobot"

    @property
    def gym_id(self) -> str:
        """The one Gymnasium id, which takes the task as an argument."""
        return GYM_ID

    @property
    def gym_kwargs(self) -> dict[str, Any]:
        if not self.task:
            raise ProctorError("no task: give --env.task=SUITE/LEVEL/NAME, as 'proctor ls' prints it")
        return {
            "task": self.task,
            "cameras": self.cameras,
            "conventions": {"trained_on": self.trained_on},
            "image_size": self.image_size,
            "vision": self.vision,
            "max_steps": self.episode_length or None,
            "render_mode": "rgb_array",
        }
