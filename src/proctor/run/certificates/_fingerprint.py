"""The code that an answer depends on: that of its question, and that of the policy that plays for it.

Products are accounted for by themselves: what the things of the task compile to, and the texts of drawn episodes, are
in an answer's key (`_store`). Only whether a drawn text has one answer is a question to the generator's code.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from proctor.core import MAKERS, PRODUCTS, code_digest, digest_of, task_sources
from proctor.policies import load_policy

from ._job import Question, shared_env
from ._jobs import LOOKED, PLAYED

# Finding a policy by name and keeping rows have no part in what happens in an episode.
_ASIDE = ("proctor.policies.load_policy", "proctor.results")


@cache
def question_code(question: Question) -> str:
    """Return 16 hexadecimal digits over the code that answers a question, the simulator's included."""
    if question != "unique":
        return code_digest((LOOKED | PLAYED)[question], without=(*PRODUCTS, *_ASIDE))
    # Generators are entry points, so no definition leads to them.
    reached = (LOOKED[question], *map(type, task_sources()))
    return digest_of([code_digest(start, without=(*MAKERS, *_ASIDE)) for start in reached])[:16]


@cache
def fingerprint(question: Question) -> str:
    """Return what changes when the answer to a question may, whatever the task: code, and versions of what it uses."""
    versions = shared_env().spec().fingerprint
    policy = load_policy(question).spec().fingerprint if question in PLAYED else ""
    return f"{question_code(question)} {policy} {versions['mujoco']} {versions['robot']} {np.__version__}"
