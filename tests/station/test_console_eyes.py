"""What the gate measures was photographed after it was asked."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from proctor.station.camera import Frame
from proctor.station.console import _eyes
from proctor.station.console._eyes import Eye
from proctor.station.console._gatekeeper import Gatekeeper


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


class Slow(Delayed):
    """Draws for longer than a camera may be silent; its pictures show the moment when they were begun."""

    def read(self) -> Frame:
        began = time.monotonic()
        time.sleep(0.3)
        return Frame(self.frame.image, began)


def test_a_picture_that_took_long_is_as_fresh_as_any(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_eyes, "_SILENT_S", 0.05)
    eye = Eye(Slow(), hz=200.0)
    try:
        asked = time.monotonic()
        assert eye.fresh().time_s > asked
    finally:
        eye.close()


def test_a_measurement_of_an_older_picture_does_not_replace_a_newer_one() -> None:
    eye = Eye(Delayed(), hz=1.0)
    keeper = Gatekeeper(eye, lambda scene: None)
    older, newer = object(), object()
    try:
        keeper._keep(newer, 2.0)  # type: ignore[arg-type]
        keeper._keep(older, 1.0)  # type: ignore[arg-type]
        assert keeper.live is newer
        keeper.watch("next scene", laying_out=True)
        assert keeper.live is None
        keeper._keep(older, 1.0)  # type: ignore[arg-type]
        assert keeper.live is older
    finally:
        keeper.close()
        eye.close()
