"""Built-in policies, and how a policy is found by name, import path or URL."""

from ._batching import SILENCE_S, Batching
from ._builtin import GRIPPER_OPEN, NoopPolicy, RandomPolicy, ReplayPolicy
from ._exchange import Exchange, exchanging, is_traced, note_answer, note_sent
from ._load import (
    PolicyLoadError,
    check_name,
    describe_exception,
    import_object,
    load_policy,
    parse_arguments,
    parse_policy,
    policy_label,
    policy_spec,
    registered,
)
from ._sessions import SingleSession, Together, as_spec, begin_batch, episode_copy, is_batch
from .remote import is_url

__all__ = [
    "GRIPPER_OPEN",
    "SILENCE_S",
    "Batching",
    "Exchange",
    "NoopPolicy",
    "PolicyLoadError",
    "RandomPolicy",
    "ReplayPolicy",
    "SingleSession",
    "Together",
    "as_spec",
    "begin_batch",
    "check_name",
    "describe_exception",
    "episode_copy",
    "exchanging",
    "import_object",
    "is_batch",
    "is_traced",
    "is_url",
    "load_policy",
    "note_answer",
    "note_sent",
    "parse_arguments",
    "parse_policy",
    "policy_label",
    "policy_spec",
    "registered",
]
