"""Nobody runs the arm but the page that was given the token: every route, every way in that we could think of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from console_rig import Client, Rig, console_rig
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from proctor.core import ProctorError
from proctor.station.console import ACTIONS, MAX_BODY_BYTES, Access, make_app
from proctor.station.session import ArmPolicy, Session

GUARDED = [("GET", "/api/state"), ("GET", "/api/reference"), ("POST", "/api/stop"), ("POST", "/api/act")]
HERE = str(Path(__file__).parent)


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", HERE, prepend=":")
        with console_rig(tmp_path_factory.mktemp("rig"), [ArmPolicy("one", "console_policy:Steady")]) as made:
            yield made


@pytest.fixture
def journal(rig: Rig) -> Iterator[Path]:
    """The journal, which nothing in these tests may change."""
    path = rig.folder / "journal.jsonl"
    before = path.read_bytes()
    yield path
    assert path.read_bytes() == before


def test_the_table_of_routes_is_complete(rig: Rig) -> None:
    app = make_app(rig.desk, rig.server.access)
    paths = {route.path for route in app._app.routes}  # type: ignore[attr-defined]
    assert paths == {"/", "/static/{name}", "/login", "/ws", *(path for _, path in GUARDED)}


@pytest.mark.parametrize(("method", "path"), GUARDED)
@pytest.mark.parametrize("cookie", [None, "proctor_console_{port}=", "proctor_console_{port}=wrong", "other={token}"])
def test_without_the_cookie_nothing_happens(
    rig: Rig, journal: Path, method: str, path: str, cookie: str | None
) -> None:
    client = Client(rig.server.port)
    held = cookie.format(port=rig.server.port, token=rig.server.access.token) if cookie else None
    body = json.dumps({"action": "note", "data": {"text": "x"}, "seen": 1}).encode()
    answer = client.ask(method, path, body if method == "POST" else None, Cookie=held)
    assert answer.status == 401
    assert b"monday" not in answer.body


@pytest.mark.parametrize("token", ["", "wrong", None, 7, ["a"], {"a": 1}])
def test_a_wrong_token_is_refused_and_attempts_are_few(rig: Rig, token: object) -> None:
    rig.server.access.logins._times.clear()
    answers = [Client(rig.server.port).post("/login", {"token": token}) for _ in range(7)]
    assert {answer.status for answer in answers[:5]} == {403}
    assert [answer.status for answer in answers[5:]] == [429, 429]
    assert not any("set-cookie" in answer.headers for answer in answers)
    rig.server.access.logins._times.clear()


def test_the_cookie_is_for_this_site_only_and_is_not_the_token(rig: Rig) -> None:
    answer = Client(rig.server.port).sign_in(rig.server.access.token)
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert rig.server.access.token not in cookie


@pytest.mark.parametrize("path", ["/api/act", "/api/stop", "/login"])
@pytest.mark.parametrize(
    "origin",
    [None, "null", "http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1:1", "http://localhost"],
)
def test_a_cross_site_post_is_refused(rig: Rig, journal: Path, path: str, origin: str | None) -> None:
    client = rig.client()
    fields = {"action": "note", "data": {"text": "x"}, "seen": 1, "token": rig.server.access.token}
    sent = origin.format(port=rig.server.port) if origin else None
    assert client.post(path, fields, Origin=sent).status == 403
    assert client.post(path, fields, Sec_Fetch_Site="cross-site").status == 403
    assert client.post(path, fields, Sec_Fetch_Site="same-site").status == 403


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "", "a.:80"])
def test_a_rebound_name_is_refused_everywhere(rig: Rig, journal: Path, host: str) -> None:
    client = rig.client()
    name = host.format(port=rig.server.port)
    for method, path in [("GET", "/"), ("GET", "/static/console.js"), *GUARDED]:
        body = b"{}" if method == "POST" else None
        assert client.ask(method, path, body, Host=name, Origin=f"http://{name}").status in (400, 403)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../_guard.py",
        "/static/..%2f_guard.py",
        "/static/%2e%2e/_guard.py",
        "/static/%2e%2e%2findex.html",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/..\\_guard.py",
        "/static/console.js%00.css",
        "/static/index.html",
        "/session.json",
        "/secret/schedule.json",
        "/../secret/schedule.json",
        "/docs",
        "/openapi.json",
    ],
)
def test_no_file_but_those_of_the_page_can_be_fetched(rig: Rig, path: str) -> None:
    answer = rig.client().ask("GET", path)
    assert answer.status == 404
    assert len(answer.body) < 100


def test_what_is_open_to_all_says_nothing_of_the_session(rig: Rig) -> None:
    names = ["console.css", "console.js", "icon.svg", "link.js", "panel.js", "stage.js"]
    package = files("proctor.station.console") / "static"
    assert {item.name for item in package.iterdir()} == {*names, "index.html"}
    client = Client(rig.server.port)
    for path, name in [("/", "index.html"), *((f"/static/{name}", name) for name in names)]:
        answer = client.ask("GET", path)
        assert (answer.status, answer.body) == (200, (package / name).read_bytes())
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert b"http://" not in answer.body.replace(b"http://www.w3.org/2000/svg", b"")
        assert b"https://" not in answer.body


def test_big_bodies_are_refused_before_they_are_read(rig: Rig, journal: Path) -> None:
    client = rig.client()
    big = json.dumps({"action": "note", "data": {"text": "x" * MAX_BODY_BYTES}, "seen": 1}).encode()
    assert client.ask("POST", "/api/act", big).status == 413
    assert client.ask("POST", "/api/act", b"{}", Content_Length=str(10**12)).status == 413
    chunked = b"".join(b"%x\r\n%s\r\n" % (4096, b" " * 4096) for _ in range(8)) + b"0\r\n\r\n"
    assert client.ask("POST", "/api/act", chunked, Transfer_Encoding="chunked").status == 413
    assert client.post("/api/act", {"action": "note", "data": {"text": "x" * 501}, "seen": 1}).status == 400


@pytest.mark.parametrize(
    "fields",
    [
        [],
        "text",
        {},
        {"action": "reveal", "data": {}, "seen": 1},
        {"action": "commit", "data": {}, "seen": 1},
        {"action": "gate_result", "data": {"passed": "yes"}, "seen": 1},
        {"action": "note", "data": {"text": "x", "trial": "y"}, "seen": 1},
        {"action": "note", "data": {"text": 7}, "seen": 1},
        {"action": "note", "data": {"text": "x"}, "seen": True},
        {"action": "note", "data": {"text": "x"}, "seen": 1, "more": 1},
        {"action": ["note"], "data": {}, "seen": 1},
    ],
)
def test_what_is_no_key_of_the_page_is_refused(rig: Rig, journal: Path, fields: object) -> None:
    assert rig.client().post("/api/act", fields).status == 400


def test_a_form_cannot_press_a_key(rig: Rig, journal: Path) -> None:
    body = json.dumps({"action": "note", "data": {"text": "x"}, "seen": 1}).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded", None):
        assert rig.client().ask("POST", "/api/act", body, Content_Type=kind).status == 400


def test_a_stale_key_is_refused_but_never_the_safety_stop(rig: Rig) -> None:
    client = rig.client()
    version = client.state()["version"]
    assert client.press("undo", seen=version - 1).status == 409
    assert client.press("next", seen=version + 1).status == 409
    for _ in range(60):
        assert client.post("/api/stop", {}).status == 200
    assert "release" in client.state()["keys"]
    while client.press("release").status == 429:
        pass
    assert "release" not in client.state()["keys"]


def test_too_many_keys_at_once_are_refused(rig: Rig) -> None:
    client = rig.client()
    statuses = [client.post("/api/act", {}).status for _ in range(200)]
    assert set(statuses) == {400, 429}


@pytest.mark.parametrize(
    ("origin", "signed_in"), [("http://evil.example", True), (None, True), ("ours", False), ("ours", True)]
)
def test_the_web_socket_wants_origin_and_cookie(rig: Rig, origin: str | None, signed_in: bool) -> None:
    client = rig.client()
    headers = {"Cookie": client.cookie} if signed_in else {}
    sent = client.origin if origin == "ours" else origin
    url = f"ws://127.0.0.1:{rig.server.port}/ws"
    if origin == "ours" and signed_in:
        with connect(url, origin=sent, additional_headers=headers) as socket:  # type: ignore[arg-type]
            assert json.loads(socket.recv(timeout=30))["session"] == "monday"
    else:
        with pytest.raises(InvalidStatus):
            connect(url, origin=sent, additional_headers=headers)  # type: ignore[arg-type]


def test_the_web_socket_takes_no_orders(rig: Rig, journal: Path) -> None:
    client = rig.client()
    url = f"ws://127.0.0.1:{rig.server.port}/ws"
    with connect(url, origin=client.origin, additional_headers={"Cookie": client.cookie}) as socket:  # type: ignore[arg-type]
        socket.send(json.dumps({"action": "note", "data": {"text": "x"}, "seen": 1}))
        with pytest.raises(ConnectionClosed):
            _drain(socket)


def _drain(socket: ClientConnection) -> None:
    for _ in range(100):
        socket.recv(timeout=30)


def test_every_action_is_known_to_the_desk(rig: Rig) -> None:
    assert set(ACTIONS) - {"safety_stop"} == set(type(rig.desk)._doing)


def test_two_consoles_do_not_share_a_session(rig: Rig) -> None:
    with pytest.raises(ProctorError, match="another process"):
        Session.open(rig.folder)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
def test_an_address_that_is_none_is_refused(host: str) -> None:
    with pytest.raises(ProctorError, match="name the address"):
        Access(host, 8000)


def test_another_address_is_only_itself() -> None:
    assert Access("192.168.1.7", 8000).hosts == {"192.168.1.7:8000"}
    assert len({Access("127.0.0.1", 1).token for _ in range(100)}) == 100
