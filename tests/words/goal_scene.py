"""LIBERO-Goal's ten instructions and one shared scene, as the language tests need them."""

from __future__ import annotations

from proctor.tasks.words import SourceTask

GOAL = (
    "open the middle drawer of the cabinet",
    "open the top drawer and put the bowl inside",
    "push the plate to the front of the stove",
    "put the bowl on the plate",
    "put the bowl on the stove",
    "put the bowl on top of the cabinet",
    "put the cream cheese in the bowl",
    "put the wine bottle on the rack",
    "put the wine bottle on top of the cabinet",
    "turn on the stove",
)
SCENE = {
    "akita_black_bowl_1": ("bowl", "black bowl", "akita black bowl"),
    "plate_1": ("plate",),
    "wine_bottle_1": ("bottle", "wine bottle"),
    "cream_cheese_1": ("cream cheese", "cheese"),
    "wooden_cabinet_1": ("cabinet", "wooden cabinet", "drawer"),
    "flat_stove_1": ("stove", "burner", "hot plate"),
    "wine_rack_1": ("wine rack", "rack"),
    "main_table": ("table", "floor"),
}
TASKS = tuple(SourceTask(text.replace(" ", "_"), text, SCENE) for text in GOAL)
