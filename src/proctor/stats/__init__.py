"""Pure functions of episode rows. They know nothing of MuJoCo, robots or files.

Arrays are the lowest interface: times in seconds, events 1 (observed) or 0 (censored), a hard failure is time inf with
event 1. SciPy, Numba and Matplotlib are imported only by the calls that need them.
"""

from ._agreement import cohen_kappa, gwet_ac1, raw_agreement
from ._errors import StatsError
from ._intervals import wilson
from ._logrank import Logrank, logrank
from ._macro import (
    MacroTest,
    MacroTests,
    logrank_permutation,
    macro_cvm,
    macro_ks,
    macro_rmst,
    macro_tests,
)
from ._multiplicity import bonferroni, compact_letters, holm
from ._operations import Operations
from ._proportions import (
    TwoByTwo,
    barnard,
    boschloo,
    clopper_pearson,
    connor_sample_size,
    interval_sample_size,
    jeffreys,
    mcnemar_exact,
    newcombe,
    newcombe_paired,
    paired_table,
)
from ._survival import KaplanMeier, kaplan_meier, rmst
from ._verdict import (
    Equivalence,
    Verdict,
    tost,
    tost_paired,
    tost_proportions,
    verdict,
)

__all__ = [
    "Equivalence",
    "KaplanMeier",
    "Logrank",
    "MacroTest",
    "MacroTests",
    "Operations",
    "StatsError",
    "TwoByTwo",
    "Verdict",
    "barnard",
    "bonferroni",
    "boschloo",
    "clopper_pearson",
    "cohen_kappa",
    "compact_letters",
    "connor_sample_size",
    "gwet_ac1",
    "holm",
    "interval_sample_size",
    "jeffreys",
    "kaplan_meier",
    "logrank",
    "logrank_permutation",
    "macro_cvm",
    "macro_ks",
    "macro_rmst",
    "macro_tests",
    "mcnemar_exact",
    "newcombe",
    "newcombe_paired",
    "paired_table",
    "raw_agreement",
    "rmst",
    "tost",
    "tost_paired",
    "tost_proportions",
    "verdict",
    "wilson",
]
