"""Expressions: predicates and connectives of :init, :goal and :cost, and the steps of :subgoals and :plan."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.tasks.cbddl._diagnostics import Problems
from proctor.tasks.cbddl._model import (
    And,
    Argument,
    Atom,
    Call,
    Expr,
    LookOf,
    Not,
    Once,
    OnceAfter,
    Or,
    PartIds,
    Seq,
    Subgoal,
    Then,
)
from proctor.tasks.cbddl._predicates import (
    AXES,
    CONNECTIVES,
    PREDICATES,
    ArgumentKind,
    Block,
    Predicate,
    find_predicate,
)
from proctor.tasks.cbddl._sexp import (
    Form,
    Node,
    Word,
    arguments,
    describe,
    forms,
    head_span,
    number,
    parse_number,
    single,
    words,
)

_EXPECTED = "a predicate such as (On apple_1 plate_1)"
_MEMORY = ("Once", "OnceAfter", "Seq")


def atoms_of(expr: Expr) -> Iterator[Atom]:
    """Yield the predicates of an expression in the order of the file."""
    if isinstance(expr, Atom):
        yield expr
    for item in parts_of(expr):
        yield from atoms_of(item)


def parts_of(expr: Expr) -> tuple[Expr, ...]:
    """Return the expressions directly inside an expression."""
    match expr:
        case Atom():
            return ()
        case Not(item) | Once(item):
            return (item,)
        case OnceAfter(item, after):
            return (item, after)
        case And(items) | Or(items) | Then(items) | Seq(items):
            return items


def read_init(block: Form, problems: Problems) -> list[Atom]:
    found = [
        _expression(form, "init", problems, ordered=False) for form in forms(arguments(block), _EXPECTED, problems)
    ]
    return [atom for atom in found if isinstance(atom, Atom)]


def read_goal(block: Form, problems: Problems) -> list[Expr]:
    """Return the expressions of ``:goal``; more than one is a defect."""
    found = _expressions(block, "goal", problems)
    if not found and not arguments(block):
        problems.add("empty-expression", head_span(block), "the goal is empty; write (:goal (And (On a b)))")
    return found


def read_cost(block: Form, problems: Problems) -> list[tuple[Expr, ...]]:
    """Return the terms of each expression of ``:cost``: the items of a top-level ``And``, else the expression."""
    return [expr.items if isinstance(expr, And) else (expr,) for expr in _expressions(block, "cost", problems)]


def read_faults(block: Form, problems: Problems) -> list[Expr]:
    return [expr for form in forms(arguments(block), _EXPECTED, problems) if (expr := read_condition(form, problems))]


def read_condition(form: Form, problems: Problems) -> Expr | None:
    """Return an expression that may say what a goal may, but no ``Then``."""
    return _expression(form, "goal", problems, ordered=False)


def _expressions(block: Form, where: Block, problems: Problems) -> list[Expr]:
    nodes = arguments(block)
    found = [_expression(form, where, problems, ordered=True) for form in forms(nodes, _EXPECTED, problems)]
    if len(nodes) > 1:
        code = "several-goals" if where == "goal" else "several-costs"
        message = f":{where} has {len(nodes)} expressions side by side, of which the reference keeps only the first"
        problems.add(code, nodes[1].span, f"{message}; wrap them in (And ...)")
    return [expr for expr in found if expr is not None]


def _expression(form: Form, where: Block, problems: Problems, *, ordered: bool) -> Expr | None:
    """Return what ``form`` says; ``ordered`` is whether ``Then`` may stand here."""
    connective = CONNECTIVES.get(form.head)
    if connective is None:
        return _atom(form, where, problems)
    span = head_span(form)
    if where == "init":
        problems.add("misplaced-predicate", span, f"{connective} in :init; list its predicates one by one")
        return None
    if connective == "Then" and (where != "goal" or not ordered):
        problems.add("misplaced-predicate", span, "Then may stand in :goal, alone or inside And or Then; move it there")
        return None
    if connective in _MEMORY and where != "goal":
        problems.add("misplaced-predicate", span, f"{connective} remembers and may stand in :goal only; move it there")
        return None
    nested = ordered and connective in ("And", "Then")
    nodes = arguments(form)
    found = [_expression(item, where, problems, ordered=nested) for item in forms(nodes, _EXPECTED, problems)]
    items = tuple(item for item in found if item is not None)
    if not nodes:
        problems.add("empty-expression", span, f"{connective} of nothing; add a predicate or remove it")
    if not items:
        return None
    if connective in ("Not", "Once"):
        if len(nodes) > 1:
            message = f"{connective} takes one expression, found {len(nodes)}; wrap them in And or Or"
            problems.add("wrong-arity", span, message)
        return Not(items[0], span) if connective == "Not" else Once(items[0], span)
    if connective == "OnceAfter":
        if len(nodes) != 2:
            message = f"OnceAfter takes two expressions, found {len(nodes)}; write (OnceAfter WHAT WHILE)"
            problems.add("wrong-arity", span, message)
        return OnceAfter(items[0], items[1], span) if len(items) == 2 else None
    if connective == "Then" and len(nodes) == 1:
        problems.add("then-alone", span, "Then with one goal orders nothing; add the next goal or remove Then")
    if connective == "Then":
        return Then(items, span)
    if connective == "Seq":
        return Seq(items, span)
    return And(items, span) if connective == "And" else Or(items, span)


def _atom(form: Form, where: Block, problems: Problems) -> Atom | None:
    span = head_span(form)
    predicate = find_predicate(form.head)
    if predicate is None:
        hint = problems.suggest(form.head, (*PREDICATES, *CONNECTIVES.values()), "the reference page lists them")
        written = form.items[0]
        problems.add("unknown-predicate", span, f"unknown predicate {describe(written)}; {hint}")
        return None
    if where not in predicate.blocks:
        allowed = ", ".join(p.name for p in PREDICATES.values() if where in p.blocks)
        problems.add("misplaced-predicate", span, f"{predicate.name} is not allowed in :{where}; use one of {allowed}")
        return None
    nodes = arguments(form)
    signature = next((s for s in predicate.signatures if len(s) == len(nodes)), None)
    if signature is None:
        problems.add("wrong-arity", span, f"{len(nodes)} arguments for {predicate.name}; write {_usage(predicate)}")
        return None
    args = [_argument(node, kind, predicate, problems) for node, kind in zip(nodes, signature, strict=True)]
    read = tuple(arg for arg in args if arg is not None)
    if len(read) != len(nodes):
        return None
    return Atom(predicate.name, read, span, tuple(node.span for node in nodes))


def _usage(predicate: Predicate) -> str:
    return " or ".join(f"({' '.join((predicate.name, *signature))})" for signature in predicate.signatures)


def _argument(node: Node, kind: ArgumentKind, predicate: Predicate, problems: Problems) -> Argument | None:
    if kind in ("number", "signed"):
        value = number(node, problems)
        if kind == "signed":
            return value
        if value is not None and value < 0.0:
            problems.add("value-range", node.span, f"{predicate.name} with a threshold of {value:g}; write at least 0")
        return value
    if kind == "parts":
        return _parts(node, predicate, problems)
    if kind == "names":
        return _names(node, predicate, problems)
    if isinstance(node, Form):
        problems.add(
            "wrong-argument", node.span, f"a list where {predicate.name} needs a name; write {_usage(predicate)}"
        )
        return None
    if kind == "axis" and node.folded not in AXES:
        hint = problems.suggest(node.folded, AXES, f"write one of {', '.join(AXES)}")
        problems.add("unknown-value", node.span, f"unknown direction {describe(node)}; {hint}")
        return None
    return node.folded


def _names(node: Node, predicate: Predicate, problems: Problems) -> PartIds | None:
    if isinstance(node, Word):
        problems.add("wrong-argument", node.span, f"names stand in parentheses; write ({node.text[:40]})")
        return None
    if any(isinstance(item, Form) for item in node.items):
        problems.add("wrong-argument", node.span, f"a list inside a list of {predicate.name}; write (apple_1 pear_1)")
        return None
    if not node.items and predicate.name != "Consistent":
        problems.add("empty-expression", node.span, f"{predicate.name} with no names; name at least one")
        return None
    return tuple(item.folded for item in node.items if isinstance(item, Word))


def _parts(node: Node, predicate: Predicate, problems: Problems) -> PartIds | None:
    if isinstance(node, Word):
        problems.add("wrong-argument", node.span, f"parts stand in parentheses; write ({node.text[:40]})")
        return None
    if not node.items:
        problems.add("empty-expression", node.span, f"{predicate.name} with no parts; name at least one")
        return None
    found: list[int | str] = []
    for item in node.items:
        if isinstance(item, Form):
            problems.add("wrong-argument", item.span, "a list inside a list of parts; write (blade) or (2 3)")
            return None
        plain = item.text.isascii() and item.text.isdigit() and len(item.text) < 10
        found.append(int(item.text) if plain else item.folded)
        if plain and len(found) == 1:
            message = (
                f"parts of {predicate.name} are geom numbers, which no document explains; name them, as in (blade)"
            )
            problems.add("part-number", item.span, message)
    return tuple(found)


# :subgoals, :plan, :intent and :looks: what the knowledge suites add to a task.

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
