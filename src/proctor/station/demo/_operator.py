"""The scripted operator: lays a scene out (wrongly first), follows the gate, runs trials, judges by the criterion.

It sees the page and the bench, never the schedule: it is as blind as a person.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from proctor.core import ProctorError

from ._bench import DemoBench
from ._hands import Hands, wait_for

OFF_MM: Final = 28.0
_TRIES: Final = 4
# When somebody who watches would give up: the scripted policies need about 12 seconds.
_GIVE_UP_S: Final = 16.0
# By then a block that can be stacked has been lifted.
_NO_GRASP_S: Final = 9.0
_LOOK_S: Final = 0.1


class ScriptedOperator:
    """One person at the bench. ``say`` gets a line about everything that happens."""

    def __init__(self, hands: Hands, bench: DemoBench, say: Callable[[str], None], pictures: Path | None) -> None:
        self._hands = hands
        self._bench = bench
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
            self._bench.lay_out(scene, OFF_MM)
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
            self._bench.lay_out(scene)
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
        """Watch the trial, score it, and return the label; what the bench broke is ``system``, whatever was pressed."""
        success = False
        while True:
            seen = self._hands.state()
            success, lifted = self._bench.judge(scene), self._bench.lifted(scene)
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
        """Open the console again after a crash, mark the trial as the bench's fault, bring the arm home."""
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
