"""The scripted operator's hands: a real browser on the console's page, or the same requests without one."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, Final, Protocol

from proctor.core import ProctorError

_CHROMIUM: Final = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
_PATIENCE_S: Final = 60.0


# What a person reads off the page.
_LOOK: Final = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  return {
    phase: document.body.dataset.phase,
    scene: document.getElementById("scene-number").textContent.replace("Scene ", ""),
    keys: all("[data-key]").filter((key) => !key.disabled).map((key) => key.dataset.key),
    wrong: all("#gate li[data-ok=false]").map((row) => row.innerText.replace("\\n", ": ")),
    elapsed_s: Number(document.getElementById("time").textContent),
    outcome: document.body.dataset.outcome,
    version: Number(document.body.dataset.version),
  };
}"""


class DemoHands(Protocol):
    """What the operator can do with the console, seen from outside."""

    @property
    def kind(self) -> str: ...

    def open(self, url: str) -> None: ...

    def state(self) -> dict[str, Any]:
        """Return phase, scene, keys that can be pressed, and what the gate says is wrong."""
        ...

    def press(self, key: str) -> None: ...

    def lost(self) -> bool:
        """Return whether the console is noticed to be gone."""
        ...

    def picture(self, path: Path) -> None: ...

    def close(self) -> None: ...


def find_hands(*, browser: bool = True) -> DemoHands:
    """Return a browser's hands if playwright and Chromium are here, otherwise plain ones."""
    executable = next((path for path in _CHROMIUM if Path(path).exists()), None)
    if browser and executable is not None:
        try:
            return BrowserHands(executable)
        except ImportError:
            pass
    return PlainHands()


class BrowserHands:
    """Headless Chromium, driven by playwright: looks at the page and clicks its keys, as a person does."""

    kind = "headless Chromium"

    def __init__(self, executable: str, size: tuple[int, int] = (1280, 800)) -> None:
        from playwright.sync_api import sync_playwright

        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        self.page = self._browser.new_page(viewport={"width": size[0], "height": size[1]})
        self.page.set_default_timeout(1000 * _PATIENCE_S)

    def open(self, url: str) -> None:
        """Open the console at its address and wait until it shows the station."""
        # The address differs from the last one only behind the #, if at all: a page in between makes it load anew.
        self.page.goto("about:blank")
        self.page.goto(url)
        self.page.wait_for_selector('body:not([data-phase="connecting"])')

    def state(self) -> dict[str, Any]:
        seen: dict[str, Any] = self.page.evaluate(_LOOK)
        return seen

    def press(self, key: str) -> None:
        """Click the key and wait until the station has answered and the page shows it."""
        with self.page.expect_response(
            lambda answer: "/api/" in answer.url and answer.request.method == "POST"
        ) as told:
            self.page.click(f'[data-key="{key}"]')
        answer = told.value.json()
        if not told.value.ok:
            raise ProctorError(f"the console refused {key}: {answer.get('error')}")
        deadline = time.monotonic() + _PATIENCE_S
        while self.state()["version"] < answer["version"] and time.monotonic() < deadline:
            time.sleep(0.02)

    def lost(self) -> bool:
        """Return whether the banner is up."""
        return bool(self.page.is_visible("#lost"))

    def picture(self, path: Path) -> None:
        """Write a screenshot as JPEG."""
        self.page.screenshot(path=path, type="jpeg", quality=82)

    def close(self) -> None:
        self._browser.close()
        self._playwright.stop()


class PlainHands:
    """The page's requests without a page, for machines without Chromium."""

    kind = "plain HTTP (no browser found)"

    def __init__(self) -> None:
        self._base = ""
        self._opener = urllib.request.build_opener()

    def open(self, url: str) -> None:
        """Sign in with the token behind the #."""
        address, _, token = url.partition("#")
        self._base = address.rstrip("/")
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self._ask("/login", {"token": token})

    def state(self) -> dict[str, Any]:
        seen = self._ask("/api/state")
        lines = (seen["gate"] or {}).get("lines", [])
        return {
            "phase": seen["phase"],
            "scene": seen["scene"]["id"],
            "keys": [*seen["keys"], "safety_stop"],
            "wrong": [f"{line['name']}: {line['text']}" for line in lines if not line["ok"]],
            "elapsed_s": seen["timer"]["elapsed_s"],
            "outcome": seen["outcome"],
            "version": seen["version"],
        }

    def press(self, key: str) -> None:
        self._ask("/api/act", {"action": key, "data": {}, "seen": self.state()["version"]})

    def lost(self) -> bool:
        """Return whether the console does not answer."""
        try:
            self.state()
        except ProctorError:
            return True
        return False

    def picture(self, path: Path) -> None:
        """Nothing to show."""

    def close(self) -> None:
        """Nothing to let go of."""

    def _ask(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Origin": self._base, "Content-Type": "application/json"}
        request = urllib.request.Request(self._base + path, data, headers)
        try:
            with self._opener.open(request, timeout=_PATIENCE_S) as answer:
                found: dict[str, Any] = json.load(answer)
                return found
        except urllib.error.HTTPError as error:
            raise ProctorError(f"the console refused {path}: {error.read().decode(errors='replace')}") from None
        except OSError as error:
            raise ProctorError(f"the console does not answer: {error}") from None


def wait_for(hands: DemoHands, phases: tuple[str, ...], seconds: float = _PATIENCE_S) -> dict[str, Any]:
    """Look at the page until it is in one of ``phases``."""
    deadline = time.monotonic() + seconds
    while True:
        seen = hands.state()
        if seen["phase"] in phases:
            return seen
        if time.monotonic() > deadline:
            raise ProctorError(f"the console stays in phase {seen['phase']!r}; waited for {', '.join(phases)}")
        time.sleep(0.1)
