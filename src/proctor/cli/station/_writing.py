"""Writes the files of ``proctor station`` commands; what the disk refuses is one line, before long work begins."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Make the folder of ``path``; turn what cannot be written inside the block into one line."""
    from proctor.core import ProctorError

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise ProctorError(f"cannot write {path}: {error.strerror or error}; choose another place") from error
    except ValueError as error:
        # Pillow's word for a name such as picture.doc.
        if "extension" not in str(error):
            raise
        raise ProctorError(f"cannot write {path}: {error}; end its name in .png or .jpg") from error


def require_writable(path: Path) -> None:
    """Refuse a place that cannot be written to, before somebody has worked for what shall go there."""
    with writing(path), tempfile.TemporaryFile(dir=path.parent):
        pass
