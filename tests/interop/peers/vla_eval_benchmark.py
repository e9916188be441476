"""A vla-eval benchmark without a simulator: pictures, a state, and success for a robot that moves along +x."""

import numpy as np
from vla_eval.benchmarks.base import StepBenchmark, StepResult
from vla_eval.specs import GRIPPER_CLOSE_POS, IMAGE_RGB, LANGUAGE, POSITION_DELTA, ROTATION_AA, STATE_EEF_POS_AA_GRIP

GOAL = 0.5


class Walk(StepBenchmark):
    """Two tasks with the same world; the policy decides which of them it solves."""

    render_backends = frozenset({"gpu", "cpu"})

    def __init__(self, send_wrist_image=False, send_state=False):
        super().__init__()
        self.send_wrist_image, self.send_state = send_wrist_image, send_state

    @classmethod
    def configure_render(cls, mode):
        return {}

    def get_tasks(self):
        return [{"name": "walk ahead", "suite": "walk"}, {"name": "stay where you are", "suite": "walk"}]

    def reset(self, task):
        self.x, self.steps = 0.0, 0
        return self.x

    def step(self, action):
        actions = np.asarray(action["actions"])
        assert actions.shape == (7,), actions.shape
        self.x += float(actions[0])
        self.steps += 1
        return StepResult(obs=self.x, reward=0.0, done=self.x >= GOAL, info={})

    def make_obs(self, raw_obs, task):
        picture = np.full((64, 64, 3), 10 * self.steps, np.uint8)
        observation = {"images": {"agentview": picture}, "task_description": task["name"]}
        if self.send_wrist_image:
            observation["images"]["wrist"] = picture
        if self.send_state:
            observation["states"] = np.array([raw_obs, 0, 0, 0, 0, 0, 0.04, -0.04])
        return observation

    def get_step_result(self, step_result):
        return {"success": bool(step_result.done)}

    def get_metadata(self):
        return {"max_steps": 12}

    def get_action_spec(self):
        return {"position": POSITION_DELTA, "rotation": ROTATION_AA, "gripper": GRIPPER_CLOSE_POS}

    def get_observation_spec(self):
        return {"agentview": IMAGE_RGB, "wrist": IMAGE_RGB, "state": STATE_EEF_POS_AA_GRIP, "language": LANGUAGE}
