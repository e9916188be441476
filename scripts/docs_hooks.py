"""MkDocs: the page on architecture is the ARCHITECTURE.md of the repository, with links that hold inside the site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parents[1] / "ARCHITECTURE.md"


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put the file where the page names it."""
    if page.file.src_uri != "explanation/architecture.md":
        return markdown
    text = SOURCE.read_text(encoding="utf-8").partition("\n")[2].replace("](docs/", "](../")
    return markdown.replace("<!-- ARCHITECTURE.md -->", text)


def on_serve(server: Any, **_: Any) -> Any:
    """Build again when that file changes."""
    server.watch(str(SOURCE))
    return server
