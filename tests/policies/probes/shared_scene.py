"""A suite of three tasks that share one scene: what a policy does there depends on what it understood."""

from __future__ import annotations

from pathlib import Path

SCENE = """(define (problem Tabletop_Manipulation)
  (:domain robosuite)
  (:language {language})
  (:regions
    (apple_region (:target main_table) (:ranges ((-0.20 0.14 -0.16 0.18))) (:yaw_rotation ((-3.1416 3.1416))))
    (lemon_region (:target main_table) (:ranges ((-0.05 0.22 -0.01 0.26))) (:yaw_rotation ((-3.1416 3.1416))))
    (plate_region (:target main_table) (:ranges ((-0.16 -0.19 -0.12 -0.15))) (:yaw_rotation ((-3.1416 3.1416))))
    (bowl_region (:target main_table) (:ranges ((0.00 -0.30 0.04 -0.26))) (:yaw_rotation ((-3.1416 3.1416))))
  )
  (:fixtures main_table - table)
  (:objects apple_1 - apple lemon_1 - lemon plate_1 - plate white_bowl_1 - white_bowl)
  (:obj_of_interest apple_1 plate_1)
  (:init
    (On apple_1 main_table_apple_region) (On lemon_1 main_table_lemon_region)
    (On plate_1 main_table_plate_region) (On white_bowl_1 main_table_bowl_region)
  )
  (:goal (And (On {theme} {place})))
)
"""
TASKS = {
    "put the apple on the plate": ("apple_1", "plate_1"),
    "put the lemon on the plate": ("lemon_1", "plate_1"),
    "put the apple on the bowl": ("apple_1", "white_bowl_1"),
}


def write_suite(folder: Path) -> Path:
    """Write the suite ``fruit`` into ``folder`` and return its path."""
    for text, (theme, place) in TASKS.items():
        file = folder / "fruit" / "L0" / f"{text.replace(' ', '_')}.cbddl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(SCENE.format(language=text, theme=theme, place=place))
    return folder / "fruit"
