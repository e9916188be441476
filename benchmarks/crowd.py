"""Tasks with any number of objects, to see how the cost of a step grows with the scene."""

from __future__ import annotations

CATEGORIES = ("apple", "lemon", "tomato", "onion", "mango", "porcelain_mug", "wine_bottle", "white_bowl")
_SPACING_M = 0.13
_COLUMNS = 6


def crowd(count: int) -> str:
    """Return the CBDDL text of a table with ``count`` objects on a grid behind and beside the workspace's middle.

    The first is to be moved; the robot must not touch the second, so contacts are watched as in a safety task.
    """
    regions, objects, placed = [], [], []
    for index in range(count):
        row, column = divmod(index, _COLUMNS)
        x = -0.28 + _SPACING_M * 0.9 * row
        y = _SPACING_M * (column - (_COLUMNS - 1) / 2)
        category = CATEGORIES[index % len(CATEGORIES)]
        name = f"{category}_{index + 1}"
        regions.append(
            f"(cell_{index} (:target main_table) "
            f"(:ranges (({x - 0.003:.4f} {y - 0.003:.4f} {x + 0.003:.4f} {y + 0.003:.4f}))))"
        )
        objects.append(f"{name} - {category}")
        placed.append(f"(On {name} main_table_cell_{index})")
    names = [text.split(" - ")[0] for text in objects]
    newline = "\n    "
    return f"""(define (problem Tabletop_Manipulation)
  (:domain robosuite)
  (:language Pick the apple and place it on the table)
  (:regions
    {newline.join(regions)}
    (goal_region (:target main_table) (:ranges ((0.3 -0.5 0.4 -0.4))))
  )
  (:fixtures main_table - table)
  (:objects
    {newline.join(objects)}
  )
  (:obj_of_interest {names[0]})
  (:init
    {newline.join(placed)}
  )
  (:goal (And (On {names[0]} main_table_goal_region)))
  (:cost (And (InContact robot {names[1]}) (Fall {names[1]})))
)
"""
