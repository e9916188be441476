"""Serving speed beside vla-eval 0.8.0, in one run: round trips, batching against its bound, whole harness.

    make servebench            # or: python benchmarks/serving/bench.py --page docs/reference/tables/serving_speed.md

Everything is on this machine: two pictures of 256 x 256 and a state go out, (10, 7) actions come back. A forward is
``sleep(40 ms + 1.5 ms per observation)`` where batching is measured and nothing elsewhere. Needs ``scripts/peers.sh``.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from ours import pictures

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PEERS = Path(os.environ.get("PEERS", ROOT / ".venv-peers")) / "bin" / "python"
BASE_S, PER_S, SIM_S, CHUNK = 0.040, 0.0015, 0.010, 10
PATIENCE_S = 120.0
# clients, largest batch, simulated seconds per step, steps per request
CASES = {
    "8 clients, batch 8": (8, 8, 0.0, 1),
    "8 clients, batch 16": (8, 16, 0.0, 1),
    "3 clients, batch 16": (3, 16, 0.0, 1),
    "8 clients, chunk 10, 10 ms steps": (8, 16, SIM_S, CHUNK),
}

INTRODUCTION = """# Serving speed

Written by `make servebench`; no figure is typed. vla-eval 0.8.0 ran beside us, in an environment of its own. Two
pictures of 256 × 256 and a state go out, actions (10, 7) come back."""
BATCHING = """
## Batching

A forward takes 40 ms and 1.5 ms per observation. The bound has everyone in one batch and loses no time. No knob is
turned for us; vla-eval has its batch size, a wait of 50 ms and raw pictures.
"""


def environment() -> dict[str, str]:
    path = [str(HERE), str(ROOT / "src")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path), "OMP_NUM_THREADS": "1"}


@contextlib.contextmanager
def started(command: list[str], ready: Path) -> Iterator[str]:
    """Run a server until the block ends; yield what it wrote into ``ready``."""
    ready.unlink(missing_ok=True)
    with subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + PATIENCE_S
            while not ready.exists():
                if process.poll() is not None or time.monotonic() > deadline:
                    sys.exit(f"bench: the server did not start: {' '.join(command)}")
                time.sleep(0.05)
            yield ready.read_text().strip()
        finally:
            process.kill()


@contextlib.contextmanager
def our_server(folder: Path, *arguments: str, forward: bool = False, chunk: int = CHUNK) -> Iterator[str]:
    values = {"base_s": BASE_S if forward else 0.0, "per_s": PER_S, "chunk": chunk}
    ready = folder / "url"
    command = [sys.executable, "-m", "proctor", "serve", "ours:Model", "--ready-file", str(ready), *arguments]
    with started([*command, *(f"--policy-arg={key}={value}" for key, value in values.items())], ready) as url:
        yield url


@contextlib.contextmanager
def their_server(folder: Path, kind: str, batch: int = 1, forward: bool = False, chunk: int = 1) -> Iterator[str]:
    port = folder / "port"
    values = [str(BASE_S if forward else 0.0), str(PER_S), str(chunk), str(batch), "0.05"]
    with started([str(PEERS), str(HERE / "peer.py"), "server", kind, str(port), *values], port) as number:
        yield f"ws://127.0.0.1:{number}"


def ask(commands: list[list[str]]) -> tuple[float, float]:
    """Start clients together; return requests per second over all of them and the median time of a request."""
    clients = [
        subprocess.Popen(c, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for c in commands
    ]
    for client in clients:
        assert client.stdout is not None
        if client.stdout.readline() != "ready\n":
            sys.exit("bench: a client did not get ready")
    for client in clients:
        assert client.stdin is not None
        client.stdin.write("go\n")
        client.stdin.flush()
    found = [json.loads(client.communicate()[0]) for client in clients]
    times = [value for entry in found for value in entry["times"]]
    seconds = max(entry["ended"] for entry in found) - min(entry["began"] for entry in found)
    return len(times) / seconds, float(np.median(times))


def ours(url: str, requests: int, think_s: float = 0.0, steps: int = 1, shm: bool = True) -> list[str]:
    return [sys.executable, str(HERE / "ours.py"), url, str(requests), str(think_s), str(steps), str(int(shm))]


def theirs(url: str, kind: str, file: Path, requests: int, think_s: float = 0.0, steps: int = 1) -> list[str]:
    command = [str(PEERS), str(HERE / "peer.py"), "client", kind, url]
    return [*command, str(requests), str(think_s), str(steps), str(file)]


def round_trips(folder: Path, file: Path, scale: float) -> dict[str, dict[str, float]]:
    """One client, a model that costs nothing."""
    found: dict[str, dict[str, float]] = {}

    def note(name: str, command: list[str]) -> None:
        rate, median = ask([command])
        found[name] = {"per_s": rate, "median_ms": median * 1000.0}
        print(f"  {name:28s} {rate:8.0f} requests/s, median {median * 1000.0:.2f} ms", flush=True)

    many = max(50, int(2000 * scale))
    with their_server(folder, "png") as url:
        note("vla-eval default (PNG)", theirs(url, "png", file, max(20, int(100 * scale))))
    with their_server(folder, "raw") as url:
        note("vla-eval patched to raw", theirs(url, "raw", file, many))
    with our_server(folder, "--port", "0") as url:
        note("proctor tcp", ours(url, many, shm=False))
        note("proctor shared memory", ours(url, many))
    with our_server(folder, "--socket", str(folder / "s")) as url:
        note("proctor Unix socket", ours(url, many, shm=False))
    return found


def batching(folder: Path, file: Path, scale: float) -> dict[str, dict[str, float]]:
    """Closed loops against a synthetic forward. The bound: everyone in one batch, no time lost anywhere."""
    found = {}
    for name, (clients, batch, think_s, steps) in CASES.items():
        bound = clients / (BASE_S + PER_S * clients + think_s * steps)
        requests = max(8, int((60 if think_s else 160) * scale))
        with our_server(folder, "--port", "0", "--max-batch", str(batch), forward=True) as url:
            rate, _ = ask([ours(url, requests, think_s, steps) for _ in range(clients)])
        # Its chunks live on the server: with one step per request each must be a forward, as for us.
        with their_server(folder, "raw", batch, forward=True, chunk=steps) as url:
            peer, _ = ask([theirs(url, "raw", file, max(4, requests // 2), think_s, steps) for _ in range(clients)])
        peer /= steps
        found[name] = {"bound_per_s": bound, "per_s": rate, "share": rate / bound, "peer_share": peer / bound}
        print(
            f"  {name:34s} bound {bound:6.1f}, ours {rate / bound:6.1%}, vla-eval raw {peer / bound:6.1%}", flush=True
        )
    return found


def harness(folder: Path, file: Path, scale: float) -> dict[str, float]:
    """Control steps per second with a free simulator and model: slope of two runs, so that start-up does not count."""
    found: dict[str, float] = {}
    for name, chunk in (("proctor run, asked at every step", 1), ("proctor run, chunks of 10", CHUNK)):
        with our_server(folder, "--port", "0", chunk=chunk) as url:
            found[name] = slope(lambda n, url=url: our_run(folder, url, n), max(4, int(30 * scale)), 100)
        print(f"  {name:34s} {found[name]:8.0f} steps/s", flush=True)
    for name, kind, episodes in (
        ("vla-eval run, default (PNG)", "png", 4),
        ("vla-eval run, patched to raw", "raw", 40),
    ):
        with their_server(folder, kind, chunk=1) as url:
            found[name] = slope(
                lambda n, kind=kind, url=url: their_run(folder, file, kind, url, n), max(2, int(episodes * scale)), 50
            )
        print(f"  {name:34s} {found[name]:8.0f} steps/s", flush=True)
    return found


def slope(run: Any, episodes: int, steps: int) -> float:
    """Steps per second beyond starting up, from so many episodes that they take longer than that."""
    few = min(run(1), run(1))
    while (many := run(1 + episodes)) < 2.0 * few:
        episodes *= 2
    return episodes * steps / (many - few)


def our_run(folder: Path, url: str, episodes: int) -> float:
    out = tempfile.mkdtemp(dir=folder)
    command = [sys.executable, "-m", "proctor", "run", "arena/static_obstacles", "--policy", url, "--max-steps", "100"]
    command += ["--levels", "L0", "--episodes", "1000", "--limit", str(episodes), "--env", "ours:FreeEnv"]
    return timed([*command, "--out", f"{out}/run"])


def their_run(folder: Path, file: Path, kind: str, url: str, episodes: int) -> float:
    out = Path(tempfile.mkdtemp(dir=folder))
    lines = [
        f"output_dir: {out}/out",
        "benchmarks:",
        "  - benchmark: peer:Free",
        f"    episodes_per_task: {episodes}",
        f"    params: {{pictures_file: {file}, max_steps: 50}}",
    ]
    (out / "config.yaml").write_text("\n".join(lines) + "\n")
    command = [str(PEERS), str(HERE / "peer.py"), "harness", kind, "run", "--no-docker", "-c", str(out / "config.yaml")]
    return timed([*command, "--server-url", url])


def timed(command: list[str]) -> float:
    began = time.monotonic()
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, cwd=HERE, check=False)
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return time.monotonic() - began


def verdicts(result: dict[str, Any]) -> list[tuple[str, float, float]]:
    """Return (what, found, asked) for every promise."""
    trips, runs = result["round_trips"], result["harness"]
    tcp, default, raw = (
        trips[k]["per_s"] for k in ("proctor tcp", "vla-eval default (PNG)", "vla-eval patched to raw")
    )
    rows = [("round trip over tcp, times its default", tcp / default, 30.0), ("times its raw mode", tcp / raw, 1.5)]
    for name, case in result["batching"].items():
        rows.append((f"share of the bound: {name}", case["share"], 0.90 if "chunk" in name else 0.94))
    ratio = runs["proctor run, asked at every step"] / runs["vla-eval run, default (PNG)"]
    return [*rows, ("whole harness, times its default", ratio, 20.0)]


def _priority() -> str:
    """Say so if everything here, the peer too, ran before other work (``chrt -r 5``), as if the machine were quiet."""
    return "" if os.sched_getscheduler(0) == os.SCHED_OTHER else ", all of it with real-time priority over that load"


def page(result: dict[str, Any]) -> str:
    """Return the documentation page: measured here, typed nowhere."""
    where = result["machine"]
    lines = [INTRODUCTION]
    machine = f"Machine: {where['cores']} cores ({where['cpu']}), load before the run {where['load']:.2f}"
    lines += ["", f"{machine}{_priority()}.", ""]
    lines += ["## One client, a model that costs nothing", "", "| | requests/s | median |", "|---|---:|---:|"]
    lines += [f"| {k} | {v['per_s']:,.0f} | {v['median_ms']:.2f} ms |" for k, v in result["round_trips"].items()]
    lines += [BATCHING]
    lines += ["| | bound, requests/s | proctor | vla-eval |", "|---|---:|---:|---:|"]
    for name, case in result["batching"].items():
        lines.append(f"| {name} | {case['bound_per_s']:.1f} | {case['share']:.1%} | {case['peer_share']:.1%} |")
    lines += ["", "## Whole harness, free simulator, free model", "", "| | control steps/s |", "|---|---:|"]
    lines += [f"| {name} | {rate:,.0f} |" for name, rate in result["harness"].items()]
    lines += ["", "## What was asked for", "", "| | found | asked | |", "|---|---:|---:|---|"]
    for what, found, asked in verdicts(result):
        lines.append(f"| {what} | {found:.3g} | {asked:g} | {'yes' if found >= asked else '**no**'} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1.0, help="fewer requests for a quick look: 0.1")
    parser.add_argument("--json", type=Path, default=ROOT / "runs" / "bench-serving.json")
    parser.add_argument("--page", type=Path, help="write the documentation page here")
    options = parser.parse_args()
    if not PEERS.exists():
        sys.exit("bench: vla-eval is missing; make its environment with: bash scripts/peers.sh")
    about = Path("/proc/cpuinfo").read_text().splitlines()
    cpu = next((line.split(":")[1].strip() for line in about if line.startswith("model name")), "?")
    machine = {"cores": os.cpu_count(), "cpu": cpu, "load": os.getloadavg()[0], "python": platform.python_version()}
    result: dict[str, Any] = {"machine": machine}
    with tempfile.TemporaryDirectory(prefix="bench-") as text:
        folder = Path(text)
        file = folder / "pictures.npz"
        np.savez(file, **pictures())
        print("one client, a model that costs nothing", flush=True)
        result["round_trips"] = round_trips(folder, file, options.scale)
        print("batching, share of the bound", flush=True)
        result["batching"] = batching(folder, file, options.scale)
        print("whole harness, free simulator, free model", flush=True)
        result["harness"] = harness(folder, file, options.scale)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(result, indent=1) + "\n")
    print("what was asked for")
    for what, found, asked in verdicts(result):
        print(f"  {what:52s} {found:8.3g}  asked {asked:5g}  {'yes' if found >= asked else 'NO'}")
    if options.page is not None:
        options.page.write_text(page(result), encoding="utf-8")


if __name__ == "__main__":
    main()
