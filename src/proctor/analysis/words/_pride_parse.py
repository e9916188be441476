"""What PRIDE reads of a sentence: its content words and its dependency trees.

The text is lower-cased first. Content words are the lemmas of nouns, proper nouns, verbs, adjectives and adverbs; stop
words are kept ("put" decides a task). A tree's node is (dependency, part of speech) of a token, punctuation included;
children are sorted by that label, so the order of siblings does not count.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ._setup import PARSER, SPACY, parser_folder, require, require_intact
from ._trees import Tree

CONTENT = frozenset({"NOUN", "VERB", "ADJ", "ADV", "PROPN"})


@dataclass(frozen=True, slots=True)
class Analysis:
    """A parsed text. ``trees`` has one tree for each sentence; ``words`` are lemmas, repeated ones kept."""

    words: tuple[str, ...]
    trees: tuple[Tree, ...]


@functools.cache
def _pipeline() -> Any:
    require(SPACY, PARSER)
    require_intact(PARSER)
    import spacy

    return spacy.load(parser_folder(), exclude=["ner", "senter"])


def analyse(texts: Sequence[str]) -> list[Analysis]:
    """Parse ``texts``, each exactly as given but for its case."""
    return [_analysis(document) for document in _pipeline().pipe(text.lower() for text in texts)]


def _analysis(document: Any) -> Analysis:
    words = tuple(token.lemma_ for token in document if token.pos_ in CONTENT)
    return Analysis(words, tuple(_tree(token) for token in document if token.dep_ == "ROOT"))


def _tree(token: Any) -> Tree:
    label = (token.dep_, token.pos_)
    children = sorted(token.children, key=lambda child: (child.dep_, child.pos_))
    return Tree.node(label, (_tree(child) for child in children))
