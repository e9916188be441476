"""Built-in policies, and how a policy is found by name or import path."""

from ._builtin import GRIPPER_OPEN, NoopPolicy, RandomPolicy
from ._load import (
    PolicyLoadError,
    describe_exception,
    import_object,
    load_policy,
    parse_arguments,
    parse_policy,
    policy_spec,
    registered,
)
from ._replay import ReplayPolicy

__all__ = [
    "GRIPPER_OPEN",
    "NoopPolicy",
    "PolicyLoadError",
    "RandomPolicy",
    "ReplayPolicy",
    "describe_exception",
    "import_object",
    "load_policy",
    "parse_arguments",
    "parse_policy",
    "policy_spec",
    "registered",
]
