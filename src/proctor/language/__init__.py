"""Instructions as data: how far a paraphrase is from its original, and what that distance does to a policy.

Works without MuJoCo and without a network. What needs a parser or word vectors loads it at the first call; the packages
are pinned and installed by ``proctor language setup``.
"""

from ._errors import LanguageError

__all__ = [
    "LanguageError",
]
