"""Reads the pages of a report back."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from proctor.record import Episode

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
