"""One session from the first scene to the verdict: two blinded policies, a scripted operator, a crash, a reveal."""

from __future__ import annotations

import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from proctor.core import ChildProcess, ProctorError
from proctor.station.scene import select_scenes
from proctor.station.session import ArmPolicy, SceneCard, Session, TrialSchedule, reveal, verify

from ._hands import DemoHands, find_hands, wait_for
from ._station import DemoStation

# The scripted operator: lays a scene out (wrongly first), follows the gate, runs trials, judges by the criterion.
#
# It sees the page and the station, never the schedule: it is as blind as a person.

OFF_MM: Final = 28.0
_TRIES: Final = 4
# When somebody who watches would give up: the scripted policies need about 12 seconds.
_GIVE_UP_S: Final = 16.0
# By then a block that can be stacked has been lifted.
_NO_GRASP_S: Final = 9.0
_LOOK_S: Final = 0.1


class ScriptedOperator:
    """One person at the station. ``say`` gets a line about everything that happens."""

    def __init__(
        self, hands: DemoHands, station: DemoStation, say: Callable[[str], None], pictures: Path | None
    ) -> None:
        self._hands = hands
        self._station = station
        self._say = say
        self._laid_out = ""
        self.refused = 0
        # Where a picture of the first refusal goes.
        self.pictures = pictures

    def set_up(self) -> str:
        """Lay the present scene out until the gate is green; return its number."""
        scene = str(wait_for(self._hands, ("setup", "gate"))["scene"])
        self._wait_until_home()
        if scene != self._laid_out:
            # A new scene is first laid out as a hurried person does it.
            self._station.lay_out(scene, OFF_MM)
            seen = self._check()
            if seen["phase"] == "ready":
                raise ProctorError(f"the gate let scene {scene} pass with an object {OFF_MM:g} mm off")
            self.refused += 1
            if self.pictures is not None:
                self._hands.picture(self.pictures / "console_gate.jpg")
                self.pictures = None
            self._say(f"scene {scene}: the gate refuses: {'; '.join(seen['wrong'])}")
            self._laid_out = scene
        for _ in range(_TRIES):
            self._station.lay_out(scene)
            seen = self._check()
            if seen["phase"] == "ready":
                return scene
        raise ProctorError(f"scene {scene}: the gate stays red: {'; '.join(seen['wrong'])}")

    def _check(self) -> dict[str, Any]:
        """Press the key and read the verdict. A camera without a picture (on a busy machine) is asked again."""
        for tries_left in reversed(range(_TRIES)):
            try:
                self._hands.press("check")
            except ProctorError as error:
                if not tries_left:
                    raise
                self._say(f"{error}; once more")
                time.sleep(1.0)
            else:
                break
        return wait_for(self._hands, ("gate", "ready"))

    def start(self, until_s: float = 0.0) -> None:
        """Start the trial as soon as the arm is home, and watch until the policy has acted for ``until_s``."""
        self._wait_until("start")
        self._hands.press("start")
        deadline = time.monotonic() + 60
        while self._hands.state()["elapsed_s"] <= until_s and time.monotonic() < deadline:
            time.sleep(_LOOK_S)

    def judge(self, scene: str) -> str:
        """Watch the trial, score it, and return the label; what the station broke is ``system`` in any case."""
        success = False
        while True:
            seen = self._hands.state()
            success, lifted = self._station.judge(scene), self._station.lifted(scene)
            if success or seen["phase"] != "running" or seen["elapsed_s"] > (_GIVE_UP_S if lifted else _NO_GRASP_S):
                break
            time.sleep(_LOOK_S)
        self._hands.press("success" if success else "fail")
        return str(wait_for(self._hands, ("done", "finished"))["outcome"])

    def go_on(self) -> bool:
        """Go on to the next trial; return whether there is one."""
        if wait_for(self._hands, ("done", "finished"))["phase"] == "finished":
            return False
        self._hands.press("next")
        return True

    def recover(self, url: str) -> None:
        """Open the console again after a crash, mark the trial as the station's fault, bring the arm home."""
        self._hands.open(url)
        wait_for(self._hands, ("scoring",))
        self._hands.press("fail")
        wait_for(self._hands, ("done",))
        self.home()
        self._laid_out = ""

    def home(self) -> None:
        """Send the arm home and wait until it is there."""
        self._wait_until("home")
        self._hands.press("home")
        self._wait_until_home()

    def _wait_until_home(self) -> None:
        # The key is off while the arm is on its way; the page may need a moment to show that it left.
        time.sleep(0.5)
        self._wait_until("home")

    def _wait_until(self, key: str, seconds: float = 60.0) -> None:
        deadline = time.monotonic() + seconds
        while key not in self._hands.state()["keys"]:
            if time.monotonic() > deadline:
                raise ProctorError(f"the console's key {key!r} stays off: look at the page")
            time.sleep(_LOOK_S)


FIRST_SCENE: Final = 21
MOST_SCENES: Final = 10
CAP_S: Final = 30.0
_START_S: Final = 120.0
# In the middle of a trial, with the arm on its way down.
_CRASH_S: Final = 2.5
ARMS: Final = (
    ArmPolicy("scripted", "proctor.station.trial:ScriptedPolicy"),
    ArmPolicy("sloppy", "proctor.station.trial:SloppyPolicy", {"error_mm": 35.0}),
)


@dataclass(frozen=True, slots=True)
class DemoResult:
    """What came out: the session's folder, its run folders, the verification's line, and what happened on the way."""

    session: Path
    runs: tuple[Path, ...]
    verified: str
    trials: int
    refused: int
    crashes: int
    hands: str
    seconds: float


def run_demo(
    out: Path, scenes: int = MOST_SCENES, *, browser: bool = True, say: Callable[[str], None] = print, seed: int = 0
) -> DemoResult:
    """Run the demonstration into ``out``, which must be empty."""
    if not 1 <= scenes <= MOST_SCENES:
        raise ProctorError(f"the demo knows {MOST_SCENES} scenes: give --scenes 1 to {MOST_SCENES}")
    began = time.monotonic()
    chosen = select_scenes(f"{FIRST_SCENE}-{FIRST_SCENE + scenes - 1}")
    schedule = TrialSchedule.make([SceneCard.of(scene) for scene in chosen], ARMS, session="demo")
    folder = out / "session"
    with Session.create(folder, schedule, cap_s=CAP_S, station={"name": "twin"}):
        say(f"{len(schedule.trials)} trials planned in {folder}; commitment {schedule.commitment[:16]}")
    # The path of a socket may have 107 bytes only, and --out may be long.
    with (
        tempfile.TemporaryDirectory(prefix="proctor-demo-") as short,
        DemoStation(Path(short), chosen, seed=seed) as station,
    ):
        hands = find_hands(browser=browser)
        say(f"the operator's hands: {hands.kind}")
        day = _Day(folder, station, hands, say)
        try:
            day.run()
        finally:
            day.close()
    with Session.open(folder) as session:
        runs = reveal(session)
    verified = verify(folder)
    say(verified)
    seconds = time.monotonic() - began
    return DemoResult(folder, tuple(runs), verified, day.trials, day.operator.refused, day.crashes, hands.kind, seconds)


class _Day:
    """The session as it is lived: trial after trial, with one console killed in the middle of one."""

    def __init__(self, folder: Path, station: DemoStation, hands: DemoHands, say: Callable[[str], None]) -> None:
        self._folder, self._station, self._hands, self._say = folder, station, hands, say
        self._console = _Console(folder, station)
        self.operator = ScriptedOperator(hands, station, say, folder.parent)
        self.trials = 0
        self.crashes = 0

    def run(self) -> None:
        self._hands.open(self._console.start())
        # Limp until now: it would lie on the scene.
        self.operator.home()
        while True:
            scene = self.operator.set_up()
            crash = self.trials == 1 and not self.crashes
            self.operator.start(_CRASH_S if crash else 0.0)
            if crash:
                self._crash(scene)
            else:
                label = self.operator.judge(scene)
                self.trials += label != "system"
                self._say(f"scene {scene}, trial {self.trials}: {label}")
            if not self.operator.go_on():
                return

    def _crash(self, scene: str) -> None:
        """Kill the console while the arm moves, see that the page notices, start it again."""
        self._hands.picture(self._folder.parent / "console_running.jpg")
        self._console.kill()
        self.crashes += 1
        deadline = time.monotonic() + 30
        while not self._hands.lost():
            if time.monotonic() > deadline:
                raise ProctorError("the page did not notice that the console was gone")
            time.sleep(0.1)
        self._say(f"scene {scene}: the console was killed (SIGKILL) during the trial; it is started again")
        self.operator.recover(self._console.start())

    def close(self) -> None:
        self._hands.close()
        self._console.stop()


class _Console:
    """``proctor station console`` as a process of its own, that can be killed."""

    def __init__(self, folder: Path, station: DemoStation) -> None:
        window = f"window:{station.socket}"
        self._command = [
            *(sys.executable, "-m", "proctor", "station", "console", str(folder)),
            *(
                "--arm",
                station.port,
                "--calibration",
                str(station.calibration),
                "--references",
                str(station.references),
            ),
            *("--camera", f"top={window}", "--camera", f"wrist={window}", "--camera-hz", "5"),
        ]
        self._folder = folder.parent
        self._child: ChildProcess | None = None
        self._starts = 0

    def start(self) -> str:
        """Start it and return the address that it prints."""
        self._starts += 1
        log = self._folder / f"console-{self._starts}.log"
        # In our session: Ctrl-C ends both.
        self._child = ChildProcess(self._command, log=log, own_session=False)
        address = self._child.wait_for_line("open ", _START_S)
        if address is None:
            self.stop()
            raise ProctorError(f"the console did not start: {self._child.last_words()} (see {log})")
        return address

    def kill(self) -> None:
        assert self._child is not None
        self._child.end()

    def stop(self) -> None:
        if self._child is not None and self._child.alive:
            self._child.signal(signal.SIGTERM)
            self._child.end(patience_s=20.0)
