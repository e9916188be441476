"""Runs in LeRobot's environment: its own SO101Follower on a port, driven by lines of JSON. Nothing of ours is imported.

Answers begin with ``>>> `` so that they can be told from what LeRobot prints. LeRobot waits 50 ms for a servo and asks
only once; on a machine with more work than cores that is not always enough, so what it calls a lost connection is tried
again here, as its users do. Nothing in LeRobot is changed.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lerobot.robots.so_follower import SO101Follower, SO101FollowerConfig

PATIENCE_S = 120.0


def patiently(work: Callable[[], Any], robot: Any = None) -> Any:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            return work()
        except (ConnectionError, RuntimeError) as error:
            # The hand-shake calls a lost ping a missing motor, which is a RuntimeError.
            print(f"again: {error}", flush=True)
            time.sleep(0.3)
            if robot is not None:
                # An answer that came too late would be taken for that of the next request.
                robot.bus.port_handler.ser.reset_input_buffer()
    return work()


def answer(value: Any) -> None:
    print(">>> " + json.dumps(value), flush=True)


def main() -> None:
    port, folder, use_degrees = sys.argv[1], sys.argv[2], sys.argv[3] == "degrees"

    def make() -> Any:
        return SO101Follower(
            SO101FollowerConfig(port=port, id="twin", calibration_dir=Path(folder), use_degrees=use_degrees)
        )

    def connect() -> Any:
        robot = make()
        robot.connect()
        return robot

    answer({"calibration": sorted(make().calibration)})
    robot = patiently(connect)
    answer({"connected": robot.is_connected, "calibrated": patiently(lambda: robot.is_calibrated, robot)})
    patiently(robot.disconnect, robot)
    # No prompt may come now: there is nobody to answer.
    robot = patiently(connect)
    answer({"connected": robot.is_connected, "calibrated": patiently(lambda: robot.is_calibrated, robot)})
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "observe":
            answer(patiently(robot.get_observation, robot))
        elif request["do"] == "action":
            robot.send_action(request["action"])
            answer(patiently(lambda: robot.bus.sync_read("Goal_Position", normalize=False), robot))
        elif request["do"] == "torque":
            patiently(robot.bus.enable_torque if request["on"] else robot.bus.disable_torque, robot)
            answer({})
    patiently(robot.disconnect, robot)


main()
