"""The task suites, and how tasks are found."""

from ._catalog import builtin_suites, entry_of, find, find_all, instruction_of, other_instructions, tasks_of
from ._suite import Suite, SuiteError, TaskRef, level_of, read_suite, suite_folder, task_of

__all__ = [
    "Suite",
    "SuiteError",
    "TaskRef",
    "builtin_suites",
    "entry_of",
    "find",
    "find_all",
    "instruction_of",
    "level_of",
    "other_instructions",
    "read_suite",
    "suite_folder",
    "task_of",
    "tasks_of",
]
