"""From a syntax tree to a ``Task``: every block (regions, fills, cameras, ...), going on after a defect to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from proctor.tasks.cbddl._diagnostics import Problems
from proctor.tasks.cbddl._expressions import (
    read_cost,
    read_faults,
    read_goal,
    read_init,
    read_looks,
    read_plan,
    read_subgoals,
)
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
    Rect,
    Region,
    Span,
    Subgoal,
    Task,
)
from proctor.tasks.cbddl._motions import read_movers
from proctor.tasks.cbddl._sexp import (
    BLOCKS,
    Document,
    Form,
    Node,
    Word,
    arguments,
    boolean,
    describe,
    forms,
    head_span,
    number,
    parse_angle,
    parse_number,
    single,
    vector,
    vector3,
    words,
)

# :regions: places on the table, and sites of fixtures and objects.

ATTRIBUTES = (":target", ":ranges", ":yaw_rotation", ":rgba")


def read_regions(block: Form, problems: Problems) -> list[Region]:
    """Return the regions of a ``:regions`` block; those without a target are left out."""
    found = (_region(form, problems) for form in forms(arguments(block), "a region (name (:target ...))", problems))
    return [region for region in found if region is not None]


def _region(form: Form, problems: Problems) -> Region | None:
    target: Word | None = None
    ranges: list[Rect] = []
    yaw: tuple[float, float] | None = None
    yaw_span: Span | None = None
    rgba: tuple[float, ...] | None = None
    seen: set[str] = set()
    for attribute in forms(arguments(form), "an attribute such as (:target main_table)", problems):
        key = attribute.head
        if key in seen:
            problems.add("duplicate-block", head_span(attribute), f"{key} is given twice; the first one is used")
            continue
        seen.add(key)
        if key == ":target":
            target = _target(attribute, problems)
        elif key == ":ranges":
            ranges = _ranges(attribute, problems)
        elif key == ":yaw_rotation":
            yaw, yaw_span = _yaw(attribute, problems), head_span(attribute)
        elif key == ":rgba":
            node = single(attribute, problems)
            rgba = vector(node, 4, "(0 0 1 0.5)", problems) if node is not None else None
        else:
            hint = problems.suggest(key, ATTRIBUTES, f"known are {', '.join(ATTRIBUTES)}")
            problems.add("unknown-attribute", head_span(attribute), f"unknown region attribute {key!r}; {hint}")
    name = form.head
    if target is None:
        if ":target" not in seen:
            problems.add(
                "missing-attribute", head_span(form), f"region {name!r} has no target; add (:target main_table)"
            )
        return None
    colour = None if rgba is None else (rgba[0], rgba[1], rgba[2], rgba[3])
    entity, _, site = target.folded.partition("/")
    return Region(name, entity, tuple(ranges), yaw, colour, head_span(form), target.span, yaw_span, site)


def _target(attribute: Form, problems: Problems) -> Word | None:
    node = single(attribute, problems)
    if isinstance(node, Form):
        problems.add("syntax-shape", node.span, "the target is one name; write (:target main_table)")
        return None
    return node


def _rows(attribute: Form, example: str, problems: Problems) -> list[Node]:
    node = single(attribute, problems)
    if node is None:
        return []
    if isinstance(node, Word) or not node.items or isinstance(node.items[0], Word):
        problems.add("syntax-shape", node.span, f"{attribute.head} is a list of lists; write {example}")
        return []
    return node.items


def _ranges(attribute: Form, problems: Problems) -> list[Rect]:
    found = []
    for row in _rows(attribute, "(:ranges ((x_min y_min x_max y_max)))", problems):
        values = vector(row, 4, "(x_min y_min x_max y_max)", problems)
        if values is None:
            continue
        rect = Rect(values[0], values[1], values[2], values[3], row.span)
        if rect.x_min > rect.x_max or rect.y_min > rect.y_max:
            axis = "x" if rect.x_min > rect.x_max else "y"
            problems.add("empty-range", row.span, f"{axis} minimum is larger than {axis} maximum; swap them")
        found.append(rect)
    return found


def _yaw(attribute: Form, problems: Problems) -> tuple[float, float] | None:
    rows = _rows(attribute, "(:yaw_rotation ((low high)))", problems)
    if not rows:
        return None
    row = rows[0]
    if len(rows) > 1 or isinstance(row, Word) or len(row.items) != 2:
        problems.add("syntax-shape", row.span, "yaw is one interval; write (:yaw_rotation ((low high))) in radians")
        return None
    ends = [_angle(item, problems) for item in row.items]
    low, high = ends
    if low is None or high is None:
        return None
    if low > high:
        problems.add("empty-yaw", row.span, "yaw minimum is larger than its maximum; swap them")
    return low, high


def _angle(node: Node, problems: Problems) -> float | None:
    value = parse_angle(node.text) if isinstance(node, Word) else None
    if value is None:
        problems.add(
            "syntax-angle", node.span, f"expected an angle, found {describe(node)}; write it like 1.57 or -pi/2"
        )
    return value


# :fill: which vessels hold water at the start, and how much.

MAX_PARTICLES = 200
USAGE = "write (NAME half), (NAME full) or (NAME 12)"


def read_fills(block: Form, problems: Problems) -> Iterator[Fill]:
    """Yield the fills of ``(vessel half) (vessel full) (vessel 12)``."""
    for form in forms(arguments(block), "a vessel such as (mug_1 half)", problems):
        name = form.items[0]
        assert isinstance(name, Word)
        if len(form.items) != 2 or not isinstance(form.items[1], Word):
            problems.add("syntax-shape", form.span, f"a vessel takes one amount; {USAGE}")
            continue
        amount = _amount(form.items[1], problems)
        if amount is not None:
            yield Fill(name.folded, amount, name.span)


def _amount(word: Word, problems: Problems) -> Literal["half", "full"] | int | None:
    if word.folded == "half":
        return "half"
    if word.folded == "full":
        return "full"
    value = parse_number(word.text)
    if value is None:
        hint = problems.suggest(word.folded, ("half", "full"), USAGE)
        problems.add("unknown-value", word.span, f"unknown amount {describe(word)}; {hint}")
        return None
    if value != int(value) or not 1 <= value <= MAX_PARTICLES:
        problems.add("value-range", word.span, f"{value:g} particles; write a whole number from 1 to {MAX_PARTICLES}")
        return None
    return int(value)


# :image_settings, :noise, :camera and :random_color: what is done to the pictures that a policy sees.

SETTINGS = {"brightness": (-1.0, 1.0), "saturation": (-1.0, 1.0), "contrast": (-1.0, 1.0), "temperature": (1e3, 4e4)}


def read_image_settings(block: Form, problems: Problems) -> ImageSettings:
    """Return the settings; ``brightness 0.4 temperature 5000`` and the like."""
    items = words(arguments(block), "a setting", problems)
    values: dict[str, float] = {}
    for key, value in zip(items[::2], items[1::2], strict=False):
        if key.folded not in SETTINGS:
            hint = problems.suggest(key.folded, SETTINGS, f"known are {', '.join(SETTINGS)}")
            problems.add("unknown-attribute", key.span, f"unknown image setting {describe(key)}; {hint}")
            continue
        amount = number(value, problems)
        if amount is None:
            continue
        low, high = SETTINGS[key.folded]
        if not low <= amount <= high:
            problems.add(
                "value-range", value.span, f"{key.folded} {amount:g} is out of range; write {low:g} to {high:g}"
            )
        values[key.folded] = amount
    if len(items) % 2:
        problems.add("syntax-shape", items[-1].span, f"setting {describe(items[-1])} has no value; add a number")
    temperature_k = values.pop("temperature", ImageSettings().temperature_k)
    return ImageSettings(**values, temperature_k=temperature_k)


def read_noise(block: Form, problems: Problems) -> Noise | None:
    """Return ``gaussian MEAN VARIANCE`` or ``salt_pepper PROBABILITY``."""
    items = words(arguments(block), "a noise model", problems)
    usage = "write (:noise gaussian 0 0.05) or (:noise salt_pepper 0.02)"
    if not items:
        problems.add("syntax-shape", block.span, f"no noise model; {usage}")
        return None
    kind = items[0].folded
    if kind not in ("gaussian", "salt_pepper"):
        hint = problems.suggest(kind, ("gaussian", "salt_pepper"), usage)
        problems.add("unknown-value", items[0].span, f"unknown noise {describe(items[0])}; {hint}")
        return None
    values = [number(item, problems) for item in items[1:]]
    finite = tuple(value for value in values if value is not None)
    if len(values) != (2 if kind == "gaussian" else 1):
        problems.add("syntax-shape", items[0].span, f"wrong number of values; {usage}")
        return None
    if len(finite) != len(values):
        return None
    if finite[-1] < 0.0 or (kind == "salt_pepper" and finite[0] > 1.0):
        limits = "a variance of at least 0" if kind == "gaussian" else "a probability between 0 and 1"
        problems.add("value-range", items[-1].span, f"{finite[-1]:g} is out of range; write {limits}")
    return Noise("gaussian" if kind == "gaussian" else "salt_pepper", finite)


def read_cameras(block: Form, problems: Problems) -> list[CameraView]:
    """Return the cameras: names, each with an optional shift ``dx dy dz`` or ``(dx dy dz)``."""
    found: list[CameraView] = []
    items = arguments(block)
    position = 0
    while position < len(items):
        name = items[position]
        position += 1
        if isinstance(name, Form) or parse_number(name.text) is not None:
            problems.add("syntax-shape", name.span, f"expected a camera name, found {describe(name)}; write it first")
            continue
        following = items[position : position + 3]
        if following and isinstance(following[0], Form):
            found.append(CameraView(name.folded, vector3(following[0], problems)))
            position += 1
        elif following and isinstance(following[0], Word) and parse_number(following[0].text) is not None:
            found.append(CameraView(name.folded, vector3(Form(following[0].span, following), problems)))
            position += len(following)
        else:
            found.append(CameraView(name.folded))
    return found


def read_random_color(block: Form, problems: Problems) -> bool:
    node = single(block, problems)
    return False if node is None else bool(boolean(node, problems))


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
