"""The referee: a second opinion on what an episode's instruction means.

It sees what a stranger sees: the drawn scene (what stands where and looks how) and the words. It shares no code with
the generator, the rules or the prover, reads the sentence with a grammar and a list of cues of its own, and says every
answer that fits. An episode is sound if exactly one does and it is the one the goal asks for.

    judge(parse(drawn.text))          # Verdict("agree", ...)

It lives with the tests: what it finds are mistakes of the generator, which no user can mend. ``test_referee.py`` asks
it about every task, ``benchmarks/knowledge_referee.py`` about thousands of episodes.

Facts that only a table can know (year of a book, density of steel, which food is kept cold) come from the shared JSON
data; facts of general knowledge are written again in ``cues.json``, doubtful cases counted as fitting.
"""

from ._answer import Answer, labels_of
from ._cards import best_hands, strength
from ._cues import meant
from ._judge import Verdict, judge, read
from ._scene import Scene, Thing, scene_of
from ._text import plain
from ._tiles import wins

__all__ = [
    "Answer",
    "Scene",
    "Thing",
    "Verdict",
    "best_hands",
    "judge",
    "labels_of",
    "meant",
    "plain",
    "read",
    "scene_of",
    "strength",
    "wins",
]
