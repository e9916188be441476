"""Our tasks in LeRobot's evaluator: ``--env.discover_packages_path=proctor.run.gym.lerobot --env.type=proctor``.

LeRobot 0.4.4 imports a package named by ``discover_packages_path`` before it reads ``--env.type``; importing this one
registers the type. It is imported by nothing else: it needs lerobot, and so LeRobot's own virtual environment.
"""

from ._config import ProctorEnvConfig
from ._env import LeRobotEnv

__all__ = ["LeRobotEnv", "ProctorEnvConfig"]
