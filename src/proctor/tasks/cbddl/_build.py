"""From a syntax tree to a ``Task``: reads every block, and goes on after a defect to find the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from proctor.tasks.cbddl._diagnostics import Problems
from proctor.tasks.cbddl._expressions import read_cost, read_faults, read_goal, read_init
from proctor.tasks.cbddl._fills import read_fills
from proctor.tasks.cbddl._model import (
    And,
    Atom,
    Call,
    CameraView,
    Entity,
    Expr,
    Fill,
    ImageSettings,
    LookOf,
    Mover,
    Noise,
    Region,
    Span,
    Subgoal,
    Task,
)
from proctor.tasks.cbddl._motions import read_movers
from proctor.tasks.cbddl._regions import read_regions
from proctor.tasks.cbddl._sexp import BLOCKS, Document, Form, Node, Word
from proctor.tasks.cbddl._shape import arguments, describe, forms, head_span, words
from proctor.tasks.cbddl._steps import read_looks, read_plan, read_subgoals
from proctor.tasks.cbddl._vision import read_cameras, read_image_settings, read_noise, read_random_color

MANDATORY = ("problem", ":domain", ":language", ":regions", ":fixtures", ":objects", ":init", ":goal")
IGNORED = (":requirements", ":scene_properties")
SINGLE = ("problem", ":domain", ":language", ":image_settings", ":noise", ":random_color")


class Builder:
    """Fills a task block by block."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.spans: dict[str, Span] = {}
        self.problem = self.domain = self.language = ""
        self.regions: list[Region] = []
        self.fixtures: list[Entity] = []
        self.objects: list[Entity] = []
        self.categories: dict[str, int] = {}
        self.interest: list[str] = []
        self.init: list[Atom] = []
        self.goal: list[Expr] = []
        self.cost: list[tuple[Expr, ...]] = []
        self.movers: list[Mover] = []
        self.fills: list[Fill] = []
        self.looks: list[LookOf] = []
        self.subgoals: list[Subgoal] = []
        self.plan: list[Call] = []
        self.intent: list[str] = []
        self.faults: list[Expr] = []
        self.image_settings: ImageSettings | None = None
        self.noise: Noise | None = None
        self.cameras: list[CameraView] = []
        self.random_color = False
        self.readers: dict[str, Callable[[Form], None]] = {
            "problem": self._problem,
            ":domain": self._domain,
            ":language": self._language,
            ":regions": lambda form: self.regions.extend(read_regions(form, problems)),
            ":fixtures": lambda form: self.fixtures.extend(self._typed_list(form, "fixture")),
            ":objects": lambda form: self.objects.extend(self._typed_list(form, "object")),
            ":obj_of_interest": self._interest,
            ":init": lambda form: self.init.extend(read_init(form, problems)),
            ":goal": lambda form: self.goal.extend(read_goal(form, problems)),
            ":cost": lambda form: self.cost.extend(read_cost(form, problems)),
            ":moving_objects": lambda form: self.movers.extend(read_movers(form, problems)),
            ":fill": lambda form: self.fills.extend(read_fills(form, problems)),
            ":looks": lambda form: self.looks.extend(read_looks(form, problems)),
            ":subgoals": lambda form: self.subgoals.extend(read_subgoals(form, problems)),
            ":plan": lambda form: self.plan.extend(read_plan(form, problems)),
            ":intent": self._intent,
            ":faults": lambda form: self.faults.extend(read_faults(form, problems)),
            ":image_settings": self._image_settings,
            ":noise": self._noise,
            ":camera": lambda form: self.cameras.extend(read_cameras(form, problems)),
            ":random_color": self._random_color,
        }

    def build(self, document: Document, text_hash: str) -> Task:
        """Return the task; it is complete only if ``problems`` has nothing fatal."""
        balanced = not self.problems.fatal
        start = document.nodes[0].span if document.nodes else Span(self.problems.file, 1, 1)
        for form in self._blocks(document):
            self._block(form)
        if balanced and self.spans:
            for name in MANDATORY:
                if name not in self.spans:
                    self.problems.add("missing-block", start, f"there is no ({name} ...) block; add one")
        goal = self.goal[0] if len(self.goal) == 1 else And(tuple(self.goal), self.spans.get(":goal", start))
        return Task(
            problem=self.problem,
            domain=self.domain,
            language=self.language,
            regions=tuple(self.regions),
            fixtures=tuple(self.fixtures),
            objects=tuple(self.objects),
            obj_of_interest=tuple(self.interest),
            init=tuple(self.init),
            goal=goal,
            cost=tuple(term for terms in self.cost for term in terms),
            movers=tuple(self.movers),
            fills=tuple(self.fills),
            looks=tuple(self.looks),
            subgoals=tuple(self.subgoals),
            plan=tuple(self.plan),
            intent=tuple(self.intent),
            faults=tuple(self.faults),
            image_settings=self.image_settings,
            noise=self.noise,
            cameras=tuple(self.cameras),
            random_color=self.random_color,
            file=self.problems.file,
            text_hash=text_hash,
            spans=self.spans,
            first_goal=self.goal[0] if self.goal else goal,
            first_cost=self.cost[0] if self.cost else (),
        )

    def _blocks(self, document: Document) -> list[Form]:
        """Return the blocks of the definition, also those that a superfluous parenthesis left outside."""
        if not document.nodes:
            return []
        first, *rest = document.nodes
        if not isinstance(first, Form) or first.head != "define":
            where = first.span if isinstance(first, Word) else head_span(first)
            message = "a task file starts with (define (problem NAME) ...); add it around the blocks"
            self.problems.add("syntax-define", where, message)
            return [form for form in document.nodes if isinstance(form, Form) and form.head in BLOCKS]
        nodes: list[Node] = arguments(first)
        stray = [node for node in rest if isinstance(node, Form) and node.head in BLOCKS]
        if rest:
            where, what = rest[0].span, describe(rest[0])
            self.problems.add("syntax-trailing", where, f"{what} after the end of define; is a ')' too early?")
        return list(forms([*nodes, *stray], "a block such as (:goal ...)", self.problems))

    def _block(self, form: Form) -> None:
        name = form.head
        span = head_span(form)
        if name in IGNORED:
            self.problems.add("ignored-block", span, f"{name} has no effect; remove it")
            return
        if name not in self.readers:
            hint = self.problems.suggest(name, ("problem", *BLOCKS), f"known are problem, {', '.join(BLOCKS)}")
            self.problems.add("unknown-block", span, f"unknown block {describe(form.items[0])}; {hint}")
            return
        if name in self.spans:
            fate = "only the first is used, remove one" if name in SINGLE else "they are read as one, merge them"
            line = self.spans[name].line
            self.problems.add("duplicate-block", span, f"second {name} block (the first is in line {line}); {fate}")
            if name in SINGLE:
                return
        else:
            self.spans[name] = span
        self.readers[name](form)

    def _one_word(self, form: Form) -> str:
        found = words(arguments(form), "a name", self.problems)
        if len(form.items) != 2:
            message = f"{form.head} takes one name, found {len(form.items) - 1}; write ({form.head} NAME)"
            self.problems.add("syntax-shape", form.span, message)
        return found[0].text if found else ""

    def _problem(self, form: Form) -> None:
        self.problem = self._one_word(form)

    def _domain(self, form: Form) -> None:
        self.domain = self._one_word(form)

    def _language(self, form: Form) -> None:
        found = words(arguments(form), "the instruction", self.problems)
        self.language = " ".join(word.text for word in found)
        for index, word in enumerate(found):
            self.spans[f"language:{index}"] = word.span
        if not form.items[1:]:
            self.problems.add(
                "empty-expression", head_span(form), "the instruction is empty; write what the robot must do"
            )

    def _interest(self, form: Form) -> None:
        for word in words(arguments(form), "a name", self.problems):
            if f"interest:{word.folded}" in self.spans:
                self.problems.add("duplicate-interest", word.span, f"{describe(word)} is listed twice; remove one")
                continue
            self.interest.append(word.folded)
            self.spans[f"interest:{word.folded}"] = word.span

    def _intent(self, form: Form) -> None:
        for word in words(arguments(form), "a name", self.problems):
            self.intent.append(word.folded)
            self.spans[f"intent:{word.folded}"] = word.span

    def _image_settings(self, form: Form) -> None:
        self.image_settings = read_image_settings(form, self.problems)

    def _noise(self, form: Form) -> None:
        self.noise = read_noise(form, self.problems)

    def _random_color(self, form: Form) -> None:
        self.random_color = read_random_color(form, self.problems)

    def _typed_list(self, form: Form, kind: Literal["fixture", "object"]) -> list[Entity]:
        """Return the entities of ``name ... - category name ... - category``."""
        found: list[Entity] = []
        names: list[Word] = []
        listed = iter(words(arguments(form), f"a {kind}", self.problems))
        usage = "write name - category"
        for word in listed:
            if word.text != "-":
                names.append(word)
                continue
            category = next(listed, None)
            if category is None or category.text == "-":
                self.problems.add("syntax-typed-list", word.span, f"no category after '-'; {usage}")
                continue
            if not names:
                self.problems.add("syntax-typed-list", word.span, f"no name before '- {category.text[:40]}'; {usage}")
            if category.folded in self.categories:
                where = self.categories[category.folded]
                message = f"{describe(category)} was already listed in line {where}, which the reference then forgets"
                self.problems.add("split-category", category.span, f"{message}; list it once")
            self.categories.setdefault(category.folded, category.span.line)
            found.extend(Entity(n.folded, category.folded, kind, n.span, category.span) for n in names)
            names = []
        for word in names:
            self.problems.add("syntax-typed-list", word.span, f"{kind} {describe(word)} has no category; {usage}")
        return found
