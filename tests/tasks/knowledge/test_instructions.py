"""The bank of instructions: enough of them, all different, and each provable in scenes of its task."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

import numpy as np
import pytest
from question_scenes import pool
from referee import scene_of

from proctor.core import ProctorError
from proctor.tasks.cbddl import parse
from proctor.tasks.knowledge import draw, knowledge_task, knowledge_tasks
from proctor.tasks.knowledge.domains.cabinet import LOW_FRUITS
from proctor.tasks.knowledge.facts import Item, NotUniqueError, ask, bank, options, side, table

TASKS = {knowledge_task(slug).id: slug for slug in knowledge_tasks()}
SEMANTIC = [f"P{number}" for number in range(39, 51)]
CATEGORIES = {
    "P39": "fruit",
    "P40": "drink",
    "P41": "toy",
    "P42": "book",
    "P43": "ingredient",
    "P44": "flower",
    "P45": "condiment",
    "P46": "painting",
    "P47": "tube",
    "P48": "card",
    "P49": "mahjong",
    "P50": "billiard_ball",
}
# Scenes of a task: the kind of question that names the pool, its table, and how many things stand there.
SCENES = {
    "P39": ("attribute", "fruits", 4),
    "P40": ("attribute", "drinks", 3),
    "P41": ("attribute", "toys", 4),
    "P42": ("subject", "", 4),
    "P43": ("attribute", "recipes", 4),
    "P44": ("attribute", "flowers", 3),
    "P45": ("attribute", "condiments", 4),
    "P46": ("style", "", 3),
    "P47": ("attribute", "solutions", 3),
    "P48": ("nth_card", "", 4),
    "P49": ("run_tile", "", 6),
    "P50": ("ball_value", "", 4),
    "P26": ("attribute", "fruits", 4),
    "P27": ("attribute", "drinks", 3),
    "P28": ("attribute", "toys", 4),
    "P29": ("subject", "", 4),
    "P30": ("attribute", "recipes", 4),
    "P31": ("attribute", "flowers", 3),
    "P33": ("attribute", "condiments", 4),
    "P34": ("style", "", 3),
}


def _scene(rng: np.random.Generator, task: str, split: str) -> list[Item]:
    kind, name, count = SCENES[task]
    things = pool(kind, split, {"table": name})  # type: ignore[arg-type]
    return [
        Item(f"x_{number}", *things[int(index)]) for number, index in enumerate(rng.permutation(len(things))[:count])
    ]


def test_every_task_has_a_bank_of_its_own_name() -> None:
    names = {path.name for path in files("proctor.tasks.knowledge.facts").joinpath("instructions").iterdir()}
    assert names == {f"{task}.json" for task in TASKS}
    assert all(bank(task).task == task and bank(task).slug == slug for task, slug in TASKS.items())


def test_there_are_enough_instructions() -> None:
    counts = {task: sum(len(entry.texts) for entry in bank(task).entries) for task in TASKS}
    forms = {task: bank(task).form for task in TASKS}
    assert all(counts[task] >= 20 and forms[task] == "dialogue" for task in SEMANTIC)
    talks = [task for task in TASKS if forms[task] == "dialogue"]
    assert {"C03", "C07", "C08", "C09", "C14", "C29", "C30", "C36", "C37"} == set(talks) - set(SEMANTIC)
    assert all(counts[task] >= 10 for task in talks)
    plain = [entry for task in TASKS if forms[task] == "plain" for entry in bank(task).entries]
    assert all(3 <= len(entry.texts) <= 6 for entry in plain)


def test_no_text_occurs_twice_in_a_task_and_ids_are_unique() -> None:
    ids = [entry.id for task in TASKS for entry in bank(task).entries]
    assert len(set(ids)) == len(ids)
    for task in TASKS:
        texts = [text for entry in bank(task).entries for text in entry.texts]
        if task != "P35":
            assert len(set(texts)) == len(texts), task


def test_texts_are_sentences_that_a_task_file_can_hold() -> None:
    for task in TASKS:
        for entry in bank(task).entries:
            for text in entry.texts:
                assert text[0].isupper() or text[0] == "{", text
                assert text[-1] in ".!?}", text
                assert not re.search(r'[()";\n]|  ', text), text
                assert not re.search(r"\ba {(rank|tile)", text), text
                # Only the first word of a text is given its capital.
                assert not re.search(r"([.!?]|\b[AB]:) {(?!problem)", text), text


def test_a_fact_ends_its_clause() -> None:
    """What "makes your eyes water when you cut it out of the fridge"? After a fact comes a stop or "and", no place."""
    for task in TASKS:
        for text in (text for entry in bank(task).entries for text in entry.texts):
            assert not re.search(r"{fact}(?!\.|:| and )", text), (task, text)


def test_two_speakers_and_one_are_both_heard() -> None:
    texts = [text for task in SEMANTIC for entry in bank(task).entries for text in entry.texts]
    talk = [text for text in texts if text.startswith("A: ")]
    assert 0.2 < len(talk) / len(texts) < 0.6


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?]) ", re.sub(r"\b[AB]: ", "", text))


def test_no_boilerplate() -> None:
    """People do not end every request alike, and no sentence of one task is heard in another."""
    heard: dict[str, str] = {}
    talks = [task for task in TASKS if bank(task).form == "dialogue"]
    assert set(SEMANTIC) < set(talks)
    for task in talks:
        texts = [text for entry in bank(task).entries for text in entry.texts]
        closing, times = Counter(_sentences(text)[-1] for text in texts).most_common(1)[0]
        assert times <= 4, (task, closing)
        for sentence in {part for text in texts for part in _sentences(text) if len(part.split()) >= 5}:
            assert heard.setdefault(sentence, task) == task, sentence


@pytest.mark.parametrize("task", SEMANTIC)
def test_twenty_instructions_are_proved_in_scenes_of_the_task(task: str) -> None:
    """Counted over scenes as they are drawn for episodes: a text counts once its question has one answer in one."""
    usable: set[str] = set()
    for number in range(80):
        drawn = parse(draw(TASKS[task], number, number).text, task)
        things = scene_of(drawn).of(CATEGORIES[task])
        items = [Item(thing.name, thing.category, thing.looks) for thing in things]
        usable |= {text for entry, _ in options(task, items) for text in entry.texts}
        if len(usable) >= 20:
            return
    raise AssertionError(f"{task}: only {len(usable)} instructions fit a scene")


def test_where_customs_differ_the_words_say_which_is_meant() -> None:
    # Honours have no suit, and sushi's chopsticks lie across in front of the plate or beside it.
    odd = [text.lower() for entry in bank("P37").entries for text in entry.texts]
    assert all("winds and dragons" in text for text in odd)
    for task in ("set_dining_table", "set_dining_left_hand"):
        said = [draw(task, seed, episode).instruction for seed in range(3) for episode in range(5)]
        assert sum("sushi" in text for text in said) == 3
        assert all("where a knife would be" in text for text in said if "sushi" in text)


@pytest.mark.parametrize("task", [task for task in SEMANTIC if task not in ("P48", "P49", "P50")])
def test_a_dialogue_never_names_its_target(task: str) -> None:
    """What the need stands for must be understood, not spotted: the kind's own name is not in the text."""
    kind, name, _ = SCENES[task]
    look = next(iter(pool(kind, "all", {"table": name})[0][1]))
    for entry in bank(task).entries:
        if entry.ask != "attribute":
            continue
        facts = table(entry.params["table"])["attributes"]  # type: ignore[index]
        for attribute in entry.params["attributes"]:  # type: ignore[union-attr]
            for item in facts[attribute.lstrip("!")]["true"]:
                for text in entry.texts:
                    assert not re.search(rf"\b{re.escape(item.lower())}s?\b", text.lower()), (look, item, text)


# Words of names that give nothing away: sorts, colours, and grapes, which become two of the drinks.
PLAIN_WORDS = {"black", "box", "drink", "grape", "juice", "red", "sauce", "sea", "still", "water"}


@pytest.mark.parametrize("task", ["P39", "P40", "P41", "P43", "P44", "P45"])
def test_no_half_of_a_name_gives_the_target_away(task: str) -> None:
    """``Sauce brewed from soy beans`` among four labels is found by the letters of ``soy sauce``."""
    for entry in bank(task).entries:
        if entry.ask != "attribute":
            continue
        facts = table(entry.params["table"])["attributes"]  # type: ignore[index]
        true = [facts[attribute]["true"] for attribute in entry.params["attributes"] if attribute[0] != "!"]  # type: ignore[union-attr]
        for kind in set.intersection(*map(set, true)):
            for word in set(re.findall(r"\w+", kind.lower())) - PLAIN_WORDS:
                for text in entry.texts:
                    assert not re.search(rf"\b{word}(s|es)?\b", text.lower()), (kind, text)


def test_what_stands_in_no_such_scene_is_not_asked_for() -> None:
    """The cabinet of C03 holds fruits and snacks; the bank had four hints at drinks that nobody could hear."""
    entries = {entry.id for entry in bank("C03").entries}
    heard = {
        entry.id
        for category, kinds in (("fruit", LOW_FRUITS), ("snack", table("snacks")["items"]))
        for kind in kinds
        for entry, _ in options("C03", [Item("thing_1", category, {"kind": kind})])
    }
    assert heard == entries
    # Nor is there a red among the balls of P50, where all reds are gone.
    assert {entry.params.get("points") for entry in bank("P50").entries} == {None, 2, 3, 4, 5, 6, 7}


def test_no_article_and_no_verb_agrees_with_a_kind() -> None:
    """Nobody asks for a black coffee or says that the leftovers is cold: kinds can be several or uncounted."""
    for task, wrong in (
        ("C05", r"\bany\b"),
        ("C08", r"\b(a|an|any|cold) {kind}|\bone\b(?! thing)"),
        ("C15", r"{kind} (is|was|has)\b"),
        ("C16", r"{kind} (is|was|has)\b"),
    ):
        for text in (text for entry in bank(task).entries for text in entry.texts):
            assert not re.search(wrong, text), text


@pytest.mark.parametrize("task", sorted(SCENES))
def test_every_entry_is_asked_in_some_scene_and_only_when_proved(task: str) -> None:
    rng = np.random.default_rng(39)
    used: set[str] = set()
    for split in ("seen", "unseen", "all"):
        for _ in range(60):
            items = _scene(rng, task, split)
            for entry, proof in options(task, items):
                used.add(entry.id)
                assert len(proof.names) == 1
                assert proof.question.kind == entry.ask
    if task == "P34":
        used.add("P34-title")
    assert used == {entry.id for entry in bank(task).entries}


@pytest.mark.parametrize(("task", "name"), [(task, name) for task, (_, name, _) in SCENES.items() if name])
def test_every_item_can_be_the_answer_on_its_side(task: str, name: str) -> None:
    rng = np.random.default_rng(40)
    look = table(name)["look"]
    for split in ("seen", "unseen"):
        answered = set()
        for _ in range(80):
            items = _scene(rng, task, split)
            answered |= {
                item.look(look) for item in items for _, proof in options(task, items) if proof.names == (item.name,)
            }
        missing = set(side(name, split)) - answered
        # Glauber's salt is asked for by name in plain tasks only.
        assert missing <= {"Na2SO4"}, (task, split)


def test_ask_gives_the_target_or_says_that_it_cannot() -> None:
    rng = np.random.default_rng(41)
    items = [Item("avocado_1", "fruit", {"kind": "avocado"}), Item("plum_1", "fruit", {"kind": "plum"})]
    asked = ask(rng, "P39", items, "avocado_1")
    assert asked.proof.winner == (("avocado_1",),)
    assert asked.id.startswith("P39-")
    twins = [Item(f"avocado_{number}", "fruit", {"kind": "avocado"}) for number in (1, 2)]
    with pytest.raises(NotUniqueError):
        ask(rng, "P39", twins, "avocado_1")


def test_an_empty_gap_is_an_error_and_a_sentence_begins_with_a_capital() -> None:
    egg = [Item("egg_1", "ingredient", {"kind": "egg"})]
    rng = np.random.default_rng(42)
    with pytest.raises(ProctorError, match="board"):
        ask(rng, "P05", egg)
    assert all(ask(rng, "P05", egg, fills={"board": "plate"}).text[0].isupper() for _ in range(20))
