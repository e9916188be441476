"""Reads the pages of a report back."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import proctor.report
from proctor.results import Episode

CSS = (Path(proctor.report.__file__).parent / "static" / "report.css").read_text(encoding="utf-8")
THEMES = [
    dict(re.findall(r"--([a-z0-9]+): (#[0-9a-f]{6});", block))
    for block in re.findall(r":root[^{]*\{(.*?)\}", CSS, re.S)
]
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
VOID = {"meta", "link", "br", "input", "img", "wbr", "hr"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, tag: str, **attributes: str) -> list[Element]:
        """Return the descendants with this tag; an attribute must hold the word given."""
        found = []
        for child in self.children:
            if isinstance(child, Element):
                names = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
                if child.tag == tag and all(v in child.attributes.get(k, "").split(" ") for k, v in names.items()):
                    found.append(child)
                found += child.all(tag, **attributes)
        return found


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("root", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {key: value or "" for key, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {key: value or "" for key, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read_page(path: Path) -> Element:
    """Parse a page; a tag that is not closed where it should be fails."""
    builder = _Builder()
    builder.feed(path.read_text(encoding="utf-8"))
    builder.close()
    assert len(builder.open) == 1, f"<{builder.open[-1].tag}> is never closed"
    return builder.root


@dataclass(frozen=True)
class Made:
    folder: Path
    rows: dict[str, list[Episode]]


def rendered(address: str, scratch: Path) -> str:
    """Return a page as the browser has it once its scripts have run."""
    command = [
        str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
        f"--user-data-dir={scratch}/profile", "--virtual-time-budget=5000", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--no-first-run", "--dump-dom", address,
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def measured_widths(folder: Path, pages: list[str], width: int, scratch: Path) -> list[tuple[int, int]]:
    """Return, for each page in a window of ``width`` pixels, how wide its content and the window are."""
    frames = "".join(
        f'<iframe style="width:{width}px;height:800px" src="file://{folder}/{page}"></iframe>' for page in pages
    )
    wrapper = scratch / "frames.html"
    wrapper.write_text(
        f"<body>{frames}<p id=found></p><script>onload = () => setTimeout(() => {{"
        "const measured = [...document.querySelectorAll('iframe')].map((frame) => {"
        "const root = frame.contentDocument.documentElement; return [root.scrollWidth, root.clientWidth]; });"
        "document.getElementById('found').textContent = JSON.stringify(measured); }, 500)</script></body>"
    )
    dom = rendered(f"file://{wrapper}", scratch)
    found = re.search(r'<p id="found">([^<]+)</p>', dom)
    assert found, dom[-500:]
    return [(content, window) for content, window in json.loads(html.unescape(found[1]))]


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    """Return the contrast of two colours as WCAG has it, from 1 to 21."""
    high, low = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)
