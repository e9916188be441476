"""`proctor.evaluate` as a program, a notebook and a training loop call it."""

from __future__ import annotations

import dataclasses
import inspect
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import proctor
from proctor.core import PolicySpec, ProctorError

WORLD = Path(__file__).parent / "run" / "engine"
TASKS = "arena/static_obstacles/L0"
POINT = {"env": "point_world:PointEnv", "max_steps": 20, "limit": 6}


class Wanderer:
    """Goes by what this episode has seen so far: two episodes that share a history would go elsewhere."""

    def __init__(self) -> None:
        self.history: list[float] = []
        self.rng = np.random.default_rng(0)
        self.weights = np.linspace(-1.0, 1.0, 300_000)

    def spec(self) -> PolicySpec:
        return PolicySpec(name="wanderer", cameras=("agentview",), image_size=32)

    def reset(self, instruction, episode):
        self.history.clear()
        self.rng = np.random.default_rng(episode.seed)

    def act(self, observation):
        self.history.append(float(observation.state[:3].sum()))
        return np.clip(np.full(7, sum(self.history)) + self.rng.uniform(-0.5, 0.5, 7), -1.0, 1.0)


class Together:
    """The same for many sessions at once."""

    def __init__(self) -> None:
        self.of: dict[str, Wanderer] = {}
        self.processes: set[int] = set()

    def spec(self) -> PolicySpec:
        return dataclasses.replace(Wanderer().spec(), name="together")

    def begin(self, session, instruction, episode):
        self.of[session] = Wanderer()
        self.of[session].reset(instruction, episode)

    def act_batch(self, sessions, observations):
        self.processes.add(os.getpid())
        return [self.of[session].act(seen) for session, seen in zip(sessions, observations, strict=True)]

    def end(self, session):
        del self.of[session]


class Unlucky(Wanderer):
    def act(self, observation):
        if observation.step == 3:
            raise ValueError("out of luck")
        return super().act(observation)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    (tmp_path / "wander.py").write_text(Path(__file__).read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(WORLD), prepend=os.pathsep)


def paths(run: proctor.Run) -> dict[str, str]:
    return {row.pair_id: row.outcome.trajectory_hash for row in run.episodes}


def test_an_object_does_what_its_class_does_whoever_runs_beside_it():
    by_name = proctor.evaluate("wander:Wanderer", TASKS, **POINT)
    assert by_name.success().completed == 6
    for policy, more in (
        (Wanderer(), {"workers": 2}),
        (Wanderer(), {"envs_per_worker": 3}),
        (Together(), {"workers": 2}),
    ):
        assert paths(proctor.evaluate(policy, TASKS, **POINT, **more)) == paths(by_name)


def test_an_object_is_called_in_the_process_that_owns_it():
    policy = Together()
    run = proctor.evaluate(policy, TASKS, **POINT, workers=2)
    assert policy.processes == {os.getpid()}
    assert {row.policy.address for row in run.episodes} == {""}
    assert not policy.of, "every session was ended"


def test_an_exception_of_the_policy_is_an_error_in_the_row_and_no_failure():
    run = proctor.evaluate(Unlucky(), TASKS, **POINT, workers=2)
    assert {row.status for row in run.episodes} == {"policy_error"}
    assert all("ValueError: out of luck" in row.error and "in act)" in row.error for row in run.episodes)
    assert run.success().rate is None
    assert run.success().errors == 6


def _standing() -> tuple[int, set[str], list[str]]:
    children = subprocess.run(["pgrep", "-P", str(os.getpid())], capture_output=True, text=True, check=False)
    # pgrep itself is among them while it looks, and gone afterwards.
    kids = [pid for pid in children.stdout.split() if Path(f"/proc/{pid}").exists()]
    opened = {os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")}
    sockets = {one for one in opened if "socket:" in one or "memfd" in one or "proctor-" in one}
    return threading.active_count(), sockets, [*os.listdir(tempfile.gettempdir()), *kids]


def test_nothing_is_left_after_a_call_however_it_ends(monkeypatch, request):
    folder = tempfile.TemporaryDirectory()
    request.addfinalizer(folder.cleanup)
    monkeypatch.setattr(tempfile, "tempdir", folder.name)

    def stop(row):
        raise RuntimeError("enough")

    before = _standing()
    proctor.evaluate(Wanderer(), TASKS, **POINT, workers=2)
    assert _standing() == before
    with pytest.raises(RuntimeError, match="enough"):
        proctor.evaluate(Wanderer(), TASKS, **POINT, workers=2, on_episode=stop)
    assert _standing() == before


def test_ctrl_c_keeps_what_is_recorded_and_the_same_call_completes_it():
    script = (
        "import proctor, wander\n"
        "slow = dict(env='point_world:PointEnv', env_args={'step_s': 0.02}, max_steps=20, episodes=4, workers=2)\n"
        "say = lambda row: print('row', flush=True)\n"
        "proctor.evaluate(wander.Wanderer(), 'arena/static_obstacles/L0', out='kept', on_episode=say, **slow)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"row\n"
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
    assert b"KeyboardInterrupt" in errors
    assert running.returncode in (-signal.SIGINT, 130)
    kept = {row.episode_id for row in proctor.load_run("kept").episodes}
    plan = {"env": "point_world:PointEnv", "env_args": {"step_s": 0.02}, "max_steps": 20, "episodes": 4, "workers": 2}
    run = proctor.evaluate(Wanderer(), TASKS, out="kept", **plan)
    assert run.result is not None
    assert run.result.skipped == len(kept) > 0
    assert kept < {row.episode_id for row in run.episodes}
    assert run.result.skipped + run.result.ran == run.result.planned


@pytest.mark.parametrize(
    ("policy", "more", "says"),
    [
        (Wanderer, {}, "is a class: pass an object"),
        (object(), {}, r"has no method spec\(\)"),
        (Wanderer(), {"policy_args": {"a": 1}}, "is built already"),
        (Wanderer(), {"name": "noop"}, "is the name of a built-in policy"),
        (Wanderer(), {"ray": "local"}, "an object stays in this process"),
        ("noop", {"policy_args": {"a": object()}}, "must be JSON values"),
        ("nop", {}, "did you mean 'noop'"),
        ("noop", {"vision": "V9"}, "unknown --vision"),
    ],
)
def test_mistakes_are_one_line(policy, more, says):
    with pytest.raises(ProctorError, match=says) as found:
        proctor.evaluate(policy, TASKS, **POINT, **more)
    assert "\n" not in str(found.value)
    assert not list(Path().glob("runs/*/run.json"))


def test_a_privileged_object_is_refused():
    from proctor.policies.scripted import ExpertPolicy

    with pytest.raises(ProctorError, match="privileged"):
        proctor.evaluate(ExpertPolicy(), TASKS, **POINT)


def test_a_run_can_be_read_shown_and_compared(capsys):
    first, second = (proctor.evaluate(Wanderer(), TASKS, **POINT, name=name) for name in ("one", "two"))
    assert first.folder != second.folder
    again = proctor.load_run(first.folder)
    assert paths(again) == paths(first)
    assert again.table().num_rows == 6
    pytest.importorskip("pandas")
    assert len(again.table().to_pandas()) == 6
    assert "<td>0/6</td>" in again._repr_html_()
    assert again.report("pages").read_text(encoding="utf-8").startswith("<!")
    pages = [page.read_text(encoding="utf-8") for page in Path("pages/episode").glob("*.html")]
    assert pages, "every episode has a page"
    assert not any("proctor run" in page for page in pages), "no command can run an object again"
    found = proctor.compare(first, second.folder)
    assert found.sentence in capsys.readouterr().out
    assert found.comparison.pairs[0].n_pairs == 6
    with pytest.raises(ProctorError):
        proctor.load_run("nowhere")


def test_the_call_the_data_and_the_command_have_the_same_fields_and_defaults():
    from proctor.cli.run import run

    call = inspect.signature(proctor.evaluate).parameters
    data = {field.name: field for field in dataclasses.fields(proctor.Experiment)}
    command = inspect.signature(run).parameters
    assert set(call) - {"on_episode"} == set(data) == set(command) - {"ctx"}
    for name, field in data.items():
        if field.default is not dataclasses.MISSING:
            assert call[name].default == field.default, name
            assert command[name].default in (field.default, None, *[1] * (field.default is None)), name


def test_an_environment_has_the_layouts_of_the_run():
    pytest.importorskip("gymnasium")
    task = "arena/static_obstacles/L2/pick_the_apple_and_place_it_on_the_bowl"
    env = proctor.make_env(task, cameras=())
    _, info = env.reset(seed=3)
    env.close()
    (row,) = proctor.evaluate("noop", task, episodes=1, seed=3, max_steps=2).episodes
    assert row.spec.seed == info["seed"]


def test_every_public_name_is_there():
    assert set(proctor.__all__) <= set(dir(proctor))
    assert all(getattr(proctor, name) is not None for name in proctor.__all__)
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        _ = proctor.evalute


def test_in_a_notebook():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    cells = [
        "import numpy as np\nimport proctor\nfrom proctor import PolicySpec",
        "class Mine:\n"
        "    def spec(self): return PolicySpec(name='mine', image_size=32)\n"
        "    def reset(self, instruction, episode): self.told = instruction\n"
        "    def act(self, observation): return np.zeros(7)",
        f"run = proctor.evaluate(Mine(), {TASKS!r}, env='point_world:PointEnv', max_steps=5, limit=4, workers=2)\nrun",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = notebook.cells[-1].outputs[-1]["data"]["text/html"]
    assert "<b>mine</b>" in shown
    assert "<td>0/4</td>" in shown


def test_inside_a_training_loop_of_a_torch_policy():
    torch = pytest.importorskip("torch")

    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 7))

        def spec(self):
            return PolicySpec(name="net", image_size=32)

        def reset(self, instruction, episode):
            self.steps = 0

        @torch.no_grad()
        def act(self, observation):
            assert observation.step == self.steps, "episodes do not share what reset() set"
            self.steps += 1
            return torch.tanh(self.net(torch.tensor(observation.state, dtype=torch.float32))).numpy()

    torch.manual_seed(0)
    net, seen = Net(), []
    optimiser = torch.optim.SGD(net.parameters(), lr=0.5)
    for step in range(4):
        if step % 2 == 0:
            seen.append(paths(proctor.evaluate(net, TASKS, **POINT, workers=2)))
        loss = ((net.net(torch.ones(1, 8)) - 0.3) ** 2).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert set(seen[0]) == set(seen[1]), "the same layouts each time"
    assert all(seen[0][pair] != seen[1][pair] for pair in seen[0]), "the weights of the moment, not a copy of the first"


def test_a_copy_for_another_episode_shares_weights_and_nothing_that_an_episode_changes():
    from proctor.policies import episode_copy

    class Buffer:
        def __init__(self):
            self.frames = []

    policy = Wanderer()
    policy.buffer, policy.table = Buffer(), {"a": [1]}
    policy.itself, policy.lock = policy, threading.Lock()
    other = episode_copy(policy)
    assert other.weights is policy.weights
    assert other.lock is policy.lock
    assert other.itself is other
    other.buffer.frames.append(1)
    other.table["a"].append(2)
    other.rng.random()
    assert policy.buffer.frames == []
    assert policy.table == {"a": [1]}
    assert policy.rng.random() == np.random.default_rng(0).random()


def test_without_out_two_calls_at_once_have_two_folders():
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(proctor.evaluate("noop", TASKS, **{**POINT, "limit": 1}).folder))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 2
    assert time.strftime("%Y") in found[0].name
