"""Our picture functions beside those of the models' own pipelines: TensorFlow's and openpi-client's.

python -m venv tf && tf/bin/pip install tensorflow-cpu==2.21.0 pillow openpi-client==0.1.2 typing_extensions
tf/bin/python benchmarks/model_images.py

Needs no proctor in that environment: the module under test is loaded by its path. Prints, for a smooth picture and for
noise, the largest and the mean difference in grey levels of 255.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import numpy as np

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
MODULE = Path(__file__).parents[1] / "src" / "proctor" / "policies" / "adapters" / "_images.py"


def ours():  # type: ignore[no-untyped-def]
    spec = importlib.util.spec_from_file_location("images", MODULE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pictures() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    y, x = np.mgrid[0:256, 0:256] / 256.0
    smooth = np.stack([x, y, 0.5 + 0.5 * np.sin(9 * x * y + 4 * x)], axis=-1)
    smooth[60:120, 80:150] = (0.9, 0.2, 0.1)
    return {
        "scene": (smooth * 255).astype(np.uint8),
        "noise": rng.integers(0, 256, (256, 256, 3), dtype=np.uint8),
    }


def report(name: str, picture: str, mine: np.ndarray, theirs: np.ndarray) -> None:
    difference = np.abs(mine.astype(int) - theirs.astype(int))
    print(f"{name:28} {picture:6} max {difference.max():3d}  mean {difference.mean():.4f}")


def main() -> None:
    import tensorflow as tf

    images = ours()
    for name, picture in pictures().items():
        coded = tf.io.decode_image(tf.image.encode_jpeg(picture), expand_animations=False, dtype=tf.uint8).numpy()
        report("JPEG round trip", name, images.jpeg_round_trip(picture), coded)
        resized = tf.image.resize(picture, (224, 224), method="lanczos3", antialias=True)
        resized = tf.cast(tf.clip_by_value(tf.round(resized), 0, 255), tf.uint8).numpy()
        report("lanczos3 256 -> 224", name, images.resize_lanczos(picture, 224), resized)
        side = float(np.sqrt(0.9))
        box = [[(1 - side) / 2, (1 - side) / 2, (1 + side) / 2, (1 + side) / 2]]
        floats = tf.image.convert_image_dtype(resized, tf.float32)[None]
        cropped = tf.image.crop_and_resize(floats, box, [0], (224, 224))[0]
        cropped = tf.image.convert_image_dtype(tf.clip_by_value(cropped, 0, 1), tf.uint8, saturate=True).numpy()
        report("centre crop, area 0.9", name, images.crop_centre(resized, 0.9, 224), cropped)
        whole = tf.image.resize(coded, (224, 224), method="lanczos3", antialias=True)
        whole = tf.cast(tf.clip_by_value(tf.round(whole), 0, 255), tf.uint8)
        whole = tf.image.crop_and_resize(tf.image.convert_image_dtype(whole, tf.float32)[None], box, [0], (224, 224))[0]
        whole = tf.image.convert_image_dtype(tf.clip_by_value(whole, 0, 1), tf.uint8, saturate=True).numpy()
        mine = images.crop_centre(images.resize_lanczos(images.jpeg_round_trip(picture), 224), 0.9, 224)
        report("all three", name, mine, whole)
    try:
        from openpi_client import image_tools
    except ImportError:
        print("openpi-client is not installed: resize_with_pad not compared")
        return
    for name, picture in pictures().items():
        for crop in (picture, picture[:180], picture[:, :131]):
            theirs = np.asarray(image_tools.resize_with_pad(crop, 224, 224))
            report(f"resize_with_pad {crop.shape[1]}x{crop.shape[0]}", name, images.resize_with_pad(crop, 224), theirs)


if __name__ == "__main__":
    main()
