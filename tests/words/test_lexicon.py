"""Every noun and verb of our suites is in the lexicon; what it says of WordNet is true where that is installed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from proctor.assets import categories, make
from proctor.run.plan import nouns_in
from proctor.tasks.suites import builtin_suites, instruction_of, tasks_of
from proctor.tasks.words import (
    LEXICON_VERBS,
    VERBS,
    LanguageError,
    Verifier,
    control,
    inflect,
    installed_wordnet,
    lexicon,
    parse_instruction,
    read_lexicon,
    replaceable,
    substitute,
)

WRITTEN = [ref for suite in builtin_suites() for ref in tasks_of(suite) if not ref.family]


def test_every_asset_can_be_called_by_a_noun_of_the_lexicon():
    book = lexicon()
    for category in categories("arena"):
        heads = [noun for noun in make(category, 0).nouns if any(book.singular(noun[at:]) for at in _starts(noun))]
        assert heads, category


def _starts(noun: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer(" ", noun))]


def test_every_noun_and_verb_of_our_instructions_is_listed():
    book = lexicon()
    for instruction in sorted({instruction_of(ref) for ref in WRITTEN}):
        command = parse_instruction(instruction)
        for phrase in command.phrases():
            assert phrase.noun == "it" or book.singular(phrase.noun.lower()), phrase
        for clause in command.clauses:
            assert book.of(LEXICON_VERBS[clause.act], "v", "synonym"), clause


def test_rows_are_complete_and_say_one_thing_once():
    book = lexicon()
    seen = {}
    for entry in book.entries:
        assert entry.source in ("own", "WordNet 3.0")
        assert re.fullmatch(r"(own\.[nva]\.\w+|[\w'-]+\.[nva]\.\d\d)", entry.sense), entry
        if entry.relation != "plural":
            assert seen.setdefault((entry.word, entry.pos, entry.text), entry) is entry, entry
            assert entry.text != entry.word
        if entry.relation == "attribute":
            assert entry.word in entry.text, entry
    assert {act for act, _ in VERBS.values()} == set(LEXICON_VERBS)


def test_verbs_are_inflected():
    for forms in (
        "put put putting", "place placed placing", "turn_on turned_on turning_on", "lay laid laying",
        "transfer transferred transferring", "slide_open slid_open sliding_open", "tug_open tugged_open tugging_open",
        "propel propelled propelling", "shift shifted shifting",
    ):  # fmt: skip
        verb, past, gerund = (form.replace("_", " ") for form in forms.split())
        assert inflect(verb) == (past, gerund)


def test_rows_that_cite_wordnet_are_in_wordnet():
    wordnet = installed_wordnet()
    if wordnet is None:
        pytest.skip("no WordNet on this machine (Debian: wordnet-base)")
    checked = 0
    for entry in lexicon().entries:
        if entry.pos == "n" and entry.source != "own" and entry.relation in ("synonym", "hypernym", "hyponym"):
            lemma, _, number = entry.sense.rpartition(".n.")
            near = {(n.text, n.relation) for n in wordnet.neighbours(lemma.replace("_", " "), int(number))}
            assert (entry.text, entry.relation) in near, entry
            checked += 1
    assert checked > 60


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("word\ttext\n", ":1: the columns must be"),
        ("word\tpos\ttext\trelation\tsense\tsource\nbowl\tn\tbasin\tsynonym\n", ":2: a row needs 6"),
        ("word\tpos\ttext\trelation\tsense\tsource\nbowl\tn\tbasin\ttwin\tb.n.01\town\n", ":2: unknown part of speech"),
    ],
)
def test_a_broken_lexicon_is_reported_with_its_line(text, says, tmp_path: Path):
    file = tmp_path / "words.tsv"
    file.write_text(text)
    with pytest.raises(LanguageError, match=says):
        read_lexicon(file)


def test_every_task_of_our_suites_has_texts_at_every_level_and_for_every_control():
    """W4 replaces four words wherever there are four; only "all of the drawers" has no other thing to name."""
    for ref in WRITTEN:
        text, scene = instruction_of(ref), nouns_in(ref.path)
        (variant,) = substitute(text, "W4", scene=scene, source="lexicon", count=1)
        assert len(variant.substitutions) == min(4, replaceable(text, scene=scene, source="lexicon")) >= 2
        for kind in ("shuffled", "antonym", "punctuation"):
            assert control(kind, text, 0, scene=scene)
        assert control("wrong_object", text, 0, scene=scene) or "all of the" in text.lower()
        # The verifier understands the original: what it is told of is in the scene and told apart.
        assert not any("original's" in reason for reason in Verifier(text, scene).check("x y").reasons), text
