"""Laws of the tracks: one scene for what is compared, partners in the same slots, another room and nothing else."""

from __future__ import annotations

import pytest

from proctor.tasks.cbddl import parse
from proctor.tasks.knowledge import TRACKS, draw, knowledge_task, track_tasks
from proctor.tasks.knowledge.facts import table

FAMILIES = list(zip(*(track_tasks(track) for track in (1, 3, 4)), strict=True))
EPISODES = range(4)


def scene(slug: str, track: int, episode: int) -> str:
    """Return what stands where: the blocks that do not depend on what is asked."""
    text = draw(slug, 900 + episode, episode, track=track, split="seen").text
    return text[text.index("(:regions") : text.index("(:obj_of_interest")]


@pytest.mark.parametrize(("base", "by_fact", "in_talk"), FAMILIES)
def test_tracks_one_three_and_four_ask_about_the_same_scene(base, by_fact, in_talk):
    for episode in EPISODES:
        one, three, four = scene(base, 1, episode), scene(by_fact, 3, episode), scene(in_talk, 4, episode)
        assert one == four
        if base == "select_chemistry_tube":
            # Facts about colours need tubes without tags; all else is as it was.
            one, three = (_without_labels(text) for text in (one, three))
        assert one == three


def _without_labels(text: str) -> str:
    return "\n".join(line.partition("(labels")[0] for line in text.splitlines())


@pytest.mark.parametrize("base", track_tasks(1))
def test_track_two_has_the_unseen_partner_of_each_thing_in_its_slot(base):
    for episode in EPISODES:
        sides = [draw(base, 900 + episode, episode, track=track, split="seen") for track in (1, 2)]
        one, two = (parse(drawn.text, base) for drawn in sides)
        assert [e.category for e in one.objects] == [e.category for e in two.objects]
        assert [_place(region) for region in one.regions] == [_place(region) for region in two.regions]
        for drawn, parsed, parity in zip(sides, (one, two), (0, 1), strict=True):
            assert {parsed.look(name).seed % 2 for name in drawn.proof.candidates} == {parity}
        looks = [{parsed.look(name).look for name in drawn.proof.candidates} for drawn, parsed in
                 zip(sides, (one, two), strict=True)]  # fmt: skip
        assert not looks[0] & looks[1]


def _place(region):
    corners = [(rect.x_min, rect.y_min, rect.x_max, rect.y_max) for rect in region.ranges]
    return region.target.rpartition("_")[0], region.site, corners, region.yaw_rad


@pytest.mark.parametrize("base", track_tasks(7))
def test_track_seven_is_track_one_in_another_room(base):
    for episode in EPISODES:
        plain, other = (draw(base, 900 + episode, episode, track=track, split="seen") for track in (1, 7))
        assert plain.instruction == other.instruction
        assert plain.proof == other.proof
        lines = [line for line in other.text.splitlines() if not line.startswith(";")]
        kept = [line for line in lines if not line.startswith("    (main_table (seed")]
        assert len(kept) == len(lines) - 1
        assert kept == [line for line in plain.text.splitlines() if not line.startswith(";")]


def test_compared_episodes_have_one_family_and_others_have_another():
    one, three = (draw(slug, 5, 2, track=track, split="seen") for slug, track in
                  (("select_fruit", 1), ("select_fruit_common_sense", 3)))  # fmt: skip
    assert one.family == three.family
    assert one.family != draw("select_fruit", 5, 2).family
    assert one.family != draw("select_fruit", 5, 3, track=1, split="seen").family


def test_the_tracks_are_those_of_the_table():
    tracks = table("tracks")["tracks"]
    for track in (1, 2, 3, 4, 5, 6):
        listed = tracks[f"T{track}"]
        ids = listed["tasks"] if "tasks" in listed else listed["tasks_from_base"].values()
        assert [knowledge_task(slug).id for slug in track_tasks(track)] == list(ids)
    assert TRACKS == (1, 2, 3, 4, 5, 6, 7)
    assert track_tasks(7) == track_tasks(1)
