"""The order of trials: balance for any size, uniform, made again from the secret, sealed by the commitment."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import re
from collections import Counter

import pytest
from session_helpers import SECRET, arms, cards, schedule

from proctor.station.session import ArmPolicy, SessionError, TamperError, TrialSchedule


@pytest.mark.parametrize("policies", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("scenes", [1, 2, 7, 90])
@pytest.mark.parametrize("repeats", [1, 2, 5])
def test_every_block_has_every_arm_once_on_one_scene(policies: int, scenes: int, repeats: int) -> None:
    made = schedule(scenes, policies, repeats, humans=policies % 2)
    count = len(made.arms)
    assert len(made.trials) == scenes * repeats * count
    blocks = [
        list(zip(made.trials, made.arms_of, strict=True))[i : i + count] for i in range(0, len(made.trials), count)
    ]
    for number, block in enumerate(blocks):
        assert sorted(arm for _, arm in block) == list(range(count))
        assert {trial.block for trial, _ in block} == {number}
        assert len({trial.scene for trial, _ in block}) == 1
        assert all(trial.kind == made.arms[arm].kind for trial, arm in block)
    for turn in range(repeats):
        scenes_met = [block[0][0].scene for block in blocks if block[0][0].round == turn]
        assert scenes_met == [scene.id for scene in made.scenes]
    # Balanced after every block, not only at the end.
    seen: Counter[int] = Counter()
    for block in blocks:
        seen.update(arm for _, arm in block)
        assert len(set(seen.values())) == 1


def test_ids_are_opaque_unique_and_no_function_of_the_arm() -> None:
    made = schedule(90, 3, 3)
    ids = [trial.id for trial in made.trials]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch("[0-9a-f]{12}", name) for name in ids)
    # The same places of the order keep their ids when the arms are others: nothing of an arm went into them.
    other = TrialSchedule.make(made.scenes, [ArmPolicy(f"q{i}", "other") for i in range(3)], 3, SECRET, "test")
    assert [trial.id for trial in other.trials] == ids
    assert "p0" not in json.dumps([dataclasses.asdict(trial) for trial in made.trials])


def test_the_secret_decides_and_another_gives_another_order() -> None:
    assert schedule(20, 3) == schedule(20, 3)
    other = schedule(20, 3, secret=bytes(32))
    assert other.arms_of != schedule(20, 3).arms_of
    assert {trial.id for trial in other.trials}.isdisjoint(trial.id for trial in schedule(20, 3).trials)
    assert TrialSchedule.make(cards(3), arms(2)).secret != TrialSchedule.make(cards(3), arms(2)).secret


def test_every_order_of_a_block_is_equally_likely() -> None:
    made = schedule(90, 3, 40)
    orders = Counter(tuple(made.arms_of[i : i + 3]) for i in range(0, len(made.arms_of), 3))
    assert set(orders) == set(itertools.permutations(range(3)))
    expected = 90 * 40 / 6
    chi2 = sum((count - expected) ** 2 / expected for count in orders.values())
    assert (
        chi2 < 20.5
    )  # 0.1 % point of chi-squared with 5 degrees of freedom; the secret is fixed, so this never flickers


def test_the_commitment_is_sha256_of_the_canonical_document() -> None:
    made = schedule()
    text = json.dumps(made.document(), sort_keys=True, separators=(",", ":"))
    assert made.commitment == hashlib.sha256(text.encode()).hexdigest()
    assert SECRET.hex() not in text


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["arms_of"].__setitem__(slice(0, 2), d["arms_of"][1::-1]),
        lambda d: d["trials"][0].__setitem__("id", "0" * 12),
        lambda d: d.__setitem__("nonce", "0" * 64),
        lambda d: d["arms"][0].__setitem__("label", "renamed") or d["arms_of"].reverse(),
        lambda d: d.__setitem__("secret", bytes(32).hex()),
        lambda d: d.pop("scenes"),
        lambda d: d.__setitem__("secret", "xyz"),
    ],
)
def test_a_changed_schedule_is_refused(change: object) -> None:
    made = schedule()
    assert TrialSchedule.from_dict(made.to_dict()) == made
    values = json.loads(json.dumps(made.to_dict()))
    change(values)  # type: ignore[operator]
    with pytest.raises(TamperError):
        TrialSchedule.from_dict(values)


def test_another_name_for_an_arm_is_another_commitment() -> None:
    made = schedule()
    renamed = [dataclasses.replace(made.arms[0], label="best"), made.arms[1]]
    again = TrialSchedule.make(made.scenes, renamed, made.repeats, SECRET, "test")
    assert again.arms_of == made.arms_of
    assert again.commitment != made.commitment


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TrialSchedule.make([], arms(2)), "at least one scene"),
        (lambda: TrialSchedule.make(cards(1), []), "at least one scene, one --arm"),
        (lambda: TrialSchedule.make(cards(1), arms(2), 0), "one repeat"),
        (lambda: TrialSchedule.make(cards(1), [*arms(1), *arms(1)]), "arm 'p0' is given twice"),
        (lambda: TrialSchedule.make([*cards(1), *cards(1)], arms(2)), "scene '1' is given twice"),
        (lambda: TrialSchedule.make(cards(1), arms(0, humans=1)), "every arm is human"),
        (lambda: TrialSchedule.make(cards(1), arms(1), 1, b"short"), "5 bytes"),
        (lambda: schedule().arm("nobody"), "no trial 'nobody'"),
    ],
)
def test_what_cannot_be_scheduled(make: object, message: str) -> None:
    with pytest.raises(SessionError, match=message):
        make()  # type: ignore[operator]
