"""The journal: sealed, durable, found out when changed; a writer killed anywhere loses nothing it acknowledged."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import random
import signal
import time
from pathlib import Path

import pytest
from session_helpers import SECRET, play, schedule

from proctor.station.session import Journal, Session, SessionError, TamperError, read_journal


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _filled(path: Path, count: int = 6) -> list[bytes]:
    with Journal(path) as journal:
        for i in range(count):
            journal.append("note", {"text": f"line {i}", "deep": {"é": [i, 1.5]}})
    return path.read_bytes().splitlines(keepends=True)


def test_lines_come_back_and_the_chain_holds(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lines = _filled(path)
    entries, rest = read_journal(path)
    assert rest == b""
    assert [entry.data["text"] for entry in entries] == [f"line {i}" for i in range(6)]
    assert [entry.prev for entry in entries[1:]] == [entry.hash for entry in entries[:-1]]
    with Journal(path) as journal:
        assert journal.head == json.loads(lines[-1])["hash"]
        journal.append("note", {"text": "more"})
    assert path.read_bytes().startswith(b"".join(lines))


@pytest.mark.parametrize("number", range(6))
def test_any_changed_byte_is_found_and_its_line_named(tmp_path: Path, number: int) -> None:
    path = tmp_path / "journal.jsonl"
    lines = _filled(path)
    rng = random.Random(number)
    for _ in range(40):
        place = rng.randrange(len(lines[number]) - 1)
        bad = bytearray(lines[number])
        bad[place] = rng.choice([byte for byte in range(32, 127) if byte != bad[place]])
        path.write_bytes(b"".join([*lines[:number], bytes(bad), *lines[number + 1 :]]))
        with pytest.raises(TamperError, match=rf"journal\.jsonl:{number + 1}:"):
            read_journal(path)


@pytest.mark.parametrize(
    ("damage", "line"),
    [
        (lambda lines: lines[1:], 1),
        (lambda lines: [*lines[:2], *lines[3:]], 3),
        (lambda lines: [lines[1], lines[0], *lines[2:]], 1),
        (lambda lines: [*lines[:3], lines[2], *lines[3:]], 4),
        (lambda lines: [*lines[:3], b"\n", *lines[3:]], 4),
    ],
)
def test_removed_swapped_and_inserted_lines_are_found(tmp_path: Path, damage: object, line: int) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"".join(damage(_filled(path))))  # type: ignore[operator]
    with pytest.raises(TamperError, match=rf"journal\.jsonl:{line}:"):
        read_journal(path)


def test_a_line_with_a_fresh_hash_is_found_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lines = _filled(path)
    forged = {**json.loads(lines[2]), "data": {"text": "forged"}}
    del forged["hash"]
    forged["hash"] = hashlib.sha256(canonical(forged)).hexdigest()
    path.write_bytes(b"".join([*lines[:2], canonical(forged) + b"\n", *lines[3:]]))
    with pytest.raises(TamperError, match=r"journal\.jsonl:4: a line before"):
        read_journal(path)


def test_every_torn_end_is_kept_aside_and_said(tmp_path: Path) -> None:
    lines = _filled(tmp_path / "whole.jsonl", 3)
    for cut in range(1, len(lines[-1]), 5):
        path = tmp_path / f"{cut}" / "journal.jsonl"
        path.parent.mkdir()
        path.write_bytes(b"".join(lines[:2]) + lines[-1][:cut])
        with Journal(path) as journal:
            assert journal.torn == cut
            assert [entry.kind for entry in journal.entries] == ["note", "note", "torn"]
        assert path.with_suffix(".torn").read_bytes() == lines[-1][:cut] + b"\n"
        assert read_journal(path)[1] == b""


def test_two_writers_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path):
        with pytest.raises(SessionError, match="another process"):
            Journal(path)
        read_journal(path)
    Journal(path).close()


def test_a_full_disk_leaves_the_lines_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.jsonl"
    before = b"".join(_filled(path))
    with Journal(path) as journal:
        write = os.write

        def full(file: int, data: bytes) -> int:
            if len(data) > 40:
                return write(file, data[:40])
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, "write", full)
        with pytest.raises(SessionError, match="No space left"):
            journal.append("note", {"text": "x"})
        assert path.read_bytes() == before
        monkeypatch.undo()
        journal.append("note", {"text": "y"})
    assert len(read_journal(path)[0]) == 7


def test_what_is_no_json_is_refused_before_it_is_written(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.jsonl") as journal:
        for value in (float("nan"), object(), {1, 2}):
            with pytest.raises(SessionError, match="cannot be written as JSON"):
                journal.append("note", {"value": value})
        assert journal.entries == []


def _operate(folder: Path, piece: int, acknowledge: int) -> None:
    """Go on with the session as fast as possible; the head goes to the pipe once an action is acknowledged.

    Lines are written ``piece`` bytes at a time, so that a kill can fall into the middle of one.
    """
    whole = os.write
    os.write = lambda file, data: whole(file, bytes(data[:piece]))  # type: ignore[assignment]
    with Session.open(folder) as session:
        whole(acknowledge, b"open\n")
        while not session.state().finished:
            state = session.state()
            label = state.labels[0] if state.labels else ""
            action, data = {
                "setup": ("begin_scene", {}),
                "gate": ("gate_result", {"passed": True}),
                "ready": ("start", {}),
                "running": ("stop", {"elapsed_s": 5.0, "error": "x"}),
                "scoring": ("outcome", {"label": label}),
                "done": ("next", {}),
            }[state.phase]
            session.act(action, **data)
            whole(acknowledge, f"{session.head}\n".encode())


def _killed_after(folder: Path, piece: int, seconds: float) -> list[str]:
    """Operate in a process of its own, kill it with SIGKILL, and return what it had acknowledged."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            _operate(folder, piece, writing)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.readline() == b"open\n"
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        return pipe.read().decode().splitlines()


@pytest.mark.parametrize("piece", [1 << 20, 3])
def test_killed_at_random_points_nothing_acknowledged_is_lost(tmp_path: Path, piece: int) -> None:
    """A real process is killed again and again, at moments that have nothing to do with what it is doing."""
    folder, rng = tmp_path / "session", random.Random(piece)
    Session.create(folder, schedule(scenes=40, policies=3, repeats=3)).close()
    acknowledged: list[str] = []
    phases, torn = set(), 0
    for _ in range(60):
        acknowledged += _killed_after(folder, piece, rng.uniform(0.0, 0.02))
        torn += bool(read_journal(folder / "journal.jsonl")[1])
        before = Session.read(folder)
        assert set(acknowledged) <= {entry.hash for entry in before.entries}
        # At most one line was on disk and not acknowledged yet, besides those of resuming (torn, interrupted).
        added = [entry for entry in before.entries[1:] if entry.kind not in ("torn", "interrupted")]
        assert len(added) - len(acknowledged) <= 60
        phases.add(before.progress.phase)
        with Session.open(folder) as resumed:
            # Resuming is reading: the fold of the file is the state, and a running trial was interrupted.
            assert Session.read(folder).progress == resumed.progress
            assert resumed.progress.phase != "running"
            if before.progress.phase == "running":
                assert resumed.state().labels == ("system",)
    assert len(acknowledged) > 10, "too few to say anything"
    assert len(phases) >= 3
    assert torn > 0 or piece > 3


def test_a_cut_at_every_byte_resumes_to_a_prefix(tmp_path: Path) -> None:
    """The exhaustive form of the test above: whatever prefix of the file survives, the state is that of its lines."""
    folder = tmp_path / "session"
    with Session.create(folder, schedule(scenes=1, policies=2, secret=SECRET)) as session:
        play(session, {"p0": 1.0, "p1": 0.0})
    whole = (folder / "journal.jsonl").read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == 10]
    states = []
    for end in ends:
        (folder / "journal.jsonl").write_bytes(whole[:end])
        states.append(Session.read(folder).progress)
    for cut in range(ends[0], len(whole), 31):
        (folder / "journal.jsonl").write_bytes(whole[:cut])
        last = max(i for i, end in enumerate(ends) if end <= cut)
        assert Session.read(folder).progress == states[last]
        Session.open(folder).close()
        (folder / "journal.torn").unlink(missing_ok=True)
