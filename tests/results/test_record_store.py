"""The run folder keeps what it was given: exactly, once, and through every interruption."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from episode_rows import changed, plain
from proctor.results import (
    Episode,
    RunFolder,
    StoreError,
    read_episodes,
    read_history,
    read_parquet,
    read_run,
    read_steps,
    write_steps,
)


def row(number: int, **more) -> Episode:
    return changed(plain(), **{"episode_id": f"id{number}", "steps": 0, **more})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with RunFolder(tmp_path / "run") as run:
        run.write_run({"created": "now"})
        for number in range(3):
            run.append(row(number))
        run.compact()
    return tmp_path / "run"


def test_rows_survive_and_parquet_equals_lines(folder):
    assert [e.episode_id for e in read_episodes(folder)] == ["id0", "id1", "id2"]
    assert read_parquet(folder / "episodes.parquet") == read_episodes(folder)


def test_latest_attempt_wins_and_history_is_kept(folder):
    with RunFolder(folder) as run:
        run.append(row(1, status="policy_error", success=None, attempt=2))
        run.append(row(1, attempt=3, steps=9))
        assert run.ledger.attempts("id1") == 3
    assert [(e.episode_id, e.outcome.steps) for e in read_episodes(folder)] == [("id0", 0), ("id1", 9), ("id2", 0)]
    assert [e.attempt for e in read_history(folder) if e.episode_id == "id1"] == [1, 2, 3]


def test_every_cut_of_the_last_line_loses_only_that_line(folder):
    path = folder / "episodes.jsonl"
    whole = path.read_bytes()
    start = whole[:-1].rfind(b"\n") + 1
    for cut in range(start, len(whole)):
        path.write_bytes(whole[:cut])
        assert len(read_episodes(folder)) == 2
    with RunFolder(folder) as run:
        assert [run.ledger.status(f"id{n}") for n in range(3)] == ["completed", "completed", None]
        run.append(row(2))
    assert path.read_bytes() == whole


def test_a_damaged_line_in_the_middle_is_reported_with_its_number(folder):
    path = folder / "episodes.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1][:40] + b"\n" + lines[2])
    for read in (read_episodes, lambda p: RunFolder(p).__enter__()):
        with pytest.raises(StoreError, match=r"episodes\.jsonl:2: damaged line"):
            read(folder)


def test_second_writer_is_turned_away_and_the_first_goes_on(folder):
    with RunFolder(folder) as run:
        with pytest.raises(StoreError, match=rf"in use by process {os.getpid()} on .*another --out"), RunFolder(folder):
            pass
        run.append(row(3))
    assert len(read_episodes(folder)) == 4
    with RunFolder(folder):
        pass


def test_foreign_folder_and_missing_folder_and_file_in_the_way(tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(StoreError, match="holds other files"), RunFolder(tmp_path):
        pass
    with pytest.raises(StoreError, match="no such run folder"):
        read_episodes(tmp_path / "nothing")
    with pytest.raises(StoreError, match="not a run folder"):
        read_run(tmp_path)
    with pytest.raises(StoreError, match=r"cannot write to .*thesis.tex"), RunFolder(tmp_path / "thesis.tex"):
        pass


def test_disk_full_keeps_every_finished_row(tmp_path):
    """RLIMIT_FSIZE makes the kernel refuse the write half-way (EFBIG), exactly where a full disk says ENOSPC."""
    code = f"""
        import resource, signal, sys
        sys.path[:0] = [{str(Path(__file__).parent)!r}, {str(Path(__file__).parents[1])!r}]
        from test_record_store import row, RunFolder
        from proctor.results import StoreError
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with RunFolder({str(tmp_path / "run")!r}) as run:
            run.write_run({{}})
            resource.setrlimit(resource.RLIMIT_FSIZE, (5000, resource.RLIM_INFINITY))
            try:
                for number in range(100):
                    run.append(row(number))
            except StoreError as error:
                print(number, error)
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            run.append(row(1000))
    """
    out = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    written, message = out.stdout.split(" ", 1)
    assert 1 <= int(written) < 20
    assert "File too large" in message
    assert f"the {written} episodes on record are kept" in message
    expected = [f"id{i}" for i in range(int(written))] + ["id1000"]
    assert [e.episode_id for e in read_episodes(tmp_path / "run")] == expected


def _fill(run: RunFolder) -> None:
    for number in range(200):
        run.append(row(number))


def test_a_real_full_disk(tmp_path):
    if (
        os.geteuid() != 0
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(tmp_path)], capture_output=True
        ).returncode
    ):
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        with RunFolder(tmp_path / "run") as run:
            run.write_run({})
            with pytest.raises(StoreError, match="No space left on device"):
                _fill(run)
            count = len(run.ledger)
            assert count > 10
            with pytest.raises(StoreError, match=r"episodes\.parquet: .*No space left"):
                run.compact()
        assert [e.episode_id for e in read_episodes(tmp_path / "run")] == [f"id{i}" for i in range(count)]
        assert sorted(p.name for p in (tmp_path / "run").iterdir()) == ["episodes.jsonl", "run.json", "run.lock"]
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_killed_writer_leaves_whole_rows(tmp_path):
    code = f"""
        import sys
        sys.path[:0] = [{str(Path(__file__).parent)!r}, {str(Path(__file__).parents[1])!r}]
        from test_record_store import row, RunFolder
        with RunFolder({str(tmp_path / "run")!r}) as run:
            run.write_run({{}})
            for number in range(10**6):
                run.append(row(number))
                print(number, flush=True)
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip() == "40":
            process.send_signal(signal.SIGKILL)
            break
    told = [40, *(int(line) for line in process.stdout if line.endswith("\n"))][-1]
    process.wait()
    ids = [e.episode_id for e in read_episodes(tmp_path / "run")]
    assert ids == [f"id{i}" for i in range(len(ids))]
    assert len(ids) >= told + 1, "a row that was reported as kept is gone"
    with RunFolder(tmp_path / "run") as run:
        assert len(run.ledger) == len(ids)


def test_run_json_is_replaced_whole(folder):
    with RunFolder(folder) as run:
        run.write_run({"created": "now", "more": "ü"})
    assert read_run(folder)["more"] == "ü"
    (folder / "run.json").write_text(json.dumps([1]))
    with pytest.raises(StoreError, match="must hold a JSON object"):
        read_run(folder)


def test_a_run_killed_before_its_first_row_can_be_started_again(tmp_path):
    with RunFolder(tmp_path / "run"):
        (tmp_path / "run" / "logs").mkdir()
        (tmp_path / "run" / ".run.json.123").write_text("{ha")
        (tmp_path / "run" / ".episodes.parquet.123").write_text("PAR")
    with RunFolder(tmp_path / "run") as run:
        run.write_run({})
    assert sorted(p.name for p in (tmp_path / "run").iterdir()) == ["episodes.jsonl", "logs", "run.json", "run.lock"]


def test_unused_new_folder_is_removed_and_a_used_one_is_not(tmp_path):
    with RunFolder(tmp_path / "a") as run:
        run.discard_if_unused()
    assert not (tmp_path / "a").exists()
    with RunFolder(tmp_path / "b") as run:
        run.write_run({})
        run.discard_if_unused()
    assert (tmp_path / "b" / "run.json").exists()


def test_steps_round_trip(tmp_path):
    actions = np.random.default_rng(0).uniform(-1, 1, (13, 7))
    write_steps(tmp_path / "steps" / "x.npz", actions)
    assert np.array_equal(read_steps(tmp_path / "steps" / "x.npz"), actions)
    assert [p.name for p in (tmp_path / "steps").iterdir()] == ["x.npz"]


def test_result_leaves_out_circumstance_only():
    a = row(1, wall_s=1.0, host="a", attempt=2)
    assert a.result() == row(1).result()
    assert changed(a, trajectory_hash="other").result() != a.result()


def test_file_size_limit_was_not_left_behind():
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
