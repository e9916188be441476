"""What can be proved about the look: contrast, equal dark themes, and no sideways scrolling."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from report_pages import Made

import proctor.report

CSS = (Path(proctor.report.__file__).parent / "static" / "report.css").read_text(encoding="utf-8")
THEMES = [
    dict(re.findall(r"--([a-z0-9]+): (#[0-9a-f]{6});", block))
    for block in re.findall(r":root[^{]*\{(.*?)\}", CSS, re.S)
]
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(a: str, b: str) -> float:
    high, low = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_reckoning_is_that_of_the_standard() -> None:
    assert _contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert _contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES, ids=["light", "dark by system", "dark by choice"])
def test_text_has_the_contrast_of_wcag_aa(theme: dict[str, str]) -> None:
    for ground in ("paper", "raised"):
        for text in ("ink", "soft", "blue", "orange", "red"):
            assert _contrast(theme[text], theme[ground]) >= 4.5, f"{text} on {ground}"
        for shape in ("a0", "a1", "a2", "a3", "a4", "a5"):
            assert _contrast(theme[shape], theme[ground]) >= 3.0, f"{shape} on {ground}"


def test_dark_is_the_same_however_it_is_chosen() -> None:
    light, by_system, by_choice = THEMES
    assert by_system == by_choice
    assert set(light) == set(by_choice)


@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("width", [390, 768])
def test_no_page_scrolls_sideways(made: Made, width: int, tmp_path: Path) -> None:
    folder = made.folder
    pages = ["index.html", "episodes.html", "definitions.html"]
    pages += [str(next((folder / kind).glob("*.html")).relative_to(folder)) for kind in ("task", "episode")]
    frames = "".join(
        f'<iframe style="width:{width}px;height:800px" src="file://{folder}/{page}"></iframe>' for page in pages
    )
    wrapper = tmp_path / "frames.html"
    wrapper.write_text(
        f"<body>{frames}<p id=found></p><script>onload = () => setTimeout(() => {{"
        "const measured = [...document.querySelectorAll('iframe')].map((frame) => {"
        "const root = frame.contentDocument.documentElement; return [root.scrollWidth, root.clientWidth]; });"
        "document.getElementById('found').textContent = JSON.stringify(measured); }, 500)</script></body>"
    )
    dom = subprocess.run(
        [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
         f"--user-data-dir={tmp_path}/profile", "--virtual-time-budget=5000", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--no-first-run", "--dump-dom", f"file://{wrapper}"],
        capture_output=True, text=True, check=True, timeout=120,
    ).stdout  # fmt: skip
    found = re.search(r'<p id="found">([^<]+)</p>', dom)
    assert found, dom[-500:]
    for page, (content, window) in zip(pages, json.loads(html.unescape(found[1])), strict=True):
        assert content <= window, f"{page} is {content} wide in a window of {window}"
