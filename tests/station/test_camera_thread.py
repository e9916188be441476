"""What the gate measures was photographed after it was asked."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from proctor.station.camera import CameraError, CameraThread, Frame
from proctor.station.console import Gatekeeper


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


def opened(camera: Delayed, hz: float, **how: float) -> CameraThread:
    thread = CameraThread(camera, hz, **how)
    thread.open()
    return thread


class Flaky(Delayed):
    """Fails while it is told to."""

    broken = False

    def read(self) -> Frame:
        if self.broken:
            raise OSError("the cable is out")
        return Frame(self.frame.image, time.monotonic())


def test_a_lost_camera_is_named_and_tried_again_only_where_that_is_asked() -> None:
    for retry_s in (None, 0.01):
        camera = Flaky()
        thread = CameraThread(camera, 200.0, retry_s=retry_s)
        assert thread.latest().time_s <= thread.latest().time_s, "closed, it takes a picture itself"
        assert thread.newest() == (0, None)
        thread.open()
        first = thread.fresh()
        camera.broken = True
        with pytest.raises(CameraError, match="camera 'top': the cable is out"):
            [thread.fresh() for _ in range(10_000)]
        assert not thread.ok
        camera.broken = False
        if retry_s is None:
            with pytest.raises(CameraError, match="the cable is out"):
                thread.latest()
            thread.open()
            assert thread.fresh().time_s > first.time_s
        else:
            limit = time.monotonic() + 30
            while not thread.ok and time.monotonic() < limit:
                time.sleep(0.01)
            assert thread.fresh().time_s > first.time_s
        thread.close()


def test_a_fresh_picture_is_not_an_older_one_read_again() -> None:
    camera = Delayed()
    thread = opened(camera, hz=200.0)
    found: list[Frame] = []
    asker = threading.Thread(target=lambda: found.append(thread.fresh()))
    try:
        asker.start()
        assert camera.read_again.wait(30)
        assert found == []
        camera.frame = Frame(np.ones((4, 4, 3), np.uint8), time.monotonic())
        asker.join(30)
    finally:
        thread.close()
    assert len(found) == 1
    assert found[0].image.all()


class Slow(Delayed):
    """Draws for longer than a camera may be silent; its pictures show the moment when they were begun."""

    def read(self) -> Frame:
        began = time.monotonic()
        time.sleep(0.3)
        return Frame(self.frame.image, began)


def test_a_picture_that_took_long_is_as_fresh_as_any() -> None:
    thread = opened(Slow(), hz=200.0, silent_s=0.05)
    try:
        asked = time.monotonic()
        assert thread.fresh().time_s > asked
    finally:
        thread.close()


def test_a_measurement_of_an_older_picture_does_not_replace_a_newer_one() -> None:
    thread = opened(Delayed(), hz=1.0)
    keeper = Gatekeeper(thread, lambda scene: None)
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
        thread.close()
