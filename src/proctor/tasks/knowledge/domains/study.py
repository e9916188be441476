"""Books in order, and the study table set up and cleared."""

from __future__ import annotations

from .._candidates import ObjectSet, said
from .._draw import recipe
from .._errors import RejectedError
from .._parts import EpisodeParts, chain, one_of, prove_in
from .._sampler import Sampler
from .._tasks import KnowledgeSubgoal
from ..facts import Question, book, holds, table
from ..scenes import books_before, fixture, on_bookshelf

OBJECTS = ObjectSet.of("books", "book", "title", named=False)
NEEDS = tuple(table("study")["needs"])
SLOTS = 4


@recipe("book_rearrange", "book_rearrange_author")
def in_order(sampler: Sampler) -> EpisodeParts:
    """C10, C11: three books in a rack, an empty shelf."""
    by = "author" if sampler.task.slug.endswith("author") else "year"
    direction = sampler.turn("direction", ("rising", "falling"))
    classics = [title for title in OBJECTS.side(sampler.split) if book(title).get("year")]
    titles = sampler.sample(classics, 3)
    scene, shelf, names = books_before(
        sampler.of("scene"), OBJECTS.pieces(titles, [sampler.instance() for _ in titles]), 1, SLOTS
    )
    proof = prove_in(scene, Question("book_order", {"by": by, "direction": direction}), names)
    order = proof.names
    steps: list[KnowledgeSubgoal] = chain(
        [(name, f"{shelf}/slot{i + 1}") for i, name in enumerate(order)], put="insert", done=f"(Inserted {{}} {shelf})"
    )
    last = f"(Ordered x_axis ({' '.join(order)}) 0.02)"
    steps.append(KnowledgeSubgoal("ord", last, ("p1", "p2", "p3"), (), 1.0))
    bindings = {"$a": order[0], "$b": order[1], "$c": order[2], "shelf": shelf, "x_axis": "y-"}
    target = " < ".join(titles[names.index(name)] for name in order)
    text = said(sampler, sampler.task.id, proof.question, scene.items(names)).text
    return EpisodeParts(scene, text, bindings, proof, target, subgoals=steps)


@recipe("set_study_table")
def set_up(sampler: Sampler) -> EpisodeParts:
    """C36: the book for the work that is announced, and the laptop open."""
    need = sampler.turn("need", NEEDS)
    question = Question("study", {"need": need})
    subject = table("study")["needs"][need]["book"]
    fitting = [title for title in OBJECTS.side(sampler.split) if book(title)["subject"] == subject]
    count = sampler.turn("count", (3, 4))
    place = sampler.cycle(f"slot of {count}", count, every=2)
    rest = sampler.sample([title for title in OBJECTS.side(sampler.split) if title not in fitting], count - 1)
    titles = [*rest[:place], sampler.choice(fitting), *rest[place:]]
    pieces = OBJECTS.pieces(titles, [sampler.instance() for _ in titles])
    if not holds(question, [piece.item for piece in pieces], pieces[place].name):
        raise RejectedError("another book would do as well")
    scene, shelf, names = on_bookshelf(sampler, [pieces], SLOTS + 1, y=-0.16)
    laptop = fixture(scene, sampler.of("laptop"), "laptop", -0.08, 0.24)
    lid = f"{laptop}/lid"
    return one_of(
        scene,
        names,
        said(sampler, "C36", question, scene.items(names)),
        lambda t: {"$t": t, "shelf": shelf, "laptop": lid, "desk": "main_table"},
        need=need,
    )


@recipe("organize_study_table")
def clear(sampler: Sampler) -> EpisodeParts:
    """C37: two books from the desk into the shelf, the laptop closed."""
    keys = OBJECTS.side(sampler.split)
    first = sampler.turn("target", keys)
    titles = [first, sampler.choice([title for title in keys if title != first])]
    scene, shelf, names = books_before(
        sampler.of("scene"), OBJECTS.pieces(titles, [sampler.instance() for _ in titles]), 1, SLOTS
    )
    laptop = fixture(scene, sampler.of("laptop"), "laptop", -0.22, -0.18)
    scene.open(f"{laptop}/screen")
    proof = prove_in(scene, Question("every", {"category": "book"}), names)
    steps = chain(
        [(name, f"{shelf}/slot{i + 1}") for i, name in enumerate(names)], put="insert", done=f"(Inserted {{}} {shelf})"
    )
    lid = f"{laptop}/lid"
    steps.append(KnowledgeSubgoal("lid", f"(Joint {lid} -0.05 0.15)", (), (f"(close {lid})",), 1.0))
    goal = f"(And (Inserted {names[0]} {shelf}) (Inserted {names[1]} {shelf}) (Joint {lid} -0.05 0.15))"
    text = said(sampler, "C37", proof.question, scene.items(names)).text
    return EpisodeParts(scene, text, {}, proof, first, goal=goal, subgoals=steps, intent=(*names, lid))
