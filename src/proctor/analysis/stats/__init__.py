"""Pure functions of episode rows. They know nothing of MuJoCo, robots or files.

Arrays are the lowest interface: times in seconds, events 1 (observed) or 0 (censored), a hard failure is time inf with
event 1. SciPy, Numba and Matplotlib are imported only by the calls that need them.
"""

from ._agreement import cohen_kappa, gwet_ac1, gwet_ac1_many, raw_agreement
from ._bootstrap import Interval, score_interval, score_intervals
from ._calibrate import CALIBRATED, calibrate_tests
from ._checks import StatsError
from ._cluster import ClusterInterval, cluster_interval
from ._compare import ArmSummary, Comparison, PairComparison, compare, episode_success, match_pairs, pairs_of
from ._curves import Band, auc, cdf_band, pp_curve, qq_curve
from ._detection import DetectionCurve, detection_curve
from ._difference import is_paired, score_difference
from ._episodes import EpisodeRow, OpsRule, episode_operations, operations
from ._intervals import wilson
from ._json import to_plain
from ._logrank import Logrank, logrank
from ._macro import MacroTest, MacroTests, horizon, macro_ks, macro_tests
from ._multiplicity import compact_letters, holm
from ._operations import Cohort, Operations
from ._planning import PowerCurve, power_curve, two_proportion_sample_size
from ._proportions import (
    connor_sample_size,
    interval_sample_size,
    mcnemar_exact,
    newcombe,
    newcombe_paired,
    paired_table,
)
from ._ranking import BradleyTerry, bradley_terry
from ._safety import cost_change_interval, mean_cost_interval, safe_successes
from ._sequential import BettingTest, PairedEProcess, SequentialComparison, SequentialState
from ._shares import ShareChange, ShareInterval, share_change, share_interval
from ._summary import summarise
from ._survival import KaplanMeier, kaplan_meier, rmst
from ._synthetic import GENERATORS, Synthetic
from ._verdict import Equivalence, Verdict, tost, verdict

__all__ = [
    "CALIBRATED",
    "GENERATORS",
    "ArmSummary",
    "Band",
    "BettingTest",
    "BradleyTerry",
    "ClusterInterval",
    "Cohort",
    "Comparison",
    "DetectionCurve",
    "EpisodeRow",
    "Equivalence",
    "Interval",
    "KaplanMeier",
    "Logrank",
    "MacroTest",
    "MacroTests",
    "Operations",
    "OpsRule",
    "PairComparison",
    "PairedEProcess",
    "PowerCurve",
    "SequentialComparison",
    "SequentialState",
    "ShareChange",
    "ShareInterval",
    "StatsError",
    "Synthetic",
    "Verdict",
    "auc",
    "bradley_terry",
    "calibrate_tests",
    "cdf_band",
    "cluster_interval",
    "cohen_kappa",
    "compact_letters",
    "compare",
    "connor_sample_size",
    "cost_change_interval",
    "detection_curve",
    "episode_operations",
    "episode_success",
    "gwet_ac1",
    "gwet_ac1_many",
    "holm",
    "horizon",
    "interval_sample_size",
    "is_paired",
    "kaplan_meier",
    "logrank",
    "macro_ks",
    "macro_tests",
    "match_pairs",
    "mcnemar_exact",
    "mean_cost_interval",
    "newcombe",
    "newcombe_paired",
    "operations",
    "paired_table",
    "pairs_of",
    "power_curve",
    "pp_curve",
    "qq_curve",
    "raw_agreement",
    "rmst",
    "safe_successes",
    "score_difference",
    "score_interval",
    "score_intervals",
    "share_change",
    "share_interval",
    "summarise",
    "to_plain",
    "tost",
    "two_proportion_sample_size",
    "verdict",
    "wilson",
]
