"""Which code makes what: the boundaries of the fingerprints.

Objects are accounted for by what they compile to, drawn episodes by their text, so that neither their makers nor the
generator count; and of a policy, what it runs beyond the simulator does. A certificate adds them up (``check``).
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import cache

from ._code import PACKAGE, code_digest
from ._digest import digest_of

MAKERS = (
    *(f"proctor.assets.{name}" for name in ("asset_digest", "categories", "category", "make")),
    *(f"proctor.core.{name}" for name in ("digest_of", "policy_code", "simulator_code")),
    "proctor.__version__",
)
"""What makes objects by their names, what makes digests, and the version, which rows name."""
PRODUCTS = (*MAKERS, "proctor.tasks.knowledge.draw")
_NOT_THEIRS = {PACKAGE, "builtins", "typing", "abc"}
_SIMULATOR = "proctor.sim.SimEnv"


def policy_code(policy: type) -> str:
    """Return 16 hexadecimal digits over the code that a policy of ours runs, the simulator's left out.

    A class of another package that is made from one of ours adds its own statements.
    """
    ours = code_digest(policy, without=PRODUCTS, beyond=_SIMULATOR)
    theirs = [_statements(item) for item in policy.__mro__ if item.__module__.partition(".")[0] not in _NOT_THEIRS]
    return ours if not theirs else digest_of([ours, *theirs])


def _statements(defined: type) -> str:
    try:
        return ast.unparse(ast.parse(textwrap.dedent(inspect.getsource(defined))))
    except (OSError, TypeError, SyntaxError):
        return ""


@cache
def simulator_code(simulator: type) -> str:
    """Return 16 hexadecimal digits over the code of the simulator."""
    return code_digest(simulator, without=PRODUCTS)
