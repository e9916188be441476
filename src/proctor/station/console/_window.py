"""Shows the twin's cameras to another process, over a Unix socket.

So a console can be killed and started again while the station stands. Only for the twin; a real camera has a driver.
A request is one line, the camera's name. The answer is one line of JSON, ``{"height", "width"}`` or ``{"error"}``, and
then the picture's bytes.
"""

from __future__ import annotations

import contextlib
import json
import socket
import socketserver
import threading
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError
from proctor.station.camera import Camera, CameraError, Frame

_TIMEOUT_S: Final = 30.0  # the twin draws on the processor: seconds on a busy machine
_LONGEST_LINE: Final = 4096
_MOST_PIXELS: Final = 1920 * 1080


class Window(socketserver.ThreadingUnixStreamServer):
    """Shows ``cameras`` at a socket file that only this user can open. Use it as a context manager."""

    daemon_threads = True

    def __init__(self, path: str | Path, cameras: list[Camera]) -> None:
        self.cameras = {camera.name: camera for camera in cameras}
        self.path = Path(path)
        super().__init__(str(path), _Handler)
        self.path.chmod(0o600)
        self._loop = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
        self._loop.start()

    def __exit__(self, *details: Any) -> None:
        self.shutdown()
        self._loop.join()
        super().__exit__(*details)
        self.path.unlink(missing_ok=True)


class _Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, Window)
        with contextlib.suppress(OSError):
            while line := self.rfile.readline(_LONGEST_LINE):
                self._answer(self.server.cameras.get(line.decode("utf-8", "replace").strip()))

    def _answer(self, camera: Camera | None) -> None:
        try:
            if camera is None:
                raise CameraError("no such camera")
            picture = np.ascontiguousarray(camera.read().image)
        except ProctorError as error:
            self.wfile.write(json.dumps({"error": str(error)}).encode() + b"\n")
            return
        height, width, _ = picture.shape
        self.wfile.write(json.dumps({"height": height, "width": width}).encode() + b"\n")
        self.wfile.write(picture.data)


class WindowCamera:
    """A camera behind a `Window`. It connects when it is read, and again after the window was closed."""

    def __init__(self, path: str | Path, name: str) -> None:
        self.name = name
        self._path = str(path)
        self._lock = threading.Lock()
        self._stream: Any = None

    def read(self) -> Frame:
        """Ask for a picture. Its time is that of the question: what it shows is not older."""
        with self._lock:
            try:
                if self._stream is None:
                    self._stream = self._connect()
                asked = time.monotonic()
                self._stream.write(f"{self.name}\n".encode())
                self._stream.flush()
                return Frame(self._image(self._stream), asked)
            except (OSError, ValueError, KeyError, TypeError) as error:
                self._drop()
                raise CameraError(f"camera {self.name!r} behind {self._path} does not answer: {error}") from None

    def close(self) -> None:
        with self._lock:
            self._drop()

    def _connect(self) -> Any:
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with link:
            link.settimeout(_TIMEOUT_S)
            link.connect(self._path)
            return link.makefile("rwb")

    def _image(self, stream: Any) -> NDArray[np.uint8]:
        head = json.loads(stream.readline(_LONGEST_LINE))
        if "error" in head:
            raise CameraError(str(head["error"]))
        height, width = int(head["height"]), int(head["width"])
        if not 0 < height * width <= _MOST_PIXELS:
            raise ValueError(f"a picture of {width} x {height}")
        data = stream.read(3 * height * width)
        return np.frombuffer(data, np.uint8).reshape(height, width, 3)

    def _drop(self) -> None:
        if self._stream is not None:
            with contextlib.suppress(OSError):
                self._stream.close()
            self._stream = None
