"""What can be proved about the look: contrast, equal dark themes, and no sideways scrolling."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_pages import BROWSER, THEMES, Made, contrast, measured_widths


def test_contrast_reckoning_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES, ids=["light", "dark by system", "dark by choice"])
def test_text_has_the_contrast_of_wcag_aa(theme: dict[str, str]) -> None:
    for ground in ("paper", "raised"):
        for text in ("ink", "soft", "blue", "orange", "red"):
            assert contrast(theme[text], theme[ground]) >= 4.5, f"{text} on {ground}"
        for shape in ("a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7"):
            assert contrast(theme[shape], theme[ground]) >= 3.0, f"{shape} on {ground}"


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
    for page, (content, window) in zip(pages, measured_widths(folder, pages, width, tmp_path), strict=True):
        assert content <= window, f"{page} is {content} wide in a window of {window}"
