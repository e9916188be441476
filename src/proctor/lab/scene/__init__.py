"""The test scenes: what stands where, what the policy is told, what counts as success."""

from ._scenes import Scene, SceneTask, load_scenes, load_tasks, select_scenes

__all__ = ["Scene", "SceneTask", "load_scenes", "load_tasks", "select_scenes"]
