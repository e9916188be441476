"""The page in a real browser: what is drawn, what the keys do, and what stays when the console goes away."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from console_rig import RED, Rig, console_rig

from proctor.station.console import ConsoleServer
from proctor.station.demo import BrowserHands, find_hands
from proctor.station.session import ArmPolicy

HERE = str(Path(__file__).parent)
SIZES = [(1280, 800), (820, 1180), (1180, 820)]


@pytest.fixture(scope="module")
def hands() -> Iterator[BrowserHands]:
    found = find_hands()
    if not isinstance(found, BrowserHands):
        pytest.skip("Chromium or playwright is not installed")
    yield found
    found.close()


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", HERE, prepend=":")
        arms = [ArmPolicy("one", "console_policy:Steady"), ArmPolicy("two", "console_policy:Steady")]
        with console_rig(tmp_path_factory.mktemp("page"), arms) as made:
            yield made


@pytest.fixture
def page(hands: BrowserHands, rig: Rig) -> Any:
    rig.server.access.logins._times.clear()
    hands.open(rig.server.url)
    return hands.page


def wait(page: Any, selector: str) -> None:
    page.wait_for_selector(selector, state="attached", timeout=30_000)


def test_the_token_leaves_the_address_and_scripts_cannot_read_the_cookie(page: Any, rig: Rig) -> None:
    assert "#" not in page.url
    assert rig.server.access.token not in page.content()
    assert page.evaluate("document.cookie") == ""


def test_without_the_token_the_page_says_so_and_shows_nothing(hands: BrowserHands, rig: Rig) -> None:
    stranger = hands.page.context.browser.new_context().new_page()
    try:
        stranger.goto(rig.server.url.partition("#")[0])
        stranger.wait_for_selector("#denied", state="visible")
        assert "monday" not in stranger.content()
        assert "Stack" not in stranger.inner_text("body")
    finally:
        stranger.context.close()


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_key_can_be_hit_with_a_finger(page: Any, size: tuple[int, int], scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    boxes = page.evaluate(
        """() => [...document.querySelectorAll("button, input")].filter((key) => key.offsetParent).map((key) => {
        const box = key.getBoundingClientRect();
        return [key.innerText || key.id, box.width, box.height];
      })"""
    )
    assert len(boxes) >= 14
    assert [box for box in boxes if min(box[1:]) < 48] == []
    stop = page.locator("[data-key=safety_stop]").bounding_box()
    assert stop["y"] + stop["height"] <= size[1]
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 21, 20)"
    assert dark == (scheme == "dark")
    page.emulate_media(color_scheme="light")


def test_the_cameras_and_the_reference_are_drawn(page: Any, rig: Rig) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    pixel = """() => {
        const canvas = document.getElementById("top");
        const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        let red = 0;
        for (let i = 0; i < data.length; i += 4) red += data[i] > 120 && data[i + 1] < 60;
        return red;
      }"""
    rig.twin.move_object(RED.name, RED.x + 0.05, RED.y)
    wait(page, "#gate li[data-ok=false]")
    deadline = time.monotonic() + 20
    while not page.evaluate(pixel):
        assert time.monotonic() < deadline, "the red block is not seen"
        time.sleep(0.1)
    assert "mm" in page.inner_text("#gate li[data-ok=false]")
    assert page.evaluate("document.getElementById('wrist').width") == 160
    # The reference alone: only the red block's place in the reference is red, at full strength.
    page.fill("#alpha", "100")
    assert page.inner_text("#alpha-value") == "100 %"
    assert page.evaluate(pixel) > 0
    page.fill("#alpha", "0")
    rig.twin.move_object(RED.name, RED.x, RED.y)


def test_a_trial_by_keyboard(page: Any, rig: Rig) -> None:
    page.keyboard.press("g")
    wait(page, "body[data-phase=ready]")
    assert page.inner_text("#criterion").startswith("The block named first")
    wait(page, "[data-key=start]:not([disabled])")
    page.keyboard.press("Space")
    wait(page, "body[data-phase=running]")
    page.keyboard.press("m")
    page.fill("#ask-value", "f s n: letters in a note press no keys")
    page.click("dialog [value=yes]")
    page.keyboard.press("d")
    deadline = time.monotonic() + 30
    while page.inner_text("[data-item=dropped] b") != "1" or float(page.inner_text("#time")) <= 0:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    page.keyboard.press("Escape")
    wait(page, "body[data-phase=scoring]")
    assert page.inner_text("#phase") == "Safety stop"
    assert page.inner_text("[data-key=fail] span") == "Safety"
    assert page.is_disabled("[data-key=success]")
    page.keyboard.press("r")
    wait(page, "[data-key=release][disabled]")
    page.keyboard.press("f")
    wait(page, "body[data-phase=done]")
    page.keyboard.press("u")
    wait(page, "body[data-phase=scoring]")
    page.keyboard.press("f")
    wait(page, "body[data-phase=done]")
    page.keyboard.press("n")
    wait(page, "body[data-phase=setup]")
    notes = [entry.data["text"] for entry in rig.desk._session.entries if entry.kind == "note"]
    assert notes[0] == "f s n: letters in a note press no keys"


def test_what_is_wrong_with_the_arm_is_said_and_it_can_be_fetched_back(page: Any, rig: Rig) -> None:
    wait(page, "[data-key=home]:not([disabled])")
    rig.twin.unplug()
    page.keyboard.press("h")
    wait(page, "#arm[data-ok=false]")
    wait(page, "#hint:has-text('USB cable')")
    assert page.inner_text("#phase") == "The arm needs you"
    rig.twin.plug()
    wait(page, "[data-key=home]:not([disabled])")
    page.keyboard.press("h")
    wait(page, "#arm[data-ok=true]")
    wait(page, "[data-key=home]:not([disabled])")
    assert "USB cable" not in page.inner_text("#hint")


def test_an_arm_that_was_stopped_can_be_released_from_what_is_seen(page: Any, rig: Rig) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    wait(page, "#gate li")
    page.keyboard.press("Escape")
    wait(page, "[data-key=release]:not([disabled])")
    card, key = (page.locator(name).bounding_box() for name in (".status", "[data-key=release]"))
    assert key["y"] + key["height"] <= card["y"] + card["height"]
    page.click("[data-key=release]")
    wait(page, "[data-key=release][disabled]")


def test_a_lost_console_is_said_and_its_keys_are_off(page: Any, rig: Rig) -> None:
    assert not page.is_visible("#lost")
    rig.server.__exit__()
    page.wait_for_selector("#lost", state="visible", timeout=30_000)
    live = "[...document.querySelectorAll('[data-key]:not([disabled])')].map((key) => key.dataset.key)"
    assert page.evaluate(live) == ["safety_stop"]
    # Started again at the same place it has another token: the page says what to do instead of trying for ever.
    with ConsoleServer(rig.desk, port=rig.server.port):
        page.wait_for_selector("#denied", state="visible", timeout=30_000)
        assert not page.is_visible("#lost")
