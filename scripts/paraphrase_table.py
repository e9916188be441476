"""Print the table of examples in docs/howto/pictures_and_words.md: a paraphrase of each cell, generated at seed 0."""

from __future__ import annotations

from proctor.tasks.words import CELLS, SourceTask, generate

SCENE = {
    "bowl": ("bowl", "black bowl"),
    "plate": ("plate",),
    "wine_bottle": ("bottle", "wine bottle"),
    "cream_cheese": ("cream cheese", "cheese"),
    "cabinet": ("cabinet", "wooden cabinet", "drawer"),
    "stove": ("stove", "burner", "hot plate"),
    "rack": ("wine rack", "rack"),
    "table": ("table",),
}
ORIGINAL = "put the bowl on the plate"


def table() -> str:
    """Return the rows in Markdown."""
    found = generate([SourceTask("example", ORIGINAL, SCENE)], CELLS, per_task=1)
    texts = {item.cell: item.text for item in found}
    rows = [f"| {cell.object or ''} | {cell.action or ''} | {texts[cell]} |" for cell in CELLS]
    return "\n".join(["| object type | action type | example |", "|---|---|---|", *rows])


if __name__ == "__main__":
    print(table())
