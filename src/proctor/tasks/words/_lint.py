"""Rules about a task's instruction: it should ask for what the file name says and the goal checks.

They compare words, not meaning, and so they only warn. They are given to the linter of task files, which reads no
sentences. An instruction with a plan may only hint at its target ("something sour") and is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import PurePath

from proctor.tasks.cbddl import Atom, Defect, Entity, Expr, Known, Not, Seq, Task, Then, atoms_of, parts_of

from ._phrases import SceneNames, mentions
from ._words import ANY_OBJECT, DETERMINERS, order_words, singulars, tokens

_ARTICLES = frozenset({"the", "a", "an"})
# Endings of category names that say how an asset was modelled, not what it is.
_VARIANT = {"n", "pi", "x", "rotated", "no", "rotation", "new"}
_DRAWER = {"drawer", "layer"}


def instruction_defects(task: Task, known: Known | None) -> Iterator[Defect]:
    """Yield what is wrong with a task's instruction, beside its file name and its goal."""
    if task.plan:
        return
    words = [" ".join(tokens(word)) for word in task.language.split()]
    for rule in (_file_name, _goal_objects, _all, _order, _preposition):
        yield from rule(task, words, known)


def _file_name(task: Task, words: list[str], known: Known | None) -> Iterator[Defect]:
    """Compare with a file name of at least four words, apart from articles and numbering."""
    named = tokens(re.sub(r"^[A-Za-z_]*SCENE[0-9]+_", "", PurePath(task.file).stem).replace("_", " "))
    said = [word for word in words if word and word not in _ARTICLES]
    if len(named) < 4 or not said:
        return
    bare = named[:-1] if named[-1].isdigit() else named
    if all(said != [word for word in name if word not in _ARTICLES] for name in (named, bare)):
        message = "the instruction differs from the file name; rename the file or correct the instruction"
        yield "language-file-mismatch", task.spans[":language"], message


def _goal_objects(task: Task, words: list[str], known: Known | None) -> Iterator[Defect]:
    if not any(words) or any(singulars(word) & ANY_OBJECT for word in words):
        return
    objects = {entity.name: entity for entity in task.objects}
    targets = {region.full_name: region.target for region in task.regions}
    spoken = mentions(words, SceneNames({name: _nouns(entity, known) for name, entity in objects.items()}))
    named = {entity for mention in spoken for entity in mention.entities}
    for atom in _positive(task.goal):
        for arg, span in zip(atom.args, atom.arg_spans, strict=False):
            name = targets.get(arg, arg) if isinstance(arg, str) else ""
            if name in objects and name not in named:
                named.add(name)
                about = f"the goal in line {span.line} is about {name[:60]!r}, which the instruction does not name"
                yield "language-goal-mismatch", task.spans[":language"], f"{about}; correct one of them"


def _all(task: Task, words: list[str], known: Known | None) -> Iterator[Defect]:
    """Require that the goal covers all of what ``all of the ...`` means."""
    if "all" not in words:
        return
    start = words.index("all") + 1
    after = [word for word in words[start : start + 5] if word not in DETERMINERS | {"of", "all"}][:2]
    meant = frozenset[str]().union(*map(singulars, after))
    covered = {arg for atom in atoms_of(task.goal) for arg in atom.args if isinstance(arg, str)}
    if meant & _DRAWER:
        targets = {region.target for region in task.regions if region.full_name in covered}
        sites = [r for r in task.regions if r.target in targets and not r.ranges and r.name.endswith("_region")]
        wanted = [region.full_name for region in sites]
    else:
        nouns = {entity.name: frozenset[str]().union(*map(singulars, _nouns(entity, known))) for entity in task.objects}
        wanted = [name for name, forms in nouns.items() if forms & meant]
    missing = [name for name in dict.fromkeys(wanted) if name not in covered]
    if missing and len(missing) < len(set(wanted)):
        message = f"the instruction says all, the goal leaves out {', '.join(missing[:4])}; add them to the goal"
        yield "language-all-not-covered", task.goal.span, message


def _order(task: Task, words: list[str], known: Known | None) -> Iterator[Defect]:
    """Report words that demand an order where the goal has none."""
    if _any(task.goal, lambda expr: isinstance(expr, Then | Seq)):
        return
    for at, phrase in order_words(words):
        message = f"{phrase!r} asks for an order that the goal does not check; use (Then g1 g2)"
        yield "language-order-unchecked", task.spans[f"language:{at}"], message


def _preposition(task: Task, words: list[str], known: Known | None) -> Iterator[Defect]:
    """Report ``on the drawer`` where the goal says ``In``."""
    if not any(atom.predicate == "In" for atom in atoms_of(task.goal)):
        return
    for at in range(len(words) - 2):
        if words[at : at + 3] == ["on", "the", "drawer"]:
            message = "'on the drawer', but the goal says In; write 'in the drawer'"
            yield "language-preposition", task.spans[f"language:{at}"], message


def _nouns(entity: Entity, known: Known | None) -> tuple[str, ...]:
    """Return the words that name an entity: the last word of its category, and of each noun of its asset."""
    parts = [part for part in entity.category.split("_") if part not in _VARIANT and not part.isdigit()]
    nouns = known[entity.category].nouns if known is not None and entity.category in known else ()
    return (parts[-1] if parts else entity.category, *(noun.lower().split()[-1] for noun in nouns if noun.strip()))


def _positive(expr: Expr) -> Iterator[Atom]:
    if isinstance(expr, Atom):
        yield expr
    elif not isinstance(expr, Not):
        for part in parts_of(expr):
            yield from _positive(part)


def _any(expr: Expr, fits: Callable[[Expr], bool]) -> bool:
    return fits(expr) or any(_any(part, fits) for part in parts_of(expr))
