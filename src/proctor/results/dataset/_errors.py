"""Errors of datasets."""

from proctor.core import ProctorError


class DatasetError(ProctorError):
    """A dataset cannot be written."""
