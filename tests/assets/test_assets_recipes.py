"""Recipes: the index names what the files make, formulas know every word, and nothing is read before it is needed."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.resources import files
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from proctor.assets import categories, recipes

FOLDER = Path(str(files("proctor.assets")))
FILES = sorted(path for path in FOLDER.rglob("*.toml") if path.name != "categories.toml")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_family_makes_what_the_index_says_and_its_formulas_know_every_word(path):
    index = tomllib.loads((path.parent / "categories.toml").read_text())
    made = {
        name for name, table in tomllib.loads(path.read_text()).items() if isinstance(table, dict) and "nouns" in table
    }
    assert set(index.get(path.stem, ())) == made
    inside = "proctor.assets" if path.parent == FOLDER else f"proctor.assets.{path.parent.name}"
    for recipe in recipes.family(path, inside).recipes.values():
        assert recipes.unknown_words(recipe) == set(), recipe.name


def test_every_category_has_one_source():
    indexes = [tomllib.loads(path.read_text()) for path in FOLDER.rglob("categories.toml")]
    named = list(chain.from_iterable(chain.from_iterable(index.values()) for index in indexes))
    assert sorted(named) == sorted(set(named))
    assert set(named) <= set(categories())


def test_names_are_known_without_reading_a_family():
    code = (
        "import sys; from proctor.assets import categories, recipes; assert len(categories()) > 130;"
        "assert recipes.family.cache_info().currsize == 0; from proctor.assets import make; make('apple', 0);"
        "assert recipes.family.cache_info().currsize == 1; print('ok')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stdout.strip() == "ok", run.stderr


def test_a_recipe_draws_in_order_and_later_formulas_see_earlier_ones(tmp_path):
    (tmp_path / "lamps.toml").write_text(
        """
        [CONSTANTS]
        TONES = [[0.9, 0.8, 0.7], [0.1, 0.2, 0.3]]
        [bulb]
        args = ["size = 2.0"]
        "r, h" = "uniform(1, 2), uniform(3, 4)"
        points = [[0.0, 1.0], [2.0, 3.0]]
        sums = ["r + h", "sums + size", "sums + points[1][1]"]
        repeated = [{ each = "side in (-1, 1)", parts = ["side * r", "side * h"] }]
        gives = "(r, h, sums, repeated, TONES[1])"
        """
    )
    bulb = recipes.family(tmp_path / "lamps.toml", "proctor.assets").recipes["bulb"]
    twin = np.random.default_rng(4)
    r, h = twin.uniform(1, 2), twin.uniform(3, 4)
    got = bulb(np.random.default_rng(4), 5.0)
    assert got == (r, h, r + h + 5.0 + 3.0, [(-r, -h), (r, h)], (0.1, 0.2, 0.3))


OWN_CATEGORY = """
import pytest
from proctor.assets import Asset, Collider, Link, categories, category, make

def maker(rng):
    return Asset(Link("root", (), (Collider("sphere", (0.02,), 0.03, pos=(0, 0, 0.02)),)), 0.02, 0.04)

category("ball_of_my_own", nouns=("ball",))(maker)
assert make("ball_of_my_own", 3).seed == 3
assert "ball_of_my_own" in categories("arena")
for taken in ("ball_of_my_own", "apple"):
    with pytest.raises(ValueError, match="registered twice"):
        category(taken, nouns=("ball",))(maker)
"""


def test_a_category_of_ones_own_is_made_and_a_taken_name_is_refused():
    # In a process of its own: what is registered stays, and other tests ask for all categories.
    done = subprocess.run([sys.executable, "-c", OWN_CATEGORY], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
