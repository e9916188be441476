"""VLA-Adapter (arXiv 2509.09372; Qwen2.5 0.5 B), through its repository OpenHelix-Team/VLA-Adapter.

Conventions, from its ``experiments/robot/libero/run_libero_eval.py``: as OpenVLA-OFT (two cameras, 8-D state, eight
actions executed, gripper [0, 1] with 1 = open), with the prompt of its small language model (``use_minivlm``), the
"Pro" action head, and a version name that must be set on the model before its first call.

One session after the other, as OpenVLA-OFT. Not verified here: the model. Later commits of the repository ask for
settings of a 3-D branch; they are given as switched off, which no checkpoint has been tried with.
"""

from __future__ import annotations

from typing import Any

from ._experiments import ExperimentsModel


class VLAAdapter(ExperimentsModel):
    """``pro``: the checkpoint has the "Pro" head; ``version``: what the authors call ``save_version``."""

    name = "vla_adapter"
    install = "run this in the folder and environment of github.com/OpenHelix-Team/VLA-Adapter"

    def __init__(self, checkpoint: str = "", pro: bool = True, version: str = "vla-adapter", **options: Any) -> None:
        self._pro, self._version = pro, version
        super().__init__(checkpoint, **options)
        self._model.set_version(version)

    def more_config(self) -> dict[str, Any]:
        """Return the settings of the small language model and the head."""
        return {
            "use_minivlm": True,
            "use_pro_version": self._pro,
            "save_version": self._version,
            "phase": "Inference",
            "use_3d": False,
            "dim_3d": 0,
            "inject_layers": (),
        }

    def call_options(self) -> dict[str, Any]:
        """Ask for the small model's prompt."""
        return {"use_minivlm": True}
