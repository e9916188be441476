"""The other side of the serving benchmark, run by the Python of .venv-peers: vla-eval 0.8.0, as it is or patched.

Roles: ``server FORMAT PORT_FILE BASE PER CHUNK BATCH WAIT``; ``client FORMAT URL REQUESTS THINK STEPS PICTURES``;
``harness FORMAT ARGUMENTS...``, which is the command ``vla-eval`` with that picture format. FORMAT ``png`` is its
default; ``raw`` needs its ``set_image_format``, which no option of its own reaches.
"""

import asyncio
import json
import os
import sys
import threading
import time

import numpy as np
from vla_eval.benchmarks.base import StepBenchmark, StepResult
from vla_eval.model_servers.predict import PredictModelServer
from vla_eval.protocol.numpy_codec import set_image_format
from vla_eval.specs import GRIPPER_CLOSE_POS, IMAGE_RGB, LANGUAGE, POSITION_DELTA, ROTATION_AA, STATE_EEF_POS_AA_GRIP


def pictures(path):
    with np.load(path) as data:
        return {name: data[name] for name in data.files}


class Model(PredictModelServer):
    def __init__(self, base_s, per_s, chunk, batch, wait_s):
        super().__init__(chunk_size=chunk, max_batch_size=batch, max_wait_time=wait_s)
        self.base_s, self.per_s, self.chunk = base_s, per_s, chunk

    def _forward(self, count):
        if self.base_s:
            time.sleep(self.base_s + self.per_s * count)

    def predict(self, obs, ctx):
        self._forward(1)
        return {"actions": np.zeros((self.chunk, 7), np.float32)}

    def predict_batch(self, obs_batch, ctx_batch):
        self._forward(len(obs_batch))
        return [{"actions": np.zeros((self.chunk, 7), np.float32)} for _ in obs_batch]

    def get_action_spec(self):
        return {"position": POSITION_DELTA, "rotation": ROTATION_AA, "gripper": GRIPPER_CLOSE_POS}

    def get_observation_spec(self):
        return {"image": IMAGE_RGB, "language": LANGUAGE}


class Free(StepBenchmark):
    """A simulator that costs nothing."""

    render_backends = frozenset({"gpu", "cpu"})

    def __init__(self, pictures_file, max_steps):
        super().__init__()
        self.images, self.max_steps = pictures(pictures_file), max_steps

    @classmethod
    def configure_render(cls, mode):
        return {}

    def get_tasks(self):
        return [{"name": "pick", "suite": "free"}]

    def reset(self, task):
        return 0

    def step(self, action):
        return StepResult(obs=0, reward=0.0, done=False, info={})

    def make_obs(self, raw_obs, task):
        return {"images": self.images, "states": np.zeros(8), "task_description": "pick"}

    def get_step_result(self, step_result):
        return {"success": False}

    def get_metadata(self):
        return {"max_steps": self.max_steps}

    def get_action_spec(self):
        return {"position": POSITION_DELTA, "rotation": ROTATION_AA, "gripper": GRIPPER_CLOSE_POS}

    def get_observation_spec(self):
        return {"agentview": IMAGE_RGB, "wrist": IMAGE_RGB, "state": STATE_EEF_POS_AA_GRIP, "language": LANGUAGE}


def serve(port_file, base_s, per_s, chunk, batch, wait_s):
    from vla_eval.api import serve_background

    model = Model(float(base_s), float(per_s), int(chunk), int(batch), float(wait_s))
    with serve_background(model) as handle:
        with open(port_file + ".part", "w") as file:
            file.write(str(handle.port))
        os.replace(port_file + ".part", port_file)
        threading.Event().wait()


async def ask(url, requests, think_s, steps, pictures_file):
    """A client asks at every step: this harness keeps chunks on the server and sends the pictures each time."""
    from vla_eval.connection import Connection

    observation = {"images": pictures(pictures_file), "states": np.zeros(8), "task_description": "pick"}
    async with Connection(url) as connection:
        await connection.start_episode({"task": {"name": "pick"}})
        for _ in range(10):
            await connection.act(observation)
        print("ready", flush=True)
        sys.stdin.readline()
        for _ in range(5):
            await connection.act(observation)
        began, times = time.monotonic(), []
        for _ in range(requests):
            for _ in range(steps):
                asked = time.perf_counter()
                await connection.act(observation)
                times.append(time.perf_counter() - asked)
                if think_s:
                    time.sleep(think_s)
        print(json.dumps({"began": began, "ended": time.monotonic(), "times": times}), flush=True)


if __name__ == "__main__":
    role, picture_format = sys.argv[1:3]
    set_image_format(picture_format)
    if role == "server":
        serve(*sys.argv[3:])
    elif role == "client":
        address, requests, think, steps, file = sys.argv[3:]
        asyncio.run(ask(address, int(requests), float(think), int(steps), file))
    else:
        from vla_eval.cli.main import main

        sys.argv = ["vla-eval", *sys.argv[3:]]
        main()
