""":subgoals, :plan, :intent and :looks: what the bench suite adds to a task."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.tasks.cbddl._diagnostics import Problems
from proctor.tasks.cbddl._expressions import read_condition
from proctor.tasks.cbddl._model import Call, LookOf, Subgoal
from proctor.tasks.cbddl._numbers import parse_number
from proctor.tasks.cbddl._sexp import Form, Word
from proctor.tasks.cbddl._shape import arguments, describe, forms, head_span, number, single, words

# Skills, with the number of names each takes (place may name a region of its target).
SKILLS: dict[str, tuple[int, ...]] = {
    "close": (1,),
    "flip": (1,),
    "hammer": (1,),
    "hang": (1,),
    "insert": (1,),
    "lift": (0,),
    "open": (1,),
    "pick": (1,),
    "place": (1, 2),
    "pour": (1,),
    "press": (1,),
    "pull": (0,),
    "push": (1,),
    "strike": (2,),
    "wait": (1,),
}
LONGEST_WAIT_S = 30.0
MAX_SEED = 2**32
_PARENTHESES = str.maketrans("[]", "()")


def read_looks(block: Form, problems: Problems) -> Iterator[LookOf]:
    """Yield the looks of ``(card_1 (seed 3) (rank A) (suit hearts))``; a value may be several words.

    Square brackets in a value stand for parentheses: ``(solution "Pb[NO3]2")``.
    """
    for form in forms(arguments(block), "an entity such as (card_1 (seed 3))", problems):
        name = form.items[0]
        assert isinstance(name, Word)
        seed: int | None = None
        look: dict[str, str] = {}
        for part in forms(arguments(form), "a look such as (seed 3)", problems):
            if part.head in look or (part.head == "seed" and seed is not None):
                problems.add("duplicate-block", head_span(part), f"{part.head} is given twice; remove one")
            elif part.head == "seed":
                seed = _seed(part, problems)
            else:
                look[part.head] = _text(part, problems)
        yield LookOf(name.folded, seed, tuple(look.items()), name.span)


def _seed(form: Form, problems: Problems) -> int | None:
    node = single(form, problems)
    value = parse_number(node.text) if isinstance(node, Word) else None
    if value is None or value != int(value) or not 0 <= value < MAX_SEED:
        problems.add("value-range", form.span, f"a seed is a whole number from 0 to {MAX_SEED - 1}; write (seed 3)")
        return None
    return int(value)


def _text(form: Form, problems: Problems) -> str:
    found = words(arguments(form), "a value", problems)
    if not found:
        problems.add("empty-expression", form.span, f"{form.head} has no value; write ({form.head} VALUE)")
    text = " ".join(word.text for word in found)
    unquoted = text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
    return unquoted.translate(_PARENTHESES)


def read_subgoals(block: Form, problems: Problems) -> Iterator[Subgoal]:
    """Yield the sub-goals of ``(put (Placed apple_1 plate_1) (after hold) (weight 0.5))``."""
    for form in forms(arguments(block), "a sub-goal such as (hold (Held apple_1))", problems):
        name = form.items[0]
        assert isinstance(name, Word)
        parts = list(forms(arguments(form), "a condition such as (Held apple_1)", problems))
        if not parts:
            problems.add("empty-expression", form.span, f"sub-goal {describe(name)} has no condition; add one")
            continue
        expr = read_condition(parts[0], problems)
        after: tuple[str, ...] = ()
        weight = 1.0
        for part in parts[1:]:
            if part.head == "after":
                after = tuple(word.folded for word in words(arguments(part), "a sub-goal", problems))
            elif part.head == "weight":
                weight = _weight(part, problems)
            else:
                message = f"unknown attribute {describe(part.items[0])} of a sub-goal; write (after NAME) or (weight W)"
                problems.add("unknown-attribute", head_span(part), message)
        if expr is not None:
            yield Subgoal(name.folded, expr, after, weight, name.span)


def _weight(form: Form, problems: Problems) -> float:
    node = single(form, problems)
    value = None if node is None else number(node, problems)
    if value is not None and not 0.0 < value <= 100.0:
        problems.add("value-range", form.span, f"a weight of {value:g}; write more than 0 and at most 100")
    return 1.0 if value is None else value


def read_plan(block: Form, problems: Problems) -> Iterator[Call]:
    """Yield the calls of ``(pick apple_1) (place plate_1) (wait 2)``."""
    for form in forms(arguments(block), "a call such as (pick apple_1)", problems):
        span = head_span(form)
        if form.head not in SKILLS:
            hint = problems.suggest(form.head, SKILLS, f"there are {', '.join(SKILLS)}")
            problems.add("unknown-value", span, f"unknown skill {describe(form.items[0])}; {hint}")
            continue
        found = words(arguments(form), "a name", problems)
        if len(found) not in SKILLS[form.head]:
            wanted = " or ".join(map(str, SKILLS[form.head]))
            problems.add("wrong-arity", span, f"{len(found)} arguments for {form.head}; it takes {wanted}")
            continue
        if form.head != "wait":
            names = tuple(word.folded for word in found)
            yield Call(form.head, names, span, tuple(word.span for word in found))
            continue
        seconds = number(found[0], problems)
        if seconds is not None and not 0.0 <= seconds <= LONGEST_WAIT_S:
            problems.add("value-range", found[0].span, f"wait {seconds:g} s; write 0 to {LONGEST_WAIT_S:g}")
        if seconds is not None:
            yield Call("wait", (seconds,), span, (found[0].span,))
