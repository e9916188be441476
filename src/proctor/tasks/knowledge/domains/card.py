"""Playing cards in a holder: by name, by place, by rank, by play; the best five of seven."""

from __future__ import annotations

from dataclasses import replace

from .._answer import one_of, prove_in
from .._bank import by_bank, said
from .._deal import Deal
from .._draft import Draft
from .._draw import recipe
from .._errors import RejectedError
from .._file import BenchFile
from .._lineup import Lineup, on_track
from .._scene import Piece, SceneText
from .._steps import chain
from .._tasks import BenchTask, Subgoal
from .._template import Bindings
from .._words import ordinal
from ..facts import Question, table
from ..scenes import CARDS_X, RACK_X, card_row, cards_in, holder

BACKS = ("hearts", "diamonds", "clubs", "spades")


def _deck(split: str) -> list[tuple[str, str]]:
    deck = table("cards")["deck"]
    suits = list(deck["suits"])
    cards = [(rank, suit) for rank in deck["ranks_low_to_high"] for suit in suits]
    if split == "all":
        return cards
    parity = 0 if split == "seen" else 1
    return [(r, s) for r, s in cards if (deck["values"][r] + suits.index(s)) % 2 == parity]


def _pieces(cards: list[tuple[str, str]], seeds: list[int]) -> tuple[Piece, ...]:
    pairs = enumerate(zip(cards, seeds, strict=True))
    return tuple(Piece(f"card_{i + 1}", "card", seed, {"rank": r, "suit": s}) for i, ((r, s), seed) in pairs)


def _lineup(deal: Deal, counts: tuple[int, ...] = (4,)) -> Lineup:
    """Deal cards of different ranks; the target by turn over its side of the deck, its slot by turn."""
    deck = _deck(deal.split)
    count = deal.turn("count", counts)
    target = deal.turn("target", deck)
    place = deal.wheel(f"slot of {count}", count, every=len(counts))
    chosen: list[tuple[str, str]] = []
    for card in deal.shuffled(deck):
        if card[0] != target[0] and card[0] not in {rank for rank, _ in chosen} and len(chosen) < count - 1:
            chosen.append(card)
    chosen.insert(place, target)
    return Lineup(_pieces(chosen, [deal.instance()] * count), place)


def _partner(lineup: Lineup) -> Lineup:
    """Return the cards of the next suit: of the other parity, with the same ranks."""
    suits = list(table("cards")["deck"]["suits"])
    cards = [(p.looks["rank"], suits[(suits.index(p.looks["suit"]) + 1) % 4]) for p in lineup.pieces]
    return Lineup(_pieces(cards, [piece.seed ^ 1 for piece in lineup.pieces]), lineup.target)


ASKERS = {
    "select_poker": by_bank("P10"),
    "select_nth_largest_poker": by_bank("P36"),
    "select_poker_semantic": by_bank("P48", any_answer=True),
}


@recipe(*ASKERS)
def card(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P10, P36, P48: four cards of different ranks (in the rank question also five)."""
    counts = (4, 5) if task.slug == "select_nth_largest_poker" and request.track is None else (4,)
    lineup, asked = on_track(deal, request, ASKERS, lambda d, _: _lineup(d, counts), _partner)
    scene, _, names = card_row(deal, lineup.pieces)
    return one_of(scene, names, asked, lambda t: {"$t": t})


@recipe("select_poker_spatial")
def card_by_place(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """P23: four or five cards, asked by their order."""
    lineup = _lineup(deal, (4, 5))
    scene, _, names = card_row(deal, lineup.pieces)
    side = deal.turn("side", ("left", "right"))
    number = lineup.target + 1 if side == "left" else len(names) - lineup.target
    question = Question("nth_place", {"category": "card", "n": number, "side": side})
    asked = said(deal, "P23", question, lineup.items)
    return replace(one_of(scene, names, asked, lambda t: {"$t": t}), target=f"{ordinal(number)} from the {side}")


@recipe("texas_holdem", "texas_holdem_explore")
def holdem(deal: Deal, task: BenchTask, request: BenchFile) -> Draft:
    """C22, C23: seven cards in a holder, an empty rack for the best five; in C23 one card shows its back."""
    cards = deal.sample(_deck("all"), 7)
    pieces = _pieces(cards, [deal.instance()] * 7)
    geometry = deal.of("scene")
    scene = SceneText()
    rack = holder(scene, geometry, 5, RACK_X, name="rack")
    source = holder(scene, geometry, 7, CARDS_X)
    hidden = [deal.wheel("hidden", 7)] if task.slug.endswith("explore") else []
    names = cards_in(scene, source, pieces, CARDS_X, hidden)
    question = Question("best_five")
    proof = prove_in(scene, question, names)
    best = sorted(proof.names, key=names.index)
    steps = chain(
        [(name, f"{rack}/slot{i + 1}") for i, name in enumerate(best)], put="insert", done=f"(Placed {{}} {rack})"
    )
    goal = f"(OnlyIn {rack} (best5))"
    if hidden:
        away = names[hidden[0]]
        steps = [
            Subgoal("fl", f"(Once (FacedCamera {away}))", (), (f"(flip {away})",), 1.0),
            *(replace(node, after=(*node.after, "fl")) if not node.after else node for node in steps),
        ]
        goal = f"(And (Once (FacedCamera {away})) {goal})"
    wrong = [f"(In {name} {rack})" for name in names if name not in best]
    bindings: Bindings = {"best5": tuple(best), "hidden": tuple(names[i] for i in hidden), "rack": rack}
    if len(best) != 5:
        raise RejectedError("not five cards")
    text = said(deal, task.id, question, scene.items(names)).text
    return Draft(
        scene, text, bindings, proof, _category(proof.names, pieces), wrong, goal, steps,
        (*(["hidden"] if hidden else []), "best5", "rack"),
    )  # fmt: skip


def _category(names: tuple[str, ...], pieces: tuple[Piece, ...]) -> str:
    ranks = sorted(p.looks["rank"] for p in pieces if p.name in names)
    return " ".join(str(ranks.count(rank)) for rank in dict.fromkeys(ranks))
