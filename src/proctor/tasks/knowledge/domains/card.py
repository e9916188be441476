"""Playing cards in a holder: by name, by place, by rank, by play; the best five of seven."""

from __future__ import annotations

from dataclasses import replace

from .._candidates import Candidates, by_bank, on_track, said
from .._draw import recipe
from .._errors import RejectedError
from .._parts import EpisodeParts, chain, one_of, prove_in
from .._sampler import Sampler
from .._scene import ScenePiece, SceneText
from .._tasks import KnowledgeSubgoal
from .._template import Bindings
from ..facts import ORDINALS, Question, table
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


def _pieces(cards: list[tuple[str, str]], seeds: list[int]) -> tuple[ScenePiece, ...]:
    pairs = enumerate(zip(cards, seeds, strict=True))
    return tuple(ScenePiece(f"card_{i + 1}", "card", seed, {"rank": r, "suit": s}) for i, ((r, s), seed) in pairs)


def _candidates(sampler: Sampler, counts: tuple[int, ...] = (4,)) -> Candidates:
    """Draw cards of different ranks; the target by turn over its side of the deck, its slot by turn."""
    deck = _deck(sampler.split)
    count = sampler.turn("count", counts)
    target = sampler.turn("target", deck)
    place = sampler.cycle(f"slot of {count}", count, every=len(counts))
    chosen: list[tuple[str, str]] = []
    for card in sampler.shuffled(deck):
        if card[0] != target[0] and card[0] not in {rank for rank, _ in chosen} and len(chosen) < count - 1:
            chosen.append(card)
    chosen.insert(place, target)
    return Candidates(_pieces(chosen, [sampler.instance()] * count), place)


def _partner(candidates: Candidates) -> Candidates:
    """Return the cards of the next suit: of the other parity, with the same ranks."""
    suits = list(table("cards")["deck"]["suits"])
    cards = [(p.looks["rank"], suits[(suits.index(p.looks["suit"]) + 1) % 4]) for p in candidates.pieces]
    return Candidates(_pieces(cards, [piece.seed ^ 1 for piece in candidates.pieces]), candidates.target)


QUESTIONS = {
    "select_poker": by_bank("P10"),
    "select_nth_largest_poker": by_bank("P36"),
    "select_poker_semantic": by_bank("P48", any_answer=True),
}


@recipe(*QUESTIONS)
def card(sampler: Sampler) -> EpisodeParts:
    """P10, P36, P48: four cards of different ranks (in the rank question also five)."""
    counts = (4, 5) if sampler.task.slug == "select_nth_largest_poker" and sampler.request.track is None else (4,)
    candidates, asked = on_track(sampler, QUESTIONS, lambda d, _: _candidates(d, counts), _partner)
    scene, _, names = card_row(sampler, candidates.pieces)
    return one_of(scene, names, asked, lambda t: {"$t": t})


@recipe("select_poker_spatial")
def card_by_place(sampler: Sampler) -> EpisodeParts:
    """P23: four or five cards, asked by their order."""
    candidates = _candidates(sampler, (4, 5))
    scene, _, names = card_row(sampler, candidates.pieces)
    side = sampler.turn("side", ("left", "right"))
    number = candidates.target + 1 if side == "left" else len(names) - candidates.target
    question = Question("nth_place", {"category": "card", "n": number, "side": side})
    asked = said(sampler, "P23", question, candidates.items)
    return replace(one_of(scene, names, asked, lambda t: {"$t": t}), target=f"{ORDINALS[number - 1]} from the {side}")


@recipe("texas_holdem", "texas_holdem_explore")
def holdem(sampler: Sampler) -> EpisodeParts:
    """C22, C23: seven cards in a holder, an empty rack for the best five; in C23 one card shows its back."""
    cards = sampler.sample(_deck("all"), 7)
    pieces = _pieces(cards, [sampler.instance()] * 7)
    geometry = sampler.of("scene")
    scene = SceneText()
    rack = holder(scene, geometry, 5, RACK_X, name="rack")
    source = holder(scene, geometry, 7, CARDS_X)
    hidden = [sampler.cycle("hidden", 7)] if sampler.task.slug.endswith("explore") else []
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
            KnowledgeSubgoal("fl", f"(Once (FacedCamera {away}))", (), (f"(flip {away})",), 1.0),
            *(replace(node, after=(*node.after, "fl")) if not node.after else node for node in steps),
        ]
        goal = f"(And (Once (FacedCamera {away})) {goal})"
    wrong = [f"(In {name} {rack})" for name in names if name not in best]
    bindings: Bindings = {"best5": tuple(best), "hidden": tuple(names[i] for i in hidden), "rack": rack}
    if len(best) != 5:
        raise RejectedError("not five cards")
    text = said(sampler, sampler.task.id, question, scene.items(names)).text
    return EpisodeParts(
        scene, text, bindings, proof, _category(proof.names, pieces), wrong, goal, steps,
        (*(["hidden"] if hidden else []), "best5", "rack"),
    )  # fmt: skip


def _category(names: tuple[str, ...], pieces: tuple[ScenePiece, ...]) -> str:
    ranks = sorted(p.looks["rank"] for p in pieces if p.name in names)
    return " ".join(str(ranks.count(rank)) for rank in dict.fromkeys(ranks))
