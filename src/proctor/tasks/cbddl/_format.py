"""The canonical layout of a task file.

Works on the syntax tree, so that comments and blocks with defects survive. Two spaces per level; a list stands on one
line if it fits into 100 columns and has no comment inside; predicates and keywords get their canonical spelling, names
become lower case, the instruction keeps its letters.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from proctor.tasks.cbddl._diagnostics import CbddlError, Problems
from proctor.tasks.cbddl._predicates import canonical_head
from proctor.tasks.cbddl._sexp import BLOCKS, Document, Form, Node, Word, read_document

WIDTH = 100
# Blocks that always begin a paragraph; the others are a line where they fit.
_SHORT = (":domain", ":language", ":image_settings", ":noise", ":camera", ":random_color", ":requirements")
_TALL = tuple(block for block in BLOCKS if block not in (*_SHORT, ":scene_properties"))
_EXPRESSIONS = (":init", ":goal", ":cost", ":subgoals", ":faults")


def format_task(text: str, file: str = "<text>") -> str:
    """Return ``text`` in canonical layout; raises ``CbddlError`` if it is not balanced."""
    problems = Problems(file)
    document = read_document(text, problems)
    if problems.fatal:
        raise CbddlError(problems.found)
    return format_document(document)


def text_hash(document: Document) -> str:
    """Return the SHA-256 of the canonical text without comments: layout and comments do not change it."""
    return hashlib.sha256(format_document(document, comments=False).encode()).hexdigest()


def format_document(document: Document, *, comments: bool = True) -> str:
    """Return the canonical text of a syntax tree."""
    layout = _Layout(comments=comments)
    for node in document.nodes:
        layout.top(node)
    layout.comment_lines(document.comments, "")
    return "\n".join(layout.lines) + "\n"


def _comments_in(node: Node) -> Iterator[str]:
    yield from node.before
    if isinstance(node, Form):
        for item in node.items:
            yield from _comments_in(item)
        yield from node.inside
    if node.after is not None:
        yield node.after


class _Layout:
    def __init__(self, *, comments: bool) -> None:
        self.comments = comments
        self.lines: list[str] = []

    def comment_lines(self, comments: list[str], indent: str) -> None:
        if self.comments:
            self.lines.extend(f"{indent}; {comment}" if comment else f"{indent};" for comment in comments)

    def end(self, node: Node, text: str) -> None:
        """Write a line that ends with ``node`` and the comment beside it."""
        if self.comments and node.after is not None:
            text = f"{text} ; {node.after}"
        self.lines.append(text)

    def top(self, node: Node) -> None:
        if isinstance(node, Word) or node.head != "define":
            self.node(node, "", "")
            return
        items = node.items[1:]
        title: list[Node] = [node.items[0]]
        if items and isinstance(items[0], Form) and items[0].head == "problem":
            title.append(items.pop(0))
        hoisted = list(node.before)
        for part in title:
            hoisted.extend(_comments_in(part))
        self.comment_lines(hoisted, "")
        self.lines.append("(" + " ".join(flat(part, "problem") for part in title))
        previous_tall = False
        for index, block in enumerate(items):
            tall = isinstance(block, Form) and block.head in _TALL
            if index and (tall or previous_tall):
                self.lines.append("")
            self.block(block)
            previous_tall = tall
        self.comment_lines(node.inside, "  ")
        self.end(node, ")")

    def block(self, node: Node) -> None:
        head = node.head if isinstance(node, Form) else ""
        if isinstance(node, Word) or head not in BLOCKS:
            self.node(node, "  ", "other")
        elif head == ":language":
            # A comment between the words of the instruction has no place of its own: it moves above the block.
            self.comment_lines(
                [*node.before, *(c for item in node.items for c in _comments_in(item)), *node.inside], "  "
            )
            self.end(node, "  " + flat(node, head))
        elif head in (":fixtures", ":objects"):
            self.typed_list(node)
        else:
            self.node(node, "  ", head)

    def typed_list(self, node: Form) -> None:
        head, *items = node.items
        self.comment_lines(node.before, "  ")
        self.end(head, f"  ({flat(head, '')}")
        line: list[str] = []
        after_dash = False
        for item in items:
            if line and (isinstance(item, Form) or (self.comments and item.before)):
                self.lines.append("    " + " ".join(line))
                line = []
            if isinstance(item, Form):
                self.node(item, "    ", "")
                continue
            self.comment_lines(item.before, "    ")
            if line and len(" ".join([*line, item.folded])) > WIDTH - 4:
                self.lines.append("    " + " ".join(line))
                line = []
            line.append(item.folded)
            ends = after_dash or (self.comments and item.after is not None)
            after_dash = item.text == "-"
            if ends:
                self.end(item, "    " + " ".join(line))
                line = []
        if line:
            self.lines.append("    " + " ".join(line))
        self.comment_lines(node.inside, "    ")
        self.end(node, "  )")

    def node(self, node: Node, indent: str, block: str) -> None:
        self.comment_lines(node.before, indent)
        if isinstance(node, Word):
            self.end(node, indent + flat(node, block))
            return
        tall = len(indent) == 2 and node.head in _TALL
        if not tall and not (self.comments and node.commented) and _fits(node, block, WIDTH - len(indent)) >= 0:
            self.end(node, indent + flat(node, block))
            return
        items = node.items
        if items and isinstance(items[0], Word):
            self.end(items[0], f"{indent}({_spelling(items[0], block, first=True)}")
            items = items[1:]
        else:
            self.lines.append(f"{indent}(")
        for item in items:
            self.node(item, indent + "  ", block)
        self.comment_lines(node.inside, indent + "  ")
        self.end(node, f"{indent})")


def _fits(node: Node, block: str, room: int, *, first: bool = False) -> int:
    """Return how much of ``room`` columns is left after ``node`` on one line; negative as soon as it is too long."""
    if isinstance(node, Word):
        return room - len(_spelling(node, block, first=first))
    room -= 2 + max(0, len(node.items) - 1)
    for index, item in enumerate(node.items):
        if room < 0:
            break
        room = _fits(item, block, room, first=index == 0)
    return room


def flat(node: Node, block: str) -> str:
    """Return ``node`` on one line, without its comments."""
    if isinstance(node, Word):
        return _spelling(node, block, first=False)
    return f"({' '.join(_flat_items(node, block))})"


def _flat_items(node: Form, block: str) -> Iterator[str]:
    for index, item in enumerate(node.items):
        yield _spelling(item, block, first=index == 0) if isinstance(item, Word) else flat(item, block)


def _spelling(word: Word, block: str, *, first: bool) -> str:
    if first and (word.text.startswith(":") or word.folded in ("define", "problem")):
        return word.folded
    # What is printed on a thing keeps its letters, as the instruction does.
    if block in (":language", ":looks", "problem", "other", ":domain"):
        return word.text
    return canonical_head(word.folded) if first and block in _EXPRESSIONS else word.folded
