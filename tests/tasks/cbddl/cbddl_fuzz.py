"""Random and damaged task files, and what must hold for every one of them."""

from __future__ import annotations

import random
from pathlib import Path

from proctor.tasks.cbddl import CODES, PREDICATES, CbddlError, check, fix_task, format_task, parse

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"

FULL = """; a task that uses the whole language
(define (problem Tabletop_Manipulation) ; the scene
  (:domain robosuite)
  (:language Put the Apple on the plate, then close the drawer)
  (:regions
    (a (:target main_table) (:ranges ((-0.2 -0.2 -0.18 -0.18) (0.1 0.1 0.2 0.2))) (:yaw_rotation ((-pi/2 pi/2))))
    (b (:target main_table) (:ranges ((0.18 0.18 0.2 0.2))) (:rgba (0 0 1 0.5)))
    (c (:target main_table) (:ranges ((-0.3 0.2 -0.28 0.22))))
    (d (:target main_table) (:ranges ((0.3 -0.4 0.32 -0.38)))) (e (:target main_table) (:ranges ((0 -0.02 0 0))))
    (f (:target main_table) (:ranges ((0.3 0 0.32 0.02)))) (top_region (:target cabinet_1)) ; a site
  )
  (:fixtures main_table - table cabinet_1 - white_cabinet)
  (:objects apple_1 - apple plate_1 plate_2 - plate knife_1 - knife car_1 ball_1 bird_1 - toy)
  (:moving_objects
    (car_1 (:motion_type linear) (:motion_period 100) (:motion_travel_dist 0.4) (:motion_direction (0 1 0)))
    (ball_1 (:motion_type waypoint) (:motion_waypoints (((0 0 1) (1 0 0)) (0.1 0 1 (0 1 0)) (0 0.1 1 0 1 0)))
      (:motion_dt 0.5) (:motion_loop false))
    (bird_1 (:motion_type parabolic) (:motion_initial_speed 1.5) (:motion_direction (1 0 1))
      (:motion_gravity (0 0 -9.8)))
  )
  (:obj_of_interest apple_1 plate_1)
  (:init
    (On cabinet_1 main_table_c) (On apple_1 main_table_a) (On plate_1 main_table_b) (On plate_2 plate_1)
    (In knife_1 cabinet_1_top_region) (Open cabinet_1_top_region)
    (On car_1 main_table_d) (On ball_1 main_table_e) (On bird_1 main_table_f))
  (:goal (Then (On apple_1 plate_1) (And (Close cabinet_1_top_region) (Or (Not (On apple_1 plate_2)) (Up apple_1)))))
  (:cost (And (InContact apple_1 car_1) (CheckGripperDistPart knife_1 (blade 3) 0.02) (checkforce gripper0 apple_1 8.0)
    (Or (Fall plate_1) (Fall plate_2)) (NotOn plate_2 plate_1)))
  (:image_settings brightness 0.4 temperature 5000)
  (:noise gaussian 0 0.05)
  (:camera agentview 0.1 0 0 sideview)
  (:random_color true)
)
"""

_WORDS = [
    *PREDICATES,
    *[
        "And",
        "Or",
        "Not",
        "Then",
        "define",
        "problem",
        ":domain",
        ":language",
        ":regions",
        ":fixtures",
        ":objects",
        ":obj_of_interest",
        ":init",
        ":goal",
    ],
    *[
        ":cost",
        ":moving_objects",
        ":image_settings",
        ":noise",
        ":camera",
        ":random_color",
        ":requirements",
        ":scene_properties",
    ],
    *[
        ":target",
        ":ranges",
        ":yaw_rotation",
        ":rgba",
        ":motion_type",
        ":motion_period",
        ":motion_waypoints",
        ":motion_direction",
    ],
    *[
        ":motion_loop",
        ":gaol",
        "apple_1",
        "main_table",
        "main_table_a",
        "gripper0",
        "-",
        "table",
        "apple",
        "0.1",
        "-0.2",
        "1e999",
        "nan",
        "pi",
        "-pi/2",
    ],
    *["pi/0", "linear", "waypoint", "true", "false", "gaussian", "then", "all", "drawer", ";", "é"],
    "\n",
    "\u2028",
    "\u200b",
    "\ufeff",
    "\r\n",
    "\t",
]


def seeds() -> list[str]:
    """Return well-formed texts to damage: ours, and the shared task files where they are."""
    return [FULL, *(path.read_text() for path in sorted(SHARED.rglob("*.bddl")))]


def _noise(rng: random.Random) -> str:
    alphabet = rng.choice(
        ["()", "() ;\n", "()abc:01.- \n", "".join(map(chr, range(256))), "()\u2028\u0085\ud800é漢\x00"]
    )
    return "".join(rng.choices(alphabet, k=rng.randrange(200)))


def _soup(rng: random.Random) -> str:
    return " ".join(rng.choice(["(", "(", ")", ")", rng.choice(_WORDS)]) for _ in range(rng.randrange(150)))


def _tokens(text: str) -> list[str]:
    return text.replace("(", " ( ").replace(")", " ) ").split(" ")


def _damage_tokens(rng: random.Random, text: str) -> str:
    tokens = _tokens(text)
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        at = rng.randrange(len(tokens))
        kind = rng.randrange(5)
        if kind == 0:
            del tokens[at : at + rng.randrange(1, 8)]
        elif kind == 1:
            tokens.insert(at, rng.choice(["(", ")", *_WORDS]))
        elif kind == 2:
            tokens[at] = rng.choice(["(", ")", *_WORDS])
        elif kind == 3:
            other = rng.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        else:
            end = at + rng.randrange(1, 30)
            tokens[at:at] = tokens[at:end]
        if not tokens:
            return ""
    return " ".join(tokens)


def _damage_characters(rng: random.Random, text: str) -> str:
    characters = list(text)
    for _ in range(rng.choice([1, 1, 1, 3, 9])):
        at = rng.randrange(len(characters))
        characters[at : at + rng.randrange(3)] = rng.choices("() ;\n:-_01.aZ\x00é\t", k=rng.randrange(3))
        if not characters:
            return ""
    return "".join(characters)


def _nested(rng: random.Random) -> str:
    depth = rng.choice([3, 63, 64, 65, 200, 5000])
    inner = rng.choice(["", "x", "(On apple_1 plate_1)"])
    connective = rng.choice(["", "And ", "Not ", "Then "])
    text = f"({connective}" * depth + inner + ")" * rng.choice([depth, depth - 1, depth + 1, 0])
    return rng.choice([text, FULL.replace("(Up apple_1)", text), f"(define (problem X) (:goal {text}))"])


def random_input(rng: random.Random, texts: list[str]) -> str:
    """Return one input: noise, word soup, deep nesting, or a damaged task."""
    kind = rng.random()
    if kind < 0.15:
        return _noise(rng)
    if kind < 0.3:
        return _soup(rng)
    if kind < 0.33:
        return _nested(rng)
    text = rng.choice(texts)
    return _damage_tokens(rng, text) if kind < 0.75 else _damage_characters(rng, text)


def _refusal(text: str) -> str:
    """Return what ``parse`` says about a text that it refuses, or nothing."""
    try:
        parse(text)
    except CbddlError as error:
        return str(error) if str(error).isprintable() else ""
    return ""


def examine(text: str) -> bool:
    """Check what must hold for any input; return whether it was a task.

    Only diagnostics come out, each at a place that exists; ``parse`` agrees with ``check``; the formatter is idempotent
    and keeps the meaning.
    """
    task, found = check(text, "pick_up_the_apple.cbddl")
    lines = text.removeprefix("\ufeff").split("\n")
    for diagnostic in found:
        assert diagnostic.code in CODES
        assert diagnostic.message.isprintable(), diagnostic.message
        assert 1 <= diagnostic.line <= len(lines), diagnostic
        assert 1 <= diagnostic.column <= len(lines[diagnostic.line - 1]) + 1, diagnostic
    assert (task is None) == any(diagnostic.fatal for diagnostic in found)
    if task is None:
        assert _refusal(text)
        return False
    formatted = format_task(text)
    assert format_task(formatted) == formatted
    again = parse(formatted, task.file)
    assert again.text_hash == task.text_hash == parse(text, task.file).text_hash
    repaired = fix_task(text)
    assert fix_task(repaired) == repaired
    return True
