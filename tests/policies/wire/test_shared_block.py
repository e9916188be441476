"""The shared block: found by the right process, by nobody else, and never able to hurt the reader."""

from __future__ import annotations

import os

import pytest

from proctor.policies.wire import SharedBlock, open_block


@pytest.fixture
def block():
    made = SharedBlock.create(1 << 16)
    if made is None:
        pytest.skip("this system has no memfd")
    yield made
    made.close()


def test_what_is_written_is_read(block: SharedBlock) -> None:
    view = open_block(block.offer)
    assert view is not None
    block.view[:5] = b"hello"
    assert bytes(view[:5]) == b"hello"
    assert view.readonly


def test_the_reader_keeps_what_the_writer_gave_up(block: SharedBlock) -> None:
    other = SharedBlock.create(1 << 16)
    assert other is not None
    view = open_block(other.offer)
    other.view[:3] = b"abc"
    other.close()
    assert view is not None
    assert bytes(view[:3]) == b"abc"


def test_the_size_is_sealed(block: SharedBlock) -> None:
    with pytest.raises(PermissionError):
        os.ftruncate(block.offer["fd"], 100)


@pytest.mark.parametrize(
    "change",
    [
        {"mark": b"x" * 64},
        {"mark": b"short"},
        {"size": 1 << 15},
        {"size": 1 << 40},
        {"size": True},
        {"fd": 0},
        {"fd": -1},
        {"fd": 99999},
        {"pid": 1 << 30},
        {"pid": "self"},
        {"fd": "../../etc/passwd"},
    ],
)
def test_an_offer_that_is_not_that_block_is_declined(block: SharedBlock, change: dict) -> None:
    assert open_block({**block.offer, **change}) is None


def test_a_file_that_can_shrink_is_declined(block: SharedBlock, tmp_path) -> None:
    path = tmp_path / "plain"
    path.write_bytes(block.offer["mark"] + bytes((1 << 16) - 64))
    with path.open("r+b") as file:
        assert open_block({**block.offer, "fd": file.fileno()}) is None
    unsealed = os.memfd_create("unsealed")
    os.write(unsealed, block.offer["mark"] + bytes((1 << 16) - 64))
    assert open_block({**block.offer, "fd": unsealed}) is None
    os.close(unsealed)


@pytest.mark.parametrize("offer", [None, 3, [], {}, {"pid": 1}])
def test_nonsense_is_declined(offer: object) -> None:
    assert open_block(offer) is None
