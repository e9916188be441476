"""Rules about the instruction: it should ask for what the file name says and the goal checks.

They compare words, not meaning, and so they only warn.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from proctor.tasks.cbddl._diagnostics import Problems, shown
from proctor.tasks.cbddl._expressions import parts_of
from proctor.tasks.cbddl._index import Index
from proctor.tasks.cbddl._known import Known
from proctor.tasks.cbddl._model import Atom, Entity, Expr, Not, Seq, Then

_ARTICLES = {"the", "a", "an"}
_ORDER = (
    ("then",),
    ("one", "by", "one"),
    ("at", "last"),
    ("afterward",),
    ("afterwards",),
    ("finally",),
    ("after", "that"),
)
# Words that stand for any object: with one of them the instruction need not name each.
_GENERIC = {
    "object",
    "item",
    "thing",
    "everything",
    "fruit",
    "vegetable",
    "food",
    "toy",
    "dish",
    "tableware",
    "cutlery",
}
# Endings of category names that say how an asset was modelled, not what it is.
_VARIANT = {"n", "pi", "x", "rotated", "no", "rotation", "new"}
_DRAWER = {"drawer", "layer"}


def _singular(word: str) -> set[str]:
    """Return ``word`` and what it may be the plural of."""
    forms = {word}
    for ending, replacement in (("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("ves", "fe")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            forms.add(word.removesuffix(ending) + replacement)
    return forms


def _words(text: str) -> list[str]:
    return [re.sub(r"[^\w-]", "", word).lower() for word in text.split()]


def _without_articles(words: list[str]) -> list[str]:
    return [word for word in words if word and word not in _ARTICLES]


def _nouns(entity: Entity, known: Known | None) -> set[str]:
    """Return the words that name an entity: the last word of its category, or the nouns of the asset."""
    parts = [part for part in entity.category.split("_") if part not in _VARIANT and not part.isdigit()]
    nouns = {parts[-1]} if parts else {entity.category}
    if known is not None and entity.category in known:
        nouns |= {noun.lower().split()[-1] for noun in known[entity.category].nouns if noun.strip()}
    return {form for noun in nouns for form in _singular(noun)}


def check_file_name(index: Index, problems: Problems) -> None:
    """Report an instruction that differs from a file name of at least four words, apart from articles and numbering."""
    task = index.task
    stem = PurePath(task.file).stem
    stem = re.sub(r"^[A-Za-z_]*SCENE[0-9]+_", "", stem)
    said = _without_articles(_words(task.language))
    named = _words(stem.replace("_", " "))
    if len(named) < 4 or not said:
        return
    bare = named[:-1] if named[-1].isdigit() else named
    if said not in (_without_articles(named), _without_articles(bare)):
        message = "the instruction differs from the file name; rename the file or correct the instruction"
        problems.add("language-file-mismatch", task.spans[":language"], message)


def check_goal_objects(index: Index, problems: Problems, known: Known | None) -> None:
    """Report objects that the goal is about and the instruction does not name."""
    task = index.task
    spoken = {form for word in _words(task.language) for form in _singular(word)}
    if not spoken or spoken & _GENERIC:
        return
    reported: set[str] = set()
    for atom in _positive(task.goal):
        for arg, span in zip(atom.args, atom.arg_spans, strict=False):
            entity = _object(arg, index)
            if entity is None or entity.name in reported or _nouns(entity, known) & spoken:
                continue
            reported.add(entity.name)
            message = f"the goal in line {span.line} is about {shown(entity.name)}, which the instruction does not name"
            problems.add("language-goal-mismatch", task.spans[":language"], f"{message}; correct one of them")


def _positive(expr: Expr) -> list[Atom]:
    if isinstance(expr, Atom):
        return [expr]
    return [] if isinstance(expr, Not) else [atom for item in parts_of(expr) for atom in _positive(item)]


def _object(arg: object, index: Index) -> Entity | None:
    """Return the movable object that ``arg`` is, or whose site it is."""
    if not isinstance(arg, str):
        return None
    region = index.regions.get(arg)
    entity = index.entities.get(region.target if region is not None else arg)
    return entity if entity is not None and entity.kind == "object" else None


def check_all(index: Index, problems: Problems, known: Known | None) -> None:
    """Report ``all of the ...`` where the goal covers fewer."""
    task = index.task
    words = _words(task.language)
    if "all" not in words:
        return
    start = words.index("all") + 1
    after = [word for word in words[start : start + 5] if word not in {"of", "the", "these", "those", "all"}][:2]
    meant = {form for word in after for form in _singular(word)}
    covered = {arg for atom in index.goal_atoms for arg in atom.args if isinstance(arg, str)}
    if meant & _DRAWER:
        targets = {region.target for region in task.regions if region.full_name in covered}
        sites = [r for r in task.regions if r.target in targets and not r.ranges and r.name.endswith("_region")]
        wanted = [region.full_name for region in sites]
    else:
        wanted = [entity.name for entity in task.objects if _nouns(entity, known) & meant]
    missing = [name for name in dict.fromkeys(wanted) if name not in covered]
    if missing and len(missing) < len(set(wanted)):
        message = f"the instruction says all, the goal leaves out {', '.join(missing[:4])}; add them to the goal"
        problems.add("language-all-not-covered", task.goal.span, message)


def check_order(index: Index, problems: Problems) -> None:
    """Report words that demand an order where the goal has no ``Then``."""
    task = index.task
    if _has_then(task.goal):
        return
    words = _words(task.language)
    for at in range(len(words)):
        phrase = next((p for p in _ORDER if tuple(words[at : at + len(p)]) == p), None)
        if phrase is None:
            continue
        message = f"{shown(' '.join(phrase))} asks for an order that the goal does not check; use (Then g1 g2)"
        problems.add("language-order-unchecked", task.spans[f"language:{at}"], message)


def _has_then(expr: Expr) -> bool:
    if isinstance(expr, Then | Seq):
        return True
    if isinstance(expr, Atom):
        return False
    return any(_has_then(item) for item in parts_of(expr))


def check_preposition(index: Index, problems: Problems) -> None:
    """Report ``on the drawer`` where the goal says ``In``."""
    words = _words(index.task.language)
    if not any(atom.predicate == "In" for atom in index.goal_atoms):
        return
    for at in range(len(words) - 2):
        if words[at : at + 3] == ["on", "the", "drawer"]:
            message = "'on the drawer', but the goal says In; write 'in the drawer'"
            problems.add("language-preposition", index.task.spans[f"language:{at}"], message)
