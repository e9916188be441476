"""Do two stations give the same results? Agreement scene by scene, not only of the averages."""

from ._agreement import RolloutPairing, StationAgreement, agree, by_policy, pairs_of_rows
from ._appendix_g import PublishedRollout, appendix_g, pairs_of, table_rates

__all__ = [
    "PublishedRollout",
    "RolloutPairing",
    "StationAgreement",
    "agree",
    "appendix_g",
    "by_policy",
    "pairs_of",
    "pairs_of_rows",
    "table_rates",
]
