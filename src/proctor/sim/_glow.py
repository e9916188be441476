"""Burners glow while they are turned on and are dark otherwise. Only pictures change, nothing that is scored."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from proctor.assets import Opening

from ._scene import Scene

COLD_RGB = (0.15, 0.14, 0.14)


@dataclass(frozen=True, slots=True)
class _Burner:
    fixture: str
    opening: Opening
    material: int
    hot_rgb: NDArray[np.float32]
    emission: float


class Glow:
    """The glowing materials of the fixtures of one scene that have a switch; assets are drawn as turned on."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        model = scene.model
        self._burners: list[_Burner] = []
        for name in scene.fixed:
            site = scene.assets[name].site("switch")
            if site is None or site.opening is None:
                continue
            mine = (geom for geom in range(model.ngeom) if scene.owner(geom) == name and model.geom_matid[geom] >= 0)
            for material in sorted({int(model.geom_matid[geom]) for geom in mine}):
                emission = float(model.mat_emission[material])
                if emission > 0:
                    rgb = model.mat_rgba[material, :3].copy()
                    self._burners.append(_Burner(name, site.opening, material, rgb, emission))

    def update(self) -> None:
        """Give every burner the look of its switch; called before a picture is drawn."""
        model = self._scene.model
        for burner in self._burners:
            on = self._scene.joint(burner.fixture, burner.opening.joint) >= burner.opening.open_above
            model.mat_rgba[burner.material, :3] = burner.hot_rgb if on else COLD_RGB
            model.mat_emission[burner.material] = burner.emission if on else 0.0
