"""A station for the console's tests: the twin, a session, the real server on a free port, a client without a page."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proctor.station.arm import JOINTS, save_calibration
from proctor.station.camera import PolicyViewCamera, TwinCamera
from proctor.station.console import ConsoleServer, Desk, open_station
from proctor.station.scene import save_reference, select_scenes
from proctor.station.session import ArmPolicy, SceneCard, Session, TrialSchedule
from proctor.station.trial import HOME
from proctor.station.twin import SceneObject, Twin

RED = SceneObject("block", 0.07, -0.12, colour="red")
BLUE = SceneObject("block", -0.08, -0.1, colour="blue")


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> dict[str, Any]:
        return dict(json.loads(self.body))


@dataclass
class Client:
    """Speaks HTTP to the console; ``heard`` keeps every byte that came back."""

    port: int
    cookie: str = ""
    heard: list[bytes] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str | None) -> Answer:
        """Send a request with the headers of the console's own page, changed by ``headers`` (None leaves one out)."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent: dict[str, str | None] = {"Host": f"127.0.0.1:{self.port}", "Cookie": self.cookie or None}
        if method != "GET":
            sent |= {"Origin": self.origin, "Content-Type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        link.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in sent.items():
            if value is not None:
                link.putheader(name, value)
        if body is not None and "Content-Length" not in sent and "Transfer-Encoding" not in sent:
            link.putheader("Content-Length", str(len(body)))
        try:
            link.endheaders(body)
            answer = link.getresponse()
            found = Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            link.close()
        self.heard += [found.body, repr(found.headers).encode()]
        return found

    def post(self, path: str, fields: object, **headers: str | None) -> Answer:
        return self.ask("POST", path, json.dumps(fields).encode(), **headers)

    def sign_in(self, token: str) -> Answer:
        answer = self.post("/login", {"token": token})
        self.cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        return answer

    def state(self) -> dict[str, Any]:
        return self.ask("GET", "/api/state").json()

    def press(self, action: str, seen: int | None = None, **data: str) -> Answer:
        version = self.state()["version"] if seen is None else seen
        return self.post("/api/act", {"action": action, "data": data, "seen": version})

    def wait(self, *phases: str, seconds: float = 60.0) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        while (state := self.state())["phase"] not in phases:
            assert time.monotonic() < deadline, f"still {state['phase']}, not {phases}"
            time.sleep(0.05)
        return state


@dataclass
class Rig:
    twin: Twin
    desk: Desk
    server: ConsoleServer
    folder: Path

    def client(self) -> Client:
        """A client that is signed in, with a fresh allowance of keys: tests press faster than people."""
        self.server.access.logins._times.clear()
        self.server.access.changes._times.clear()
        client = Client(self.server.port)
        assert client.sign_in(self.server.access.token).status == 200
        return client


@contextmanager
def console_rig(tmp: Path, arms: Sequence[ArmPolicy], repeats: int = 1) -> Iterator[Rig]:
    (scene,) = select_scenes("21")
    schedule = TrialSchedule.make([SceneCard.of(scene)], arms, repeats, session="monday")
    Session.create(tmp / "session", schedule, cap_s=20.0).close()
    with Twin(seed=5, objects=[RED, BLUE]) as twin:
        save_calibration(twin.calibrate(), tmp / "arm.json")
        twin.hand(dict(zip(JOINTS, HOME.values, strict=True)))
        top = PolicyViewCamera(TwinCamera(twin, "top", 640))
        save_reference(top.read().image, tmp / "references" / "scene_21.png")
        cameras = [top, TwinCamera(twin, "wrist", 160)]
        with (
            open_station(
                tmp / "session", twin.port, tmp / "arm.json", cameras, tmp / "references", camera_hz=4.0
            ) as desk,
            ConsoleServer(desk) as server,
        ):
            rig = Rig(twin, desk, server, tmp / "session")
            rig.client().press("home")
            yield rig
