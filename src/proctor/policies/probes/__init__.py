"""Policies that fail for known reasons, to examine the examiner with.

Each grounds the instruction in a known way, to one of the suite's tasks, and then lets the scripted expert do that
task's goal in the scene at hand. What goes wrong is therefore known: the grounding, the motor noise, or nothing.
"""

from ._grounding import Grounding, KeywordGrounding, NearestGrounding, ReferentCandidate, trigram_vectors
from ._policy import DeafPolicy, GroundedPolicy, KeywordPolicy, NearestPolicy, NoisyPolicy

__all__ = [
    "DeafPolicy",
    "GroundedPolicy",
    "Grounding",
    "KeywordGrounding",
    "KeywordPolicy",
    "NearestGrounding",
    "NearestPolicy",
    "NoisyPolicy",
    "ReferentCandidate",
    "trigram_vectors",
]
