"""What the gate measures was photographed after it was asked."""

from __future__ import annotations

import threading
import time

import numpy as np

from proctor.lab.camera import Frame
from proctor.lab.console._eyes import Eye


class Delayed:
    """Hands on the newest picture of another thread, as the runner does in a trial: for a while, an old one."""

    name = "top"

    def __init__(self) -> None:
        self.frame = Frame(np.zeros((4, 4, 3), np.uint8), time.monotonic())
        self.reads = 0
        self.read_again = threading.Event()

    def read(self) -> Frame:
        self.reads += 1
        if self.reads > 5:
            self.read_again.set()
        return self.frame

    def close(self) -> None:
        pass


def test_a_fresh_picture_is_not_an_older_one_read_again() -> None:
    camera = Delayed()
    eye = Eye(camera, hz=200.0)
    found: list[Frame] = []
    asker = threading.Thread(target=lambda: found.append(eye.fresh()))
    try:
        asker.start()
        assert camera.read_again.wait(30)
        assert found == []
        camera.frame = Frame(np.ones((4, 4, 3), np.uint8), time.monotonic())
        asker.join(30)
    finally:
        eye.close()
    assert len(found) == 1
    assert found[0].image.all()
