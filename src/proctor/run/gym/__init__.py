"""Our tasks as Gymnasium environments: importing this package registers every built-in task, one id each.

``gym.make("proctor/arena/static_obstacles/L0/NAME-v1")`` after ``import proctor.run.gym``, or without the import
``gym.make("proctor.run.gym:proctor/arena/...")``. One of the two is needed: Gymnasium 1.x loads no plugins by itself.
"""

try:
    import gymnasium
except ImportError as error:
    raise ImportError("proctor.run.gym needs Gymnasium: run `pip install 'proctor[gym]'`") from error

from ._env import ProctorEnv, make_env
from ._ids import ANY_TASK, env_id, register_tasks

register_tasks()
del gymnasium

__all__ = ["ANY_TASK", "ProctorEnv", "env_id", "make_env", "register_tasks"]
