"""Ids are a contract: what was on record before a field existed must be found again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proctor.core import EpisodeSpec, ProctorError

SPEC = EpisodeSpec("arena", "arena/a@v1", "L0", "abc", 3, 5, "pick", "noop", {"a": 1})


def test_ids_from_before_timing_and_execute_hold():
    # Computed at commit 67e87b1, before either field existed.
    assert (SPEC.episode_id, SPEC.pair_id) == ("2b62b941c1965ee8", "aac6259464ad367e")
    told = replace(SPEC, sent="x", language="W1")
    assert (told.episode_id, told.pair_id) == ("588559bdf38e043d", "477e9e4f16a5fc10")


def test_timing_and_execute_make_other_episodes():
    variants = [SPEC, *(replace(SPEC, timing=t) for t in ("charge:0.1", "charge:measured")), replace(SPEC, execute=2)]
    assert len({spec.episode_id for spec in variants}) == len({spec.pair_id for spec in variants}) == len(variants)


@pytest.mark.parametrize("texts", [{"instruction": None}, {"instruction": 3}, {"instruction": "go", "sent": 3}])
def test_an_instruction_is_text(texts):
    with pytest.raises(ProctorError, match=r"instruction of 'arena/a@v1' is .*: it must be text"):
        replace(SPEC, **texts)
