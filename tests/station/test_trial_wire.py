"""A policy behind Proctor's wire on the station: it acts; when its server dies the arm holds, the trial is marked."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from proctor.station.arm import Bus, So101Arm
from proctor.station.camera import TwinCamera
from proctor.station.trial import Runner, Trial
from proctor.station.twin import Twin

HERE = Path(__file__).parent
PATIENCE_S = 60.0


def test_a_served_policy_acts_and_its_death_is_its_fault(tmp_path: Path) -> None:
    ready = tmp_path / "url"
    environment = {**os.environ, "PYTHONPATH": f"{HERE}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    command = [
        sys.executable,
        "-m",
        "proctor",
        "serve",
        "trial_policies:Wave",
        "--port",
        "0",
        "--ready-file",
        str(ready),
    ]
    with (
        subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as server,
        Twin(seed=4) as twin,
    ):
        try:
            numbers = twin.calibrate()
            wait_for(ready, server)
            url = ready.read_text().strip()
            with Runner(
                lambda: So101Arm(Bus.open(twin.port, timeout_s=2.0), numbers),
                [TwinCamera(twin, "top", 96)],
                lambda _: (url, {}),
                tmp_path / "trials",
                secrets=tmp_path / "secret",
                silent_s=8.0,
                camera_hz=8.0,
                fps=8.0,
            ) as runner:
                runner.start(Trial("t1", "a", "wave", time_cap_s=0.8))
                result = runner.wait(PATIENCE_S)
                assert result is not None
                assert result.status == "completed", runner.private()["error"]
                assert result.actions > 3
                assert runner.private()["fingerprint"].startswith("source-")
                runner.start(Trial("t2", "a", "wave", time_cap_s=120.0))
                end = time.monotonic() + PATIENCE_S
                while runner.status().elapsed_s < 0.3:
                    assert time.monotonic() < end
                    time.sleep(0.01)
                server.kill()
                result = runner.wait(2 * PATIENCE_S)
                assert result is not None
                assert (result.status, result.ended_by) == ("policy_error", "policy")
                assert url not in result.fault
                assert url not in (tmp_path / "trials/t2/meta.json").read_text()
        finally:
            server.kill()


def wait_for(ready: Path, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not ready.exists():
        assert server.poll() is None
        assert time.monotonic() < end
        time.sleep(0.05)
