"""Pure functions of episode rows. They know nothing of MuJoCo, robots or files.

Arrays are the lowest interface: times in seconds, events 1 (observed) or 0 (censored), a hard failure is time inf with
event 1. SciPy, Numba and Matplotlib are imported only by the calls that need them.
"""

from ._errors import StatsError
from ._intervals import wilson
from ._logrank import Logrank, logrank
from ._macro import MacroTest, MacroTests, logrank_permutation, macro_cvm, macro_ks, macro_rmst, macro_tests
from ._operations import Operations
from ._survival import KaplanMeier, kaplan_meier, rmst

__all__ = [
    "KaplanMeier",
    "Logrank",
    "MacroTest",
    "MacroTests",
    "Operations",
    "StatsError",
    "kaplan_meier",
    "logrank",
    "logrank_permutation",
    "macro_cvm",
    "macro_ks",
    "macro_rmst",
    "macro_tests",
    "rmst",
    "wilson",
]
