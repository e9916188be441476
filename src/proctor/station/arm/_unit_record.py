"""The unit of a dataset, a checkpoint or a result, beside it in a small file, so that it cannot get lost."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ._calibration import JOINTS, Calibration
from ._errors import UnitMismatchError
from ._units import Unit, require_unit

FILE_NAME = "joint_unit.json"


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """What joint numbers mean and which arm they came from. ``calibration`` is the SHA-256 of its calibration."""

    unit: Unit
    joints: tuple[str, ...] = JOINTS
    calibration: str = ""

    @classmethod
    def of(cls, unit: Unit, calibration: Calibration) -> UnitRecord:
        """Make the record for data taken with a calibrated arm."""
        return cls(unit, JOINTS, calibration.sha256)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for a row, a header or a file."""
        return {**asdict(self), "unit": self.unit.value, "joints": list(self.joints)}

    @classmethod
    def from_dict(cls, values: dict[str, Any], where: str = "the record") -> UnitRecord:
        try:
            return cls(Unit.parse(str(values["unit"])), tuple(values["joints"]), str(values.get("calibration", "")))
        except (KeyError, TypeError) as error:
            raise UnitMismatchError(f"{where} does not say the unit of its joints (wanted: unit, joints)") from error

    def require(self, wanted: Unit, giver: str, taker: str) -> None:
        """Refuse, naming both sides, unless the unit is ``wanted`` and the joints are in bus order."""
        require_unit(self.unit, wanted, giver, taker)
        if self.joints != JOINTS:
            raise UnitMismatchError(
                f"{giver} has the joints {', '.join(self.joints)}; {taker} has {', '.join(JOINTS)}: reorder them"
            )


def save_unit(folder: str | Path, record: UnitRecord) -> Path:
    """Write the record into the folder of a dataset, checkpoint or result."""
    path = Path(folder) / FILE_NAME
    path.write_text(json.dumps(record.to_dict(), indent=2) + "\n", encoding="utf-8")
    return path


def load_unit(folder: str | Path) -> UnitRecord:
    """Read the record of a dataset, checkpoint or result; one without a record is refused, not guessed."""
    path = Path(folder) / FILE_NAME
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        names = ", ".join(unit.value for unit in Unit)
        raise UnitMismatchError(
            f"{folder} does not say the unit of its joints: write {path} with its unit (one of {names})"
        ) from error
    except (OSError, ValueError) as error:
        raise UnitMismatchError(f"cannot read {path}: {error}") from error
    if not isinstance(values, dict):
        raise UnitMismatchError(f"{path} is not a map with unit and joints")
    return UnitRecord.from_dict(values, str(path))
