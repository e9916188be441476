"""The chat server of the client's tests serves the examination as well."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "core" / "chat"))
