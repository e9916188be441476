"""The real openpi-client: what it packs, how it resizes, and what it gets from a server. Prints JSON."""

import json
import logging
import sys
import warnings

import numpy as np
from openpi_client import action_chunk_broker, image_tools, msgpack_numpy, websocket_client_policy

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)


def values():
    """Return the values whose packing is compared, as the test has them too."""
    rng = np.random.default_rng(0)
    return {
        "picture": rng.integers(0, 255, (5, 4, 3), dtype=np.uint8),
        "state": rng.normal(size=8),
        "single": np.float32(1.5),
        "flag": np.bool_(True),
        "whole": np.int64(-3),
        "none": np.zeros((0, 7), np.float32),
        "point": np.array(2.0),
        "prompt": "pick the apple",
        "nested": {"list": [1, 2.5, None], "array": np.arange(6, dtype=np.int16).reshape(2, 3)},
    }


def pack():
    """Print the bytes of `values`, and whether what the test packed is read as `values`."""
    theirs = msgpack_numpy.unpackb(bytes.fromhex(sys.stdin.read()))
    mine = values()
    same = all(np.array_equal(theirs[key], mine[key]) for key in mine if key != "nested")
    same = same and np.array_equal(theirs["nested"]["array"], mine["nested"]["array"])
    print(json.dumps({"hex": msgpack_numpy.packb(mine).hex(), "read": bool(same)}))


def resize(target):
    """Write pictures and what they become."""
    rng = np.random.default_rng(1)
    shapes = [(256, 256), (480, 640), (640, 480), (100, 333), (224, 224), (17, 5)]
    pictures = [rng.integers(0, 255, (*shape, 3), dtype=np.uint8) for shape in shapes]
    resized = {f"out{i}": image_tools.resize_with_pad(p, 224, 224) for i, p in enumerate(pictures)}
    np.savez(target, **{f"in{i}": p for i, p in enumerate(pictures)}, **resized)


def talk(host, port, key, horizon, steps):
    """Run an episode as openpi's LIBERO example does and print what came."""
    policy = websocket_client_policy.WebsocketClientPolicy(host, int(port), api_key=key or None)
    broker = action_chunk_broker.ActionChunkBroker(policy, action_horizon=int(horizon))
    rng = np.random.default_rng(2)
    actions, timings = [], []
    for _ in range(int(steps)):
        robosuite = rng.integers(0, 255, (256, 256, 3), dtype=np.uint8)
        picture = image_tools.resize_with_pad(np.ascontiguousarray(robosuite[::-1, ::-1]), 224, 224)
        observation = {
            "observation/image": picture,
            "observation/wrist_image": picture,
            "observation/state": np.arange(8) / 10,
            "prompt": "put the bowl on the plate",
        }
        answer = broker.infer(observation)
        actions.append(answer["actions"].tolist())
        timings.append(answer["server_timing"])
    print(json.dumps({"metadata": policy.get_server_metadata(), "actions": actions, "timings": timings}))


def fail(host, port):
    """Send an observation that the server must refuse; print what the client makes of it."""
    policy = websocket_client_policy.WebsocketClientPolicy(host, int(port))
    try:
        policy.infer({"prompt": "nothing else"})
    except RuntimeError as error:
        print(json.dumps(str(error)))


globals()[sys.argv[1]](*sys.argv[2:])
