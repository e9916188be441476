"""Two stations: the paper's own tables recomputed, and laws of the agreement."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.analysis.stats import cohen_kappa, raw_agreement
from proctor.core import ProctorError
from proctor.station.agreement import RolloutPairing, agree, appendix_g, by_policy, pairs_of, table_rates
from proctor.station.scene import load_scenes

ID_TASKS, OOD_TASKS = ("bread", "bowl", "towel", "oven", "whiteboard"), ("bread", "bowl", "towel")


def test_the_published_rollouts_are_of_known_scenes() -> None:
    names = {scene.name for scene in load_scenes()}
    assert len(appendix_g()) == 789
    assert {rollout.scene for rollout in appendix_g()} <= names


# The cells of Tables 4 and 5 as printed, five rollouts each.
PRINTED = ("ACT", "DiT-D", "DiT-F", "SmolVLA", "X-VLA", "pi0", "pi0.5")
TABLES = {
    "ID": {
        "bread": (0.4, 0.4, 0.4, 0.6, 0.4, 0.8, 0.8),
        "bowl": (0, 0, 0, 0.2, 0.2, 0.6, 0.8),
        "stack": (0, 0, 0, 0.2, 0, 0, 0.4),
        "collect": (0, 0.2, 0, 0, 0, 0, 0.4),
        "towel": (0.4, 0.2, 0.2, 0.6, 0.6, 0.8, 1.0),
        "oven": (0.4, 0.6, 0.4, 0.4, 0, 0.2, 0.6),
        "whiteboard": (0.2, 0.2, 0.2, 0.2, 0, 0.4, 0.4),
        "pepper": (0.2, 0, 0, 0, 0.2, 0.2, 0.4),
        "lift": (0.2, 0, 0, 0.2, 0, 0.2, 0.4),
        "button": (0, 0, 0, 0.2, 0, 0.2, 0.2),
    },
    "OOD": {
        "bread": (0.4, 0, 0.2, 0.8, 0.6, 0.8, 1.0),
        "bowl": (0.2, 0.2, 0, 0.4, 0, 0.6, 0.4),
        "stack": (0, 0, 0, 0.2, 0, 0.2, 0),
        "collect": (0, 0, 0, 0.2, 0, 0, 0.2),
        "towel": (0, 0.2, 0, 0.6, 0, 0.6, 0.8),
        "pepper": (0, 0, 0, 0, 0, 0.2, 0.4),
        "lift": (0, 0, 0, 0.2, 0, 0, 0),
        "button": (0, 0, 0, 0, 0, 0, 0),
    },
}


@pytest.mark.parametrize(("split", "task"), [(split, task) for split, tasks in TABLES.items() for task in tasks])
def test_every_cell_of_tables_4_and_5(split: str, task: str) -> None:
    assert table_rates("original", split, [task]) == dict(zip(PRINTED, TABLES[split][task], strict=True))
    assert {r.task for r in appendix_g() if r.split == split} == set(TABLES[split])


def test_table_4_and_5_bottom_rows() -> None:
    assert table_rates("original", "ID") == {
        "ACT": 0.18, "pi0": 0.34, "pi0.5": 0.54, "SmolVLA": 0.26, "DiT-D": 0.16, "DiT-F": 0.12, "X-VLA": 0.14
    }  # fmt: skip
    ood = table_rates("original", "OOD")
    printed = {"ACT": 0.075, "pi0": 0.3, "pi0.5": 0.35, "SmolVLA": 0.3, "DiT-F": 0.025, "X-VLA": 0.075}
    assert {name: ood[name] for name in printed} == printed
    # One digit of DiT-D is missing from our text; it was a failure.
    assert ood["DiT-D"] == pytest.approx(2 / 39)


@pytest.mark.parametrize(
    ("station", "split", "tasks", "printed"),
    [
        ("original", "ID", ID_TASKS, (0.28, 0.40, 0.56, 0.72)),
        ("reproduced", "ID", ID_TASKS, (0.32, 0.44, 0.48, 0.68)),
        ("original", "OOD", OOD_TASKS, (0.20, 0.60, 0.67, 0.73)),
        ("reproduced", "OOD", OOD_TASKS, (0.20, 0.53, 0.60, 0.67)),
    ],
)
def test_table_6(station: str, split: str, tasks: tuple[str, ...], printed: tuple[float, ...]) -> None:
    rates = table_rates(station, split, tasks)
    assert tuple(round(rates[name], 2) for name in ("ACT", "SmolVLA", "pi0", "pi0.5")) == printed


def test_the_claim_of_reproducibility_is_weaker_than_its_averages() -> None:
    pairs = pairs_of(appendix_g())
    found = agree(pairs)
    assert (found.n, found.table) == (160, (59, 23, 19, 59))
    assert found.agreement.estimate == pytest.approx(118 / 160)
    assert found.kappa.estimate == pytest.approx(0.475, abs=0.001)
    assert found.scenes == 40
    assert found.equivalence is not None
    assert not found.equivalence.equivalent
    assert "not shown either" in found.sentence
    assert set(by_policy(pairs)) == {"ACT", "SmolVLA", "pi0", "pi0.5"}


OUTCOMES = st.lists(st.tuples(st.integers(0, 9), st.booleans(), st.booleans()), min_size=2, max_size=60)


def _pairs(rows: list[tuple[int, bool, bool]]) -> list[RolloutPairing]:
    return [RolloutPairing("p", f"s{scene}", first, second) for scene, first, second in rows]


@given(OUTCOMES)
def test_estimates_equal_the_library_of_agreement(rows: list[tuple[int, bool, bool]]) -> None:
    found = agree(_pairs(rows))
    first, second = [a for _, a, _ in rows], [b for _, _, b in rows]
    assert found.agreement.estimate == pytest.approx(raw_agreement(first, second))
    assert found.kappa.estimate == pytest.approx(cohen_kappa(first, second, categories=[True, False]))
    assert found.difference.estimate == pytest.approx(np.mean(first) - np.mean(second))


@given(OUTCOMES)
def test_swapping_the_stations_mirrors_the_difference(rows: list[tuple[int, bool, bool]]) -> None:
    one, two = agree(_pairs(rows)), agree(_pairs([(scene, b, a) for scene, a, b in rows]))
    assert one.difference.estimate == pytest.approx(-two.difference.estimate)
    assert one.kappa.estimate == pytest.approx(two.kappa.estimate)
    assert one.p_mcnemar == two.p_mcnemar
    if one.difference.low is not None and two.difference.high is not None:
        assert one.difference.low == pytest.approx(-two.difference.high)


def test_many_equal_outcomes_are_equivalent_and_opposite_ones_differ() -> None:
    same = [RolloutPairing("p", f"s{i}", i % 2 == 0, i % 2 == 0) for i in range(200)]
    assert "equivalent within" in agree(same).sentence
    apart = [RolloutPairing("p", f"s{i}", True, i % 3 == 0) for i in range(60)]
    assert agree(apart).sentence.startswith("the stations differ")


def test_one_scene_says_nothing_and_none_is_refused() -> None:
    assert agree([RolloutPairing("p", "s", True, True)]).sentence.startswith("one scene only")
    with pytest.raises(ProctorError, match="nothing to compare"):
        agree([])
