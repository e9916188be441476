"""What is on record, and how it is read again."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from test_record_store import row

from proctor.results import STATUSES, Ledger, RunFolder, read_episodes, read_parquet, stream_episodes

IDS = st.sampled_from(["0" * 16, *(f"{n:015x}5" for n in range(9)), "id0", "", "ü"])


@settings(deadline=None)
@given(st.lists(st.tuples(IDS, st.sampled_from(STATUSES), st.integers(1, 300)), max_size=60))
def test_it_remembers_what_a_dictionary_would(rows):
    ledger, statuses, attempts = Ledger(), dict[str, str](), dict[str, int]()
    for identity, status, attempt in rows:
        ledger.note(identity, status, attempt)
        statuses[identity] = status
        attempts[identity] = max(attempt, attempts.get(identity, 0))
        assert ledger.status(identity) == status
    assert len(ledger) == len(statuses)
    assert ledger.repeated == len(rows) - len(statuses)
    assert {identity: ledger.status(identity) for identity in statuses} == statuses
    assert {identity: ledger.attempts(identity) for identity in statuses} == attempts
    assert (ledger.status("unheard of"), ledger.attempts("unheard of")) == (None, 0)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from(STATUSES)), max_size=20))
def test_streaming_is_reading_whatever_was_tried_again(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("run") / "r"
    with RunFolder(path) as run:
        run.write_run({})
        for position, (number, status) in enumerate(rows):
            run.append(row(number, status=status, success=None, steps=position))
        run.compact()
    latest = {number: position for position, (number, _) in enumerate(rows)}
    episodes = list(stream_episodes(path))
    assert [(e.episode_id, e.outcome.steps) for e in episodes] == [(f"id{n}", latest[n]) for n in dict(rows)]
    assert episodes == read_episodes(path) == read_parquet(path / "episodes.parquet")


def test_rows_together_are_rows_one_by_one(tmp_path):
    for name, together in (("one", False), ("all", True)):
        with RunFolder(tmp_path / name) as run:
            run.write_run({})
            rows = [row(number) for number in range(5)]
            for part in [rows] if together else [[r] for r in rows]:
                run.append(*part)
    one, all_ = ((tmp_path / name / "episodes.jsonl").read_bytes() for name in ("one", "all"))
    assert one == all_
