"""Policies behind a wire. The text after ``--policy`` is then a URL, whose scheme names the wire."""

from ._proctor import RemotePolicy
from ._url import SCHEMES, PolicyUrl, is_url, parse_url, remote_factory

__all__ = ["SCHEMES", "PolicyUrl", "RemotePolicy", "is_url", "parse_url", "remote_factory"]
