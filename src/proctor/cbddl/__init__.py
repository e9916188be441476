"""The task language: reader, linter and formatter for CBDDL files. Imports nothing else of ours."""

from proctor.cbddl._codes import CODES, Code, Severity
from proctor.cbddl._diagnostics import CbddlError, Diagnostic
from proctor.cbddl._expressions import atoms_of
from proctor.cbddl._fix import fix_task
from proctor.cbddl._format import format_task
from proctor.cbddl._known import Known, KnownCategory
from proctor.cbddl._lint import task_files
from proctor.cbddl._model import (
    And,
    Argument,
    Atom,
    CameraView,
    CircularMotion,
    Entity,
    Expr,
    ImageSettings,
    LinearMotion,
    Motion,
    Mover,
    Noise,
    Not,
    Or,
    PartIds,
    ProjectileMotion,
    Rect,
    Region,
    Span,
    Task,
    Then,
    Waypoint,
    WaypointMotion,
)
from proctor.cbddl._parse import check, check_file, lint_paths, parse, read_source, read_task
from proctor.cbddl._predicates import PREDICATES, ROBOT_NAMES, Predicate, find_predicate

__all__ = [
    "CODES",
    "PREDICATES",
    "ROBOT_NAMES",
    "And",
    "Argument",
    "Atom",
    "CameraView",
    "CbddlError",
    "CircularMotion",
    "Code",
    "Diagnostic",
    "Entity",
    "Expr",
    "ImageSettings",
    "Known",
    "KnownCategory",
    "LinearMotion",
    "Motion",
    "Mover",
    "Noise",
    "Not",
    "Or",
    "PartIds",
    "Predicate",
    "ProjectileMotion",
    "Rect",
    "Region",
    "Severity",
    "Span",
    "Task",
    "Then",
    "Waypoint",
    "WaypointMotion",
    "atoms_of",
    "check",
    "check_file",
    "find_predicate",
    "fix_task",
    "format_task",
    "lint_paths",
    "parse",
    "read_source",
    "read_task",
    "task_files",
]
