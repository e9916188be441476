"""Data that several language tests read; it is not part of the repository."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[2].parent / "shared" / "data" / "libero_para_sample.csv"


@pytest.fixture(scope="session")
def sample_file() -> Path:
    if not SAMPLE.exists():
        pytest.skip(f"{SAMPLE} is not here")
    return SAMPLE


@pytest.fixture(scope="session")
def sample_rows(sample_file: Path) -> list[dict[str, str]]:
    with sample_file.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the user's scores and those of other tests out."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("PROCTOR_CACHE", str(folder))
    return folder
