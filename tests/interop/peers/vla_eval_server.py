"""A vla-eval model server made with the real package. Arguments: files for its port and for what it saw, options."""

import json
import os
import sys
import threading

import numpy as np
from vla_eval.api import serve_background
from vla_eval.model_servers.predict import PredictModelServer
from vla_eval.specs import (
    GRIPPER_01,
    GRIPPER_CLOSE_NEG,
    GRIPPER_CLOSE_POS,
    IMAGE_RGB,
    LANGUAGE,
    POSITION_DELTA,
    ROTATION_AA,
    ROTATION_EULER,
)

OPTIONS = json.loads(sys.argv[3]) if len(sys.argv) > 3 else {}
GRIPPERS = {"positive": GRIPPER_CLOSE_POS, "negative": GRIPPER_CLOSE_NEG, "01": GRIPPER_01}


class Scripted(PredictModelServer):
    """Chunks of three actions that count up; keeps a line for each prediction."""

    def __init__(self):
        super().__init__(chunk_size=3)

    def get_action_spec(self):
        rotation = ROTATION_EULER if OPTIONS.get("euler") else ROTATION_AA
        return {
            "position": POSITION_DELTA,
            "rotation": rotation,
            "gripper": GRIPPERS[OPTIONS.get("gripper", "positive")],
        }

    def get_observation_spec(self):
        return {"image": IMAGE_RGB, "language": LANGUAGE}

    def get_observation_params(self):
        return {"send_wrist_image": True, "send_state": True}

    def predict(self, obs, ctx):
        task = obs["task_description"]
        if task == "raise":
            raise ValueError("the model broke")
        if task == "die" and ctx.step:
            os._exit(1)
        images = {name: [list(i.shape), str(i.dtype), i[0, 0].tolist()] for name, i in obs["images"].items()}
        line = {
            "images": images,
            "states": np.asarray(obs["states"]).tolist(),
            "task": task,
            "step": ctx.step,
            "episode": ctx.episode_id,
        }
        with open(sys.argv[2], "a") as file:
            file.write(json.dumps(line) + "\n")
        actions = np.zeros((3, 6 if task == "six" else 7), np.float32)
        actions[:, 0] = np.arange(3) / 10
        actions[:, -1] = 1.0
        if task == "nan":
            actions[1, 3] = np.nan
        return {"actions": actions}


with serve_background(Scripted()) as handle:
    with open(sys.argv[1] + ".part", "w") as file:
        file.write(str(handle.port))
    os.replace(sys.argv[1] + ".part", sys.argv[1])
    threading.Event().wait()
