"""The W axis: so many words, one step away, in the right sense, pointing at one thing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from goal_scene import GOAL, SCENE

from proctor.tasks.words import LEVELS, LanguageError, WordNet, lexicon, parse_instruction, replaceable, substitute

APPLE = "Pick up the apple and place it on the bowl"


@pytest.fixture
def small_wordnet(tmp_path: Path) -> WordNet:
    """Bowl has two senses: a stadium (1), and a vessel (2) with hypernym vessel and hyponym punch_bowl."""
    header = "  1 This stands for the licence text.  \n"
    lines = {
        "stadium": "{} 14 n 02 bowl 0 stadium 0 000 | a place of games  \n",
        "dish": "{} 06 n 02 bowl 0 basin 0 002 @ {vessel} n 0000 ~ {punch} n 0000 | a round vessel  \n",
        "vessel": "{} 06 n 01 vessel 0 001 ~ {dish} n 0000 | a container  \n",
        "punch": "{} 06 n 01 punch_bowl 0 001 @ {dish} n 0000 | for punch  \n",
    }
    offsets, at = {}, len(header)
    for name, line in lines.items():
        offsets[name] = f"{at:08d}"
        at += len(re.sub(r"\{\w*\}", "0" * 8, line))
    data = header + "".join(line.replace("{}", offsets[n]).format(**offsets) for n, line in lines.items())
    (tmp_path / "data.noun").write_text(data)
    index = header + f"bowl n 2 2 @ ~ 2 1 {offsets['stadium']} {offsets['dish']}  \n"
    (tmp_path / "index.noun").write_text(index)
    return WordNet(tmp_path)


def test_the_reader_follows_the_format(small_wordnet: WordNet):
    assert len(small_wordnet.senses("bowl")) == 2
    assert small_wordnet.senses("plate") == ()
    near = {(n.text, n.relation) for n in small_wordnet.neighbours("bowl", 2)}
    assert near == {("basin", "synonym"), ("vessel", "hypernym"), ("punch bowl", "hyponym")}
    # Without a sense, the first that is a thing on a table.
    assert small_wordnet.neighbours("bowl") == small_wordnet.neighbours("bowl", 2)
    assert [n.text for n in small_wordnet.neighbours("bowl", 1)] == ["stadium"]
    assert small_wordnet.neighbours("bowl", 9) == small_wordnet.neighbours("plate") == []


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_replaces_so_many_words(level):
    for item in substitute(APPLE, level, source="lexicon", count=20):
        assert len(item.substitutions) == LEVELS.index(level)
        for change in item.substitutions:
            assert change.text.lower() in item.text.lower()
            rows = lexicon().of(_listed(change.word), "n") + lexicon().of(_listed(change.word), "v")
            assert any((e.text, e.relation) == (change.text, change.relation) for e in rows)
            assert change.relation in ("synonym", "hypernym", "hyponym")
        parse = parse_instruction(APPLE)
        assert len(parse.clauses) == item.text.count(" and ") + 1


def _listed(word: str) -> str:
    return {"pick up": "pick up", "place": "put", "pick": "pick up"}.get(word, word)


def test_w0_is_the_original_and_a_short_instruction_gives_what_it_has():
    assert [item.text for item in substitute(APPLE, "W0")] == [APPLE]
    assert replaceable("turn on the stove", source="lexicon") == 2
    for item in substitute("turn on the stove", "W4", source="lexicon"):
        assert len(item.substitutions) == 2


def test_variants_are_distinct_and_the_same_for_the_same_seed():
    first = [item.text for item in substitute(APPLE, "W3", seed=5, source="lexicon")]
    assert len(set(first)) == len(first) == 32
    assert first == [item.text for item in substitute(APPLE, "W3", seed=5, source="lexicon")]
    assert first != [item.text for item in substitute(APPLE, "W3", seed=6, source="lexicon")]


def test_a_name_for_two_things_of_the_scene_is_not_used():
    fruit = {"apple_1": ("apple",), "mango_1": ("mango",), "bowl_1": ("bowl",)}
    alone = {"apple_1": ("apple",), "bowl_1": ("bowl",)}

    def texts(scene: dict[str, tuple[str, ...]]) -> str:
        return " ".join(i.text for i in substitute(APPLE, "W1", scene=scene, count=40, source="lexicon"))

    assert "edible fruit" in texts(alone)
    assert "edible fruit" not in texts(fruit)
    assert "eating apple" in texts(fruit)


def test_the_sense_is_the_kitchens(small_wordnet: WordNet, monkeypatch: pytest.MonkeyPatch):
    from proctor.tasks.words import _substitute

    monkeypatch.setattr(_substitute, "installed_wordnet", lambda: small_wordnet)
    # The lexicon's sense is bowl.n.01, which is a stadium in this toy: the number decides, not the order of the day.
    installed = substitute("put the bowl on the plate", "W1", count=60)
    listed = substitute("put the bowl on the plate", "W1", count=60, source="lexicon")
    assert any("stadium" in item.text for item in installed)
    assert not any("stadium" in item.text for item in listed)


@pytest.mark.parametrize("instruction", GOAL)
def test_every_goal_instruction_has_variants_at_every_level(instruction):
    for level in LEVELS[1:]:
        assert len(substitute(instruction, level, scene=SCENE, source="lexicon")) >= 5


def test_wrong_levels_and_hopeless_texts_are_explained():
    with pytest.raises(LanguageError, match="unknown language level 'W5'"):
        substitute(APPLE, "W5")
    with pytest.raises(LanguageError, match="empty"):
        substitute("", "W1")
