"""Declare torchvision's operators before its first import (why: see lerobot_env.sh, which installs this file)."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import Any

_libraries: list[Any] = []  # a library that is collected takes its declarations with it


class _Declare(MetaPathFinder):
    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name == "torchvision":
            sys.meta_path.remove(self)
            import torch

            library = torch.library.Library("torchvision", "DEF")
            for operator in ("nms", "qnms"):
                library.define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
            _libraries.append(library)
        return None


sys.meta_path.insert(0, _Declare())
