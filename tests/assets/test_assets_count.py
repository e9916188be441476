"""Counting: names for one thing count once, twins count once, siblings are told apart."""

from __future__ import annotations

from dataclasses import replace

from typer.testing import CliRunner

from proctor.assets import Link, appearance, kinds_of, looks_of, make, tally
from proctor.cli.assets import app

runner = CliRunner()


def test_a_toys_two_names_are_one_kind():
    assert 2 * len(kinds_of("toy")) == len(looks_of("toy")["kind"] or ())


def test_a_card_is_known_by_rank_and_suit_and_a_plain_thing_by_nothing():
    assert kinds_of("tray") == ((),)
    assert {key for look in kinds_of("cutlery") for key, _ in look} == {"kind"}


def test_what_no_one_could_see_is_no_difference():
    """A hair's breadth and a shade of colour that 8 bits hardly hold do not make another object."""
    apple = make("fruit", 3, (("kind", "apple"),))
    nearly = [replace(v, mesh=replace(v.mesh, vertices=v.mesh.vertices * 1.00001)) for v in apple.root.visuals]
    larger = [replace(v, mesh=replace(v.mesh, vertices=v.mesh.vertices * 1.1)) for v in apple.root.visuals]
    assert appearance(replace(apple, root=Link("root", tuple(nearly)))) == appearance(apple)
    assert appearance(replace(apple, root=Link("root", tuple(larger)))) != appearance(apple)
    assert appearance(make("fruit", 4, (("kind", "apple"),))) != appearance(apple)


def test_a_tally_never_counts_more_than_was_made():
    one = tally("cutlery", 2)
    assert (one.kinds, one.made) == (4, 20)
    assert one.kinds <= one.distinct <= one.made


def test_the_commands_say_what_they_did(tmp_path):
    result = runner.invoke(app, ["pages", "--out", str(tmp_path), "--category", "bin", "--size", "32"])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "bin.jpg").stat().st_size > 1000
    assert runner.invoke(app, ["count", "--of", "everything"]).exit_code != 0
