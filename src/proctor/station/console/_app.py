"""The console's routes: the page, the sign-in, what is seen (WebSocket), what is done (POST). Knows only a `Desk`."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Any, Final

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp

from proctor.core import ProctorError

from ._desk import ACTIONS, Desk, StaleError
from ._guard import Access, ConsoleGuard

# Served by name from this list and from nowhere else, so there is no path to climb out of.
STATIC: Final = {
    "console.css": "text/css",
    "console.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "link.js": "text/javascript",
    "panel.js": "text/javascript",
    "stage.js": "text/javascript",
}
MAX_PAGES: Final = 8
MAX_TEXT: Final = 500
# How often a page is looked after, and after how long it is told the state although nothing changed.
_POLL_S: Final = 0.04
_REPEAT_S: Final = 1.0


def make_app(desk: Desk, access: Access) -> ASGIApp:
    """Return the guarded application."""
    # Without FastAPI's own pages: they would describe the station to anybody and load scripts from elsewhere.
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, title="Proctor console")
    _add_page(app)
    _add_actions(app, desk, access)
    _add_socket(app, desk)
    return ConsoleGuard(app, access)


def _asset(name: str, kind: str) -> Response:
    data = (files(__package__) / "static" / name).read_bytes()
    return Response(data, media_type=kind)


def _add_page(app: FastAPI) -> None:
    @app.get("/")
    def page() -> Response:
        return _asset("index.html", "text/html")

    @app.get("/static/{name}")
    def static(name: str) -> Response:
        if name not in STATIC:
            return _error(404, "there is no such file")
        return _asset(name, STATIC[name])


def _error(status: int, text: str) -> JSONResponse:
    return JSONResponse({"error": text}, status)


async def _fields(request: Request) -> dict[str, Any] | None:
    """Return the JSON object of a request, or nothing if it is not one."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return None
    try:
        value = json.loads(await request.body())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _add_actions(app: FastAPI, desk: Desk, access: Access) -> None:
    @app.post("/login")
    async def login(request: Request) -> Response:
        fields = await _fields(request)
        cookie = access.sign_in(fields.get("token")) if fields else None
        if cookie is None:
            return _error(403, "this is not the console's token: open the address that it printed")
        return JSONResponse({"ok": True}, headers={"Set-Cookie": cookie})

    @app.get("/api/state")
    async def state() -> Response:
        return JSONResponse(await run_in_threadpool(desk.snapshot))

    @app.get("/api/reference")
    async def reference() -> Response:
        picture = await run_in_threadpool(desk.reference)
        return Response(picture, media_type="image/jpeg") if picture else _error(404, "no reference for this scene")

    @app.post("/api/stop")
    async def stop() -> Response:
        return await _done(lambda: run_in_threadpool(desk.act, "safety_stop", {}, None))

    @app.post("/api/act")
    async def act(request: Request) -> Response:
        fields = await _fields(request)
        fault = _fault(fields)
        if fields is None or fault:
            return _error(400, fault)
        data, seen = fields.get("data") or {}, fields.get("seen")
        return await _done(lambda: run_in_threadpool(desk.act, fields["action"], data, seen))


async def _done(work: Callable[[], Awaitable[int]]) -> Response:
    try:
        version = await work()
    except StaleError as error:
        return _error(409, str(error))
    except ProctorError as error:
        return _error(422, str(error))
    return JSONResponse({"ok": True, "version": version})


def _fault(fields: dict[str, Any] | None) -> str:
    """Return what is wrong with the body of an action; unknown fields are refused, texts are short."""
    if fields is None:
        return "send a JSON object"
    action, data, seen = fields.get("action"), fields.get("data") or {}, fields.get("seen")
    if set(fields) - {"action", "data", "seen"} or not isinstance(action, str) or action not in ACTIONS:
        return f"action is none of {', '.join(ACTIONS)}"
    if not isinstance(seen, int) or isinstance(seen, bool):
        return "seen is the version of the state the operator saw"
    if not isinstance(data, dict) or set(data) - set(ACTIONS[action]):
        return f"{action} takes {', '.join(ACTIONS[action]) or 'no data'}"
    if any(not isinstance(value, str) or len(value) > MAX_TEXT for value in data.values()):
        return f"texts have at most {MAX_TEXT} characters"
    return ""


def _add_socket(app: FastAPI, desk: Desk) -> None:
    pages: set[WebSocket] = set()

    @app.websocket("/ws")
    async def watch(socket: WebSocket) -> None:
        if len(pages) >= MAX_PAGES:
            await socket.close(1013, "too many pages are open")
            return
        await socket.accept()
        pages.add(socket)
        page = _Page(socket, desk)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(page.listen())
                tasks.create_task(page.show())
        except* (WebSocketDisconnect, RuntimeError, _GoneError):
            pass
        finally:
            pages.discard(socket)
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await socket.close()


class _GoneError(Exception):
    pass


class _Page:
    """One open page: gets the state whenever it changes and a new picture as soon as it has shown the last one."""

    def __init__(self, socket: WebSocket, desk: Desk) -> None:
        self._socket = socket
        self._desk = desk
        self._free = True
        self._shown: dict[int, int] = {}

    async def listen(self) -> None:
        while True:
            # "seen" is all a page may say here: what is done goes through POST.
            if await self._socket.receive_text() != "seen":
                raise _GoneError
            self._free = True

    async def show(self) -> None:
        last: dict[str, Any] = {}
        sent_at = 0.0
        loop = asyncio.get_running_loop()
        while True:
            state = await run_in_threadpool(self._desk.snapshot)
            if _told(state) != _told(last) or loop.time() - sent_at > _REPEAT_S:
                await self._socket.send_text(json.dumps(state))
                last, sent_at = state, loop.time()
            if self._free:
                await self._send_picture(len(state["cameras"]))
            await asyncio.sleep(_POLL_S)

    async def _send_picture(self, cameras: int) -> None:
        """Send the newest picture of the camera that has waited longest."""
        for index in sorted(range(cameras), key=lambda index: self._shown.get(index, -1)):
            number, jpeg = self._desk.picture(index)
            if jpeg and number != self._shown.get(index):
                self._shown[index] = number
                self._free = False
                await self._socket.send_bytes(bytes([index]) + jpeg)
                return


def _told(state: dict[str, Any]) -> dict[str, Any]:
    """The part of a state whose change is news; the page counts seconds itself."""
    timer = {key: value for key, value in state.get("timer", {}).items() if key != "elapsed_s"}
    return {**state, "timer": timer}
