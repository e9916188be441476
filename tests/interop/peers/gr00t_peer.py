"""GR00T's wire by the package msgpack-numpy, which GR00T uses itself: a codec, a client and a server without our code.

NVIDIA's own package needs a GPU stack and cannot be installed here; endpoints and shapes are those of its client.
"""

import io
import json
import os
import sys

import msgpack
import msgpack_numpy
import numpy as np
import zmq


def pack(value):
    """Return the bytes that GR00T N1.6 and N1.7 send."""
    return msgpack.packb(value, default=msgpack_numpy.encode)


def pack_old(value):
    """Return the bytes that older versions send: arrays as .npy files."""

    def encode(item):
        out = io.BytesIO()
        np.save(out, item, allow_pickle=False)
        return {"__ndarray_class__": True, "as_npy": out.getvalue()}

    return msgpack.packb(value, default=encode)


def unpack(data):
    """Read what either side sends."""
    return msgpack.unpackb(data, object_hook=msgpack_numpy.decode)


def values():
    """Return the values whose packing is compared, as the test has them too."""
    rng = np.random.default_rng(0)
    return {
        "video": rng.integers(0, 255, (1, 1, 4, 5, 3), dtype=np.uint8),
        "state": rng.normal(size=(1, 1, 8)).astype(np.float32),
        "single": np.float32(1.5),
        "whole": np.int64(-3),
        "text": [["pick the apple"]],
    }


def codec():
    """Print the bytes of `values`, and whether what the test packed is read as `values`."""
    theirs = unpack(bytes.fromhex(sys.stdin.read()))
    mine = values()
    print(json.dumps({"hex": pack(mine).hex(), "read": all(np.array_equal(theirs[key], mine[key]) for key in mine)}))


def observation(batch):
    """Return a batch of observations in LIBERO's modalities."""
    rng = np.random.default_rng(3)
    picture = rng.integers(0, 255, (batch, 1, 64, 64, 3), dtype=np.uint8)
    state = {
        key: np.full((batch, 1, 1), n / 10, np.float32) for n, key in enumerate(("x", "y", "z", "roll", "pitch", "yaw"))
    }
    state["gripper"] = np.tile(np.array([0.04, -0.04], np.float32), (batch, 1, 1))
    prompts = [[f"prompt {n}"] for n in range(batch)]
    return {
        "video": {"image": picture, "wrist_image": picture},
        "state": state,
        "language": {"annotation.human.action.task_description": prompts},
    }


def talk(address, token):
    """Ask every endpoint over one REQ socket and print the answers."""
    socket = zmq.Context().socket(zmq.REQ)
    socket.setsockopt(zmq.RCVTIMEO, 60_000)
    socket.connect(f"tcp://{address}")

    def ask(endpoint, data=None, packer=pack, key=token):
        request = {"endpoint": endpoint}
        if data is not None:
            request["data"] = data
        if key:
            request["api_token"] = key
        socket.send(packer(request))
        return unpack(socket.recv())

    answers = {"ping": ask("ping"), "modalities": ask("get_modality_config")}
    answers["reset"] = ask("reset", {"options": None})
    for name, batch, packer in (("one", 1, pack), ("old", 1, pack_old), ("three", 3, pack)):
        action, info = ask("get_action", {"observation": observation(batch), "options": None}, packer)
        answers[name] = {key: [str(part.dtype), part.tolist()] for key, part in action.items()}
        answers[f"{name}_info"] = info
    answers["unknown"] = ask("dance")
    answers["wrong"] = ask("ping", key="wrong")
    answers["kill"] = ask("kill")
    print(json.dumps(answers))


def serve(port_file, saw_file):
    """Answer as GR00T's REP server does: chunks of 16, parts of an action by name, the gripper from 0 (closed) to 1."""
    socket = zmq.Context().socket(zmq.REP)
    port = socket.bind_to_random_port("tcp://127.0.0.1")
    with open(port_file + ".part", "w") as file:
        file.write(str(port))
    os.replace(port_file + ".part", port_file)
    parts = ["x", "y", "z", "roll", "pitch", "yaw", "gripper"]
    modality = {
        "video": {"delta_indices": [0], "modality_keys": ["image", "wrist_image"]},
        "state": {"delta_indices": [0], "modality_keys": parts},
        "action": {"delta_indices": list(range(16)), "modality_keys": parts},
        "language": {"delta_indices": [0], "modality_keys": ["annotation.human.action.task_description"]},
    }
    config = {key: {"__ModalityConfig_class__": True, "as_json": json.dumps(value)} for key, value in modality.items()}
    while True:
        request = unpack(socket.recv())
        endpoint, data = request["endpoint"], request.get("data")
        if endpoint == "ping":
            answer = {"status": "ok", "message": "Server is running"}
        elif endpoint == "get_modality_config":
            answer = config
        elif endpoint == "reset":
            answer = {}
        else:
            seen = data["observation"]
            shapes = {f"{m}.{k}": list(v.shape) for m in ("video", "state") for k, v in seen[m].items()}
            line = {"shapes": shapes, "language": seen["language"], "gripper": seen["state"]["gripper"].tolist()}
            with open(saw_file, "a") as file:
                file.write(json.dumps(line) + "\n")
            action = {key: np.full((1, 16, 1), 0.1, np.float32) for key in parts}
            action["gripper"] = np.zeros((1, 16, 1), np.float32)
            answer = [action, {}]
        socket.send(pack(answer))


globals()[sys.argv[1]](*sys.argv[2:])
