"""S_K, S_T and PD: the published numbers, the corrections one by one, and bad input."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.analysis.words import PairScore, analyse, cache_file, notes_on, score_pairs
from proctor.tasks.words import LanguageError

CHEESE = "put the cream cheese in the bowl"
STOVE = "turn on the stove"
DRAWER = "open the middle drawer of the cabinet"

# (original, paraphrase): 1 - S_K, 1 - S_T, PD of Table 10, as the published scorer gives them.
TABLE_10 = [
    (CHEESE, "carefully put the cream cheese in the bowl", 0.000, 0.067, 0.033),
    (CHEESE, "put the cheese spread in the vessel", 0.272, 0.429, 0.350),
    (CHEESE, "Is the spread supposed to go in the container?", 0.597, 0.529, 0.563),
    (STOVE, "carefully turn on the stove", 0.000, 0.111, 0.056),
    (STOVE, "turn on the range", 0.343, 0.375, 0.359),
    (STOVE, "Is the range hot yet?", 0.700, 0.600, 0.650),
    (DRAWER, "carefully open the middle drawer of the cabinet", 0.000, 0.067, 0.033),
    (DRAWER, "Find the cabinet, then proceed to open the middle drawer", 0.000, 0.500, 0.250),
    (DRAWER, "The storage unit's middle compartment is currently shut", 0.415, 0.500, 0.457),
]


def one(original: str, paraphrase: str, mode: str = "corrected") -> PairScore:
    return score_pairs([(original, paraphrase)], mode=mode, cache=False)[0]  # type: ignore[arg-type]


def test_every_published_row_is_reproduced(sample_rows: list[dict[str, str]]) -> None:
    pairs = [(row["original_instruction"], row["new_instruction"]) for row in sample_rows]
    scores = score_pairs(pairs, mode="paper")
    assert max(abs(s.s_t - float(r["structural_similarity"])) for s, r in zip(scores, sample_rows, strict=True)) == 0
    assert max(abs(s.s_k - float(r["keyword_similarity"])) for s, r in zip(scores, sample_rows, strict=True)) <= 1e-5
    assert score_pairs(pairs, mode="paper") == scores
    corrected = score_pairs(pairs)
    assert [ours.s_k for ours in corrected] == [min(paper.s_k, 1.0) for paper in scores]
    changed = [text for (_, text), paper, ours in zip(pairs, scores, corrected, strict=True) if paper.s_t != ours.s_t]
    assert changed
    assert all(len(analysis.trees) > 1 for analysis in analyse(changed))


def test_table_10() -> None:
    scores = score_pairs([(original, text) for original, text, *_ in TABLE_10], mode="paper")
    for score, (_, text, keywords, structure, distance) in zip(scores, TABLE_10, strict=True):
        found = (1 - score.s_k, 1 - score.s_t, score.pd())
        assert found == pytest.approx((keywords, structure, distance), abs=5.01e-4), text


def test_alpha_weighs_keywords_against_structure() -> None:
    score = PairScore(s_k=0.25, s_t=0.75, s_k_reverse=1.0)
    assert [score.pd(alpha) for alpha in (0.0, 0.5, 1.0)] == [0.25, 0.5, 0.75]


def test_the_original_is_at_distance_zero() -> None:
    for mode in ("paper", "corrected"):
        assert one(DRAWER, DRAWER, mode).pd() == pytest.approx(0, abs=1e-6)
    assert one(DRAWER, DRAWER).pd() >= 0
    assert one(DRAWER, DRAWER.upper()).s_t == 1


def test_later_sentences_count_only_when_corrected() -> None:
    first, whole = "Open the top drawer.", "Open the top drawer. Put the bowl inside."
    original = "open the top drawer and put the bowl inside"
    assert one(original, whole, "paper").s_t == one(original, first, "paper").s_t
    assert one(original, whole).s_t != one(original, whole, "paper").s_t
    assert one(first, first + " " + first).s_t < 1
    assert one(first, first + " " + first, "paper").s_t == 1


def test_added_words_are_reported_and_cost_nothing() -> None:
    score = one(CHEESE, "carefully put the cream cheese in the shiny bowl")
    assert score.added == ("carefully", "shiny")
    assert score.s_k == pytest.approx(1, abs=1e-6)
    assert score.s_k_reverse < 0.95
    swapped = one("carefully put the cream cheese in the shiny bowl", CHEESE)
    assert swapped.s_k == pytest.approx(score.s_k_reverse, abs=1e-6)
    assert swapped.added == ()


def test_a_text_without_content_words_has_no_keyword_similarity() -> None:
    assert one(STOVE, "could you?").s_k == 0.0


def test_white_space_does_not_count_when_corrected() -> None:
    assert one(DRAWER, "open  the middle\n drawer of the cabinet").pd() == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("text", ["", "   ", "?!", "…"])
def test_empty_texts_are_refused(text: str) -> None:
    with pytest.raises(LanguageError, match=r"^pair 1: the paraphrase is empty"):
        one(DRAWER, text)
    with pytest.raises(LanguageError, match=r"^pair 1: the original is empty"):
        one(text, DRAWER)


def test_ten_thousand_words_are_refused() -> None:
    with pytest.raises(LanguageError, match=r"^line 7: the paraphrase has 10000 words: .* at most 200$"):
        score_pairs([(DRAWER, "put " * 10_000)], where=["line 7"])
    assert one(DRAWER, "put the bowl down " * 50).s_t < 1


def test_unknown_mode() -> None:
    with pytest.raises(LanguageError, match="unknown mode 'exact': know corrected, paper"):
        one(DRAWER, DRAWER, "exact")


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        (DRAWER, ()),
        ("I can't get into the middle drawer of the cabinet", ()),
        ("Here is the bowl, put it on the plate", ()),
        ("Öffne bitte vorsichtig die mittlere Schublade", ("not_english",)),
        ("abre el cajón central del armario", ("not_english",)),
        ("引き出しを開けてください", ("not_english",)),
        ("откройте средний ящик", ("not_english",)),
        ("open the drawer \U0001f600", ("emoji",)),
        ("Here are 20 variations of the instruction:", ("preamble",)),
        ("Sure! Put the bowl on the plate", ("preamble",)),
        ("I'm sorry, I cannot help with that", ("preamble",)),
        ("1. put the bowl down\n2. lower the bowl", ("preamble",)),
    ],
)
def test_what_looks_wrong_is_marked_and_still_scored(text: str, notes: tuple[str, ...]) -> None:
    assert notes_on(text) == notes
    assert one(DRAWER, text).notes == notes


def test_no_published_instruction_is_marked(sample_rows: list[dict[str, str]]) -> None:
    marked = [row["new_instruction"] for row in sample_rows if notes_on(row["new_instruction"])]
    assert marked == []


def test_the_cache_answers_without_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [(STOVE, "switch on the stove"), (STOVE, "carefully turn on the stove")]
    first = score_pairs(pairs)
    assert cache_file().exists()
    monkeypatch.setattr("proctor.analysis.words._distance.analyse", lambda texts: pytest.fail("parsed again"))
    assert score_pairs(pairs) == first
    assert score_pairs(pairs[::-1]) == first[::-1]
    with pytest.raises(pytest.fail.Exception):
        score_pairs(pairs, mode="paper")


def test_a_broken_cache_is_left_aside(own_cache: Path) -> None:
    pairs = [(STOVE, "switch on the stove")]
    expected = score_pairs(pairs, cache=False)
    cache_file().parent.mkdir(parents=True)
    cache_file().write_text("this is no database")
    assert score_pairs(pairs) == expected
    cache_file().unlink()
    cache_file().mkdir()
    assert score_pairs(pairs) == expected
