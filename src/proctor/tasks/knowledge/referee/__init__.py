"""The referee: a second opinion on what an episode's instruction means.

It sees what a stranger sees: the drawn scene (what stands where and looks how) and the words. It shares no code with
the generator, the rules or the prover, reads the sentence with a grammar and a list of cues of its own, and says every
answer that fits. An episode is sound if exactly one does and it is the one the goal asks for.

    judge(parse(drawn.text))          # Verdict("agree", ...)

Facts that only a table can know (year of a book, density of steel, which food is kept cold) come from the shared JSON
data; facts of general knowledge are written again in ``cues.json``, doubtful cases counted as fitting.
"""

from ._answer import Answer, labels_of
from ._judge import Verdict, judge, read
from ._scene import Scene, Thing, scene_of

__all__ = ["Answer", "Scene", "Thing", "Verdict", "judge", "labels_of", "read", "scene_of"]
