"""A whole session over HTTP and WebSocket, every byte of it searched for what would tell the arms apart."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from console_rig import RED, Client, Rig, console_rig
from websockets.sync.client import connect

from proctor.station.arm import load_calibration
from proctor.station.session import ArmPolicy, Session, reveal, verify

HERE = str(Path(__file__).parent)
ARMS = [
    ArmPolicy("zebra-arm", "console_policy:Steady", {"checkpoint": "/weights/tapir-7b.safetensors"}),
    ArmPolicy("gnu-arm", "console_policy:Loud", {"checkpoint": "/weights/ibex-3b.safetensors"}),
]
# Labels, import paths, arguments, the policy's own name and fingerprint, and pieces of them.
TELLING = ("zebra", "gnu-arm", "console_policy", "Steady", "Loud", "tapir", "ibex", "weights", "okapi", "quagga")


def found(data: bytes, words: tuple[str, ...]) -> set[str]:
    """Return the words in ``data``, in any case, also as UTF-16 and in JSON's escapes."""
    low = data.lower()
    forms = {word: (word.lower().encode(), word.lower().encode("utf-16-le")) for word in words}
    return {word for word, shapes in forms.items() if any(shape in low for shape in shapes)}


class Listener:
    """A page that hears everything the WebSocket says."""

    def __init__(self, client: Client) -> None:
        self.heard: list[bytes] = []
        self.pictures = 0
        self._socket = connect(
            f"ws://127.0.0.1:{client.port}/ws",
            origin=client.origin,  # type: ignore[arg-type]
            additional_headers={"Cookie": client.cookie},
        ).__enter__()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        for message in self._socket:
            self.heard.append(message if isinstance(message, bytes) else message.encode())
            if isinstance(message, bytes):
                self.pictures += 1
                self._socket.send("seen")

    def close(self) -> None:
        self._socket.close()
        self._thread.join(10)


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", HERE, prepend=":")
        with console_rig(tmp_path_factory.mktemp("blind"), ARMS) as made:
            yield made


def run_trial(rig: Rig, client: Client) -> str:
    """One trial as an operator does it: refused by the gate, corrected, run, scored; return how it ended."""
    client.wait("setup", "gate")
    rig.twin.move_object(RED.name, RED.x + 0.03, RED.y)
    assert client.press("check").status == 200
    state = client.wait("gate")
    (wrong,) = [line for line in state["gate"]["lines"] if not line["ok"]]
    assert wrong["name"] == "Red object"
    assert abs(int(wrong["text"].split()[0]) - 30) <= 2
    assert len(state["gate"]["arrows"]) == 1
    assert client.press("start").status == 422
    rig.twin.move_object(RED.name, RED.x, RED.y)
    assert client.press("check").status == 200
    client.wait("ready")
    while "start" not in client.state()["keys"]:
        pass
    assert client.press("start").status == 200
    state = client.wait("running", "scoring")
    while state["phase"] == "running" and state["timer"]["elapsed_s"] < 1.0:
        state = client.state()
    assert client.press("note", text="a note").status == 200
    if state["phase"] == "running":
        assert client.press("item", kind="dropped").status == 200
    ended = str(client.state()["ended"])
    assert client.press("fail").status == 200
    assert client.press("undo").status == 200
    assert client.press("fail").status == 200
    assert client.ask("GET", "/api/reference").status == 200
    return ended


def test_nothing_that_can_be_seen_or_fetched_tells_the_arms_apart(rig: Rig) -> None:
    client = rig.client()
    listener = Listener(client)
    ends = []
    try:
        for _ in range(2):
            ends.append(run_trial(rig, client))
            if client.state()["phase"] != "finished":
                rig.server.access.changes._times.clear()
                assert client.press("next").status == 200
    finally:
        listener.close()
    assert client.state()["phase"] == "finished"
    # One arm ran, the other failed loudly: the worst case for a secret.
    assert any("stopped answering" in text for text in ends)
    assert listener.pictures > 4
    for path in ("/", "/static/panel.js", "/nowhere", "/static/nothing"):
        client.ask("GET", path)
    while "home" not in client.state()["keys"]:
        pass
    public = [path for path in rig.folder.rglob("*") if "secret" not in path.relative_to(rig.folder).parts]
    files = [path.read_bytes() for path in public if path.is_file()]
    names = [str(path.relative_to(rig.folder)).encode() for path in public]
    assert sum(path.suffix == ".mp4" for path in public) >= 2
    assert sum(path.name == "meta.json" for path in public) == 2
    everything = [*client.heard, *listener.heard, *names, *files]
    assert sum(map(len, everything)) > 100_000
    assert set().union(*(found(data, TELLING) for data in everything)) == set()
    secret = json.loads((rig.folder / "secret" / "schedule.json").read_text())["secret"]
    assert not any(secret.encode() in data for data in everything)


def test_the_search_would_find_them(rig: Rig) -> None:
    secrets = [path.read_bytes() for path in (rig.folder / "secret").rglob("*.json")]
    assert set().union(*(found(data, TELLING) for data in secrets)) == set(TELLING)
    leak = json.dumps({"phase": "running", "policy": "ZEBRA-arm"}).encode()
    assert found(leak, TELLING) == {"zebra"}


def test_the_session_can_be_revealed_and_verified_afterwards(rig: Rig) -> None:
    session = rig.desk._session
    assert isinstance(session, Session)
    runs = reveal(session)
    assert {run.name for run in runs} == {arm.label for arm in ARMS}
    assert "2 trials complete" in verify(rig.folder)
    rows = {row.policy.name: row for row in session.rows()}
    assert rows["zebra-arm"].outcome.success is False
    assert rows["gnu-arm"].status == "policy_error"
    assert rows["zebra-arm"].timing.policy_calls > 0
    # The console said which arm it was, in which unit the policies spoke to it.
    held = load_calibration(rig.folder.parent / "arm.json").sha256
    assert {row.provenance.robot for row in rows.values()} == {f"true_degrees:{held}"}
