"""The laws of the one store: nothing acknowledged is lost, nothing half is read, whoever writes beside whom."""

from __future__ import annotations

import json
import logging
import os
import random
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.core import JsonLines, KeyedLines, StoreError, json_line, parsed_lines, whole_lines

VALUES = st.dictionaries(st.text(max_size=6), st.none() | st.integers() | st.text(max_size=12), max_size=4)
# Each prints the number of a value as soon as it is acknowledged, then goes on.
WRITER = """
import sys
from pathlib import Path
from proctor.core import JsonLines, json_line
path, name, count, together = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
with JsonLines(path) as file:
    for n in range(0, count, together):
        file.append(*(json_line({"by": name, "n": n + k, "pad": "x" * (37 * n % 900)}) for k in range(together)))
        print(n + together - 1, flush=True)
"""


def values(path: Path) -> list[dict]:
    return [value for _, value in parsed_lines(path, json.loads)]


@settings(max_examples=60, deadline=None)
@given(before=st.lists(VALUES, max_size=6), after=VALUES, data=st.data())
def test_a_cut_at_any_byte_loses_only_what_had_no_end(before, after, data, tmp_path_factory):
    path = tmp_path_factory.mktemp("lines") / "x.jsonl"
    with JsonLines(path) as file:
        for value in before:
            file.append(json_line(value))
    whole = path.read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:cut])
    kept = before[: whole[:cut].count(b"\n")]
    assert values(path) == kept
    with JsonLines(path, torn_to=path.with_suffix(".torn")) as file:
        torn = whole[:cut].rpartition(b"\n")[2]
        assert file.torn == len(torn)
        file.append(json_line(after))
    assert values(path) == [*kept, after]
    assert not torn or path.with_suffix(".torn").read_bytes() == torn + b"\n"


@settings(max_examples=40, deadline=None)
@given(rows=st.lists(VALUES, min_size=2, max_size=6), data=st.data())
def test_damage_before_the_end_is_named_or_left_out(rows, data, tmp_path_factory):
    path = tmp_path_factory.mktemp("lines") / "x.jsonl"
    with JsonLines(path) as file:
        file.append(*map(json_line, rows))
    lines = path.read_bytes().splitlines(keepends=True)
    number = data.draw(st.integers(0, len(rows) - 1))
    lines[number] = lines[number][:-2] + b"\n"
    path.write_bytes(b"".join(lines))
    with pytest.raises(StoreError, match=rf"x\.jsonl:{number + 1}: damaged line .*remove this line"):
        values(path)
    left = [value for _, value in parsed_lines(path, json.loads, skip_damaged=True)]
    assert left == rows[:number] + rows[number + 1 :]


def writer(path: Path, name: str, count: int, together: int = 1) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), name, str(count), str(together)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_two_processes_append_a_thousand_lines_each_while_a_third_reads(tmp_path):
    path = tmp_path / "x.jsonl"
    path.touch()
    writers = [writer(path, name, 1000, together) for name, together in (("a", 1), ("b", 4))]
    seen = 0
    while any(process.poll() is None for process in writers):
        found = len(values(path))
        assert found >= seen
        seen = found
        time.sleep(0.01)
    for process in writers:
        process.communicate()
        assert process.returncode == 0
    rows = values(path)
    assert len(rows) == 2000
    for name in "ab":
        assert [row["n"] for row in rows if row["by"] == name] == list(range(1000))


def test_killed_writers_lose_nothing_that_was_acknowledged_and_the_others_go_on(tmp_path):
    path, rng, acknowledged = tmp_path / "x.jsonl", random.Random(0), dict[str, int]()
    steady = writer(path, "steady", 400)
    for number in range(6):
        process = writer(path, str(number), 10**6, rng.choice([1, 3]))
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(rng.uniform(0, 0.05))
        process.send_signal(signal.SIGKILL)
        told = process.stdout.read().split("\n")[:-1]
        process.communicate()
        acknowledged[str(number)] = int(told[-1]) if told else 0
    steady.communicate()
    rows = values(path)
    assert [row["n"] for row in rows if row["by"] == "steady"] == list(range(400))
    for name, last in acknowledged.items():
        numbers = [row["n"] for row in rows if row["by"] == name]
        assert numbers == list(range(len(numbers)))
        assert len(numbers) > last


def test_one_writer_at_a_time_where_that_is_asked(tmp_path):
    path = tmp_path / "x.jsonl"
    with JsonLines(path, exclusive=True) as first:
        with pytest.raises(BlockingIOError):
            JsonLines(path, exclusive=True)
        first.append(b"{}")
    with JsonLines(path, exclusive=True) as second:
        second.append(b"{}")
    assert values(path) == [{}, {}]


def test_a_write_that_fails_half_way_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "x.jsonl"
    with JsonLines(path) as file:
        file.append(b'{"n": 0}')
        write = os.write

        def full(descriptor: int, data: bytes) -> int:
            if len(data) > 5:
                return write(descriptor, data[:5])
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full)
            with pytest.raises(OSError, match="No space left"):
                file.append(b'{"n": 1}', b'{"n": 2}')
        assert path.read_bytes() == b'{"n": 0}\n'
        file.append(b'{"n": 3}')
        with pytest.raises(ValueError, match="line feed"):
            file.append(b'{"n":\n 4}')
    assert [value["n"] for value in values(path)] == [0, 3]


def test_reading_takes_no_more_memory_for_a_longer_file(tmp_path):
    peaks = []
    for count in (2_000, 40_000):
        path = tmp_path / f"{count}.jsonl"
        path.write_bytes((b'{"pad": "' + b"x" * 200 + b'"}\n') * count)
        tracemalloc.start()
        assert sum(1 for _ in whole_lines(path)) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 20_000


@settings(max_examples=40, deadline=None)
@given(rows=st.lists(st.tuples(st.sampled_from("abc"), st.text(max_size=8)), max_size=12), reopened=st.integers(0, 12))
def test_of_several_values_with_one_key_the_last_counts_after_reopening_too(rows, reopened, tmp_path_factory):
    path = tmp_path_factory.mktemp("keyed") / "new" / "x.jsonl"
    lines = KeyedLines(path, fields=["text"])
    for place, (key, text) in enumerate(rows):
        lines = KeyedLines(path, fields=["text"]) if place == reopened else lines
        lines.keep({"id": key, "text": text})
    assert {key: value["text"] for key, value in lines.values.items()} == dict(rows)
    assert KeyedLines(path).values == lines.values


def test_what_is_no_keyed_line_is_left_out_with_a_warning_or_refused(tmp_path, caplog):
    path = tmp_path / "x.jsonl"
    lines = KeyedLines(path)
    lines.keep({"id": "a", "text": "\ud800 ü"})
    path.write_bytes(b'[1]\n7\n\xff\n{"key": 1}\n' + path.read_bytes())
    with caplog.at_level(logging.WARNING, "proctor"):
        assert list(KeyedLines(path).values) == ["a"]
    assert len(caplog.records) == 4
    with pytest.raises(StoreError, match=r"x\.jsonl:1: damaged line"):
        KeyedLines(path, skip_damaged=False)
    path.write_bytes(b'{"id": "b"')
    assert KeyedLines(path, skip_damaged=False).values == {}
