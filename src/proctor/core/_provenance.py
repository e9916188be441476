"""Which code makes what: the boundaries of the fingerprints.

Objects are accounted for by what they compile to, drawn episodes by their text, so that neither their makers nor the
generator count; and of a policy, what it runs beyond the simulator does. A certificate adds them up (``check``).
"""

from __future__ import annotations

from functools import cache

from ._code import code_digest

MAKERS = ("proctor.assets.category", "proctor.__version__")
"""What registers the makers of objects, by which all of them would be reached; and the version, which rows name."""
PRODUCTS = (*MAKERS, "proctor.bench.draw")
_SIMULATOR = "proctor.world.SimEnv"


def policy_code(policy: type) -> str:
    """Return 16 hexadecimal digits over the code that a policy of ours runs, the simulator's left out."""
    return code_digest(policy, without=PRODUCTS, beyond=_SIMULATOR)


@cache
def simulator_code(simulator: type) -> str:
    """Return 16 hexadecimal digits over the code of the simulator."""
    return code_digest(simulator, without=PRODUCTS)
