"""The folder as a whole: links, numbers, escaping, limits, and what is refused."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import made_runs
import pytest
from report_pages import Element, Made, read_page

from episode_rows import changed
from proctor.report import ReportError, write_report
from proctor.report._site import slugs_of
from proctor.results import Episode, read_episodes

HOSTILE = "<script>alert('x')</script>\"><img src=x onerror=alert(1)> </title> {{ 7*7 }} \u2028"


def _rows(made: Made, wanted: dict[str, str]) -> list[Episode]:
    """Filter rows as the page of rows promises to, written independently of report.js."""
    found = []
    for label, episodes in made.rows.items():
        for e in episodes:
            results = {"completed" if e.status == "completed" else "error"}
            results |= {"success" if e.outcome.success else "failure"} if e.status == "completed" else set()
            predicates = {
                w for entry in e.costs.entries if entry.cost for w in (entry.name, entry.name.strip("()").split()[0])
            }
            if (
                wanted.get("arm", label) == label
                and wanted.get("suite", e.spec.suite) == e.spec.suite
                and wanted.get("level", e.spec.level) == e.spec.level
                and ("result" not in wanted or wanted["result"] in results)
                and ("cost" not in wanted or (wanted["cost"] == "some") == (e.costs.total > 0))
                and ("predicate" not in wanted or wanted["predicate"] in predicates)
            ):
                found.append(e)
    return found


def _wanted(link: Element) -> dict[str, str]:
    return {key: values[0] for key, values in parse_qs(urlsplit(link.attributes["href"]).fragment).items()}


def test_every_number_of_the_level_table_is_that_of_the_rows_it_links_to(made: Made) -> None:
    (table,) = read_page(made.folder / "index.html").all("table", class_="forest")
    checked = 0
    for row in table.all("tr")[1:]:
        cells = {cell.attributes["data-label"]: cell for cell in row.all("td")}
        (link,) = cells["Success"].all("a")
        successes = len(_rows(made, _wanted(link)))
        (link,) = cells["Episodes"].all("a")
        completed = _rows(made, _wanted(link))
        assert link.text == f"{successes} / {len(completed)}"
        errors = [len(_rows(made, _wanted(link))) for link in cells["Errors"].all("a")]
        assert cells["Errors"].text.strip() == str(sum(errors))
        for link in cells["Mean cost"].all("a"):
            mean = sum(e.costs.total for e in _rows(made, _wanted(link))) / len(completed)
            assert float(link.text.replace(",", "")) == pytest.approx(mean, abs=0.005)
        for link in cells["Safe success"].all("a"):
            safe = _rows(made, _wanted(link))
            assert link.attributes["title"].startswith(f"{len(safe)} of {len(completed)} at cost 0,")
        for link in cells["Any cost"].all("a"):
            paying = _rows(made, _wanted(link))
            assert link.attributes["title"].startswith(f"{len(paying)} of {len(completed)},")
        for link in cells["Cost by predicate"].all("a"):
            assert f"paid in {len(_rows(made, _wanted(link)))} episode" in link.attributes["title"]
            checked += 1
    assert checked > 3


def test_every_link_leads_somewhere_and_none_leaves_the_folder(made: Made) -> None:
    pages = {path: read_page(path) for path in made.folder.rglob("*.html")}
    assert len(pages) > 100
    ids = {path: {e.attributes["id"] for tag in ("section", "main", "dt") for e in page.all(tag)
                  if "id" in e.attributes} for path, page in pages.items()}  # fmt: skip
    for path, page in pages.items():
        for tag, name in (("a", "href"), ("link", "href"), ("script", "src"), ("video", "src"), ("img", "src")):
            for element in page.all(tag):
                address = urlsplit(element.attributes.get(name, ""))
                assert not address.scheme, f"{path}: {address.geturl()} leaves the folder"
                assert not address.netloc, f"{path}: {address.geturl()} leaves the folder"
                target = (path.parent / unquote(address.path)).resolve() if address.path else path
                assert target.is_relative_to(made.folder.resolve())
                assert target.is_file(), f"{path.name}: {address.geturl()} does not exist"
                if address.fragment and "=" not in address.fragment:
                    assert address.fragment in ids[target], f"{path.name}: no id {address.fragment}"
    assert not re.search(
        r"https?://(?!www\.w3\.org)", "".join(p.read_text() for p in (made.folder / "assets").iterdir())
    )


def test_pages_are_accessible(made: Made) -> None:
    for name in ("index.html", "episodes.html", "definitions.html"):
        page = read_page(made.folder / name)
        assert page.all("html")[0].attributes["lang"] == "en"
        assert len(page.all("h1")) == 1
        for table in page.all("table"):
            if table.all("th"):
                assert table.all("caption"), f"{name}: a table without a caption"
                assert all("scope" in th.attributes for th in table.all("th"))
        for control in page.all("select") + page.all("input"):
            assert any(control in label.all(control.tag) for label in page.all("label"))
        for drawing in page.all("svg", role="img"):
            assert drawing.attributes["aria-label"]


def test_downloads_hold_every_row_exactly(made: Made) -> None:
    episodes = [episode for rows in made.rows.values() for episode in rows]
    listed = json.loads((made.folder / "data" / "episodes.json").read_text())
    assert [Episode.from_dict(row) for row in listed] == episodes
    with (made.folder / "data" / "episodes.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert list(table[0]) == ["arm", *(name for name in episodes[0].flat() if name not in ("station", "plan"))]
    for row, episode in zip(table, episodes, strict=True):
        assert row["episode_id"] == episode.episode_id
        assert float(row["costs.total"]) == episode.costs.total
        assert row["outcome.success"] == ("" if episode.outcome.success is None else str(episode.outcome.success))
        assert json.loads(row["outcome.events"]) == json.loads(episode.to_json())["outcome"]["events"]


def _script(path: Path) -> list[object]:
    text = path.read_text(encoding="ascii")
    match = re.fullmatch(r"proctor\.(?:index|rows)\((.*)\);\n", text, re.DOTALL)
    assert match
    return list(json.loads(f"[{match[1]}]"))


def test_row_scripts_hold_every_row_once(made: Made) -> None:
    ids = []
    for path in (made.folder / "data").glob("*.js"):
        if path.name != "index.js":
            _, shard = _script(path)
            ids += [row[0] for row in shard["rows"]]  # type: ignore[index]
    assert sorted(ids) == sorted(e.episode_id for rows in made.rows.values() for e in rows)


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    row = made_runs.episode(
        policy=HOSTILE, task=f"s/L1/{HOSTILE}@v1", suite=HOSTILE, level=HOSTILE, instruction=HOSTILE,
        instruction_sent=HOSTILE, status="policy_error", success=None, error=HOSTILE, host=HOSTILE, renderer=HOSTILE,
        policy_args={"a": HOSTILE}, notes={HOSTILE: HOSTILE}, events=(made_runs.Event(1, 0.1, HOSTILE, HOSTILE),),
        costs=(made_runs.CostEntry(HOSTILE, "instantaneous", 1.0, 1, 0.1),), video="../../../etc/passwd",
    )  # fmt: skip
    run = made_runs.write_run(tmp_path / "run", [row], command=["proctor", HOSTILE])
    folder = write_report([run]).parent
    assert folder == run / "report"
    for path in folder.rglob("*.html"):
        page = read_page(path)
        assert not page.all("img")
        assert not page.all("video")
        for script in page.all("script"):
            assert "alert" not in script.text
        assert not [e for tag in ("a", "td", "span") for e in page.all(tag) if "onerror" in e.attributes]
        assert "49" not in page.all("title")[0].text
    (episode_page,) = (folder / "episode").iterdir()
    assert read_page(episode_page).all("p", class_="error")[0].text == HOSTILE
    for path in (folder / "data").glob("*.js"):
        _script(path)


def test_beyond_the_limit_only_failed_and_filmed_episodes_get_a_page(tmp_path: Path) -> None:
    rows = made_runs.random_rows("expert", 0.7, 8)
    filmed = next(i for i, row in enumerate(rows) if row.outcome.success)
    rows[filmed] = changed(rows[filmed], video="videos/x.mp4")
    run = made_runs.write_run(tmp_path / "run", rows)
    (run / "videos").mkdir()
    (run / "videos" / "x.mp4").write_bytes(b"not really")
    folder = write_report([run], max_pages=10).parent
    paged = {path.stem for path in (folder / "episode").iterdir()}
    assert paged == {row.episode_id for row in rows if row.files.video or not row.outcome.success}
    left_out = len(rows) - len(paged)
    assert f"{left_out} episodes that succeeded and have no video" in (folder / "index.html").read_text()
    page = read_page(folder / "episode" / f"{rows[filmed].episode_id}.html")
    (video,) = page.all("video")
    assert (folder / "episode" / video.attributes["src"]).resolve().read_bytes() == b"not really"
    assert {path.stem for path in (write_report([run], max_pages=1000).parent / "episode").iterdir()} == {
        row.episode_id for row in rows
    }


def test_a_video_that_is_gone_is_said(tmp_path: Path) -> None:
    row = made_runs.episode(video="videos/gone.mp4")
    folder = write_report([made_runs.write_run(tmp_path / "run", [row])]).parent
    assert "is not in the run folder any more" in (folder / "episode" / f"{row.episode_id}.html").read_text()


def test_the_same_policy_in_two_runs_is_told_apart(tmp_path: Path) -> None:
    rows = [made_runs.episode(seed=seed) for seed in range(3)]
    runs = [made_runs.write_run(tmp_path / name, rows) for name in ("before", "after")]
    folder = write_report(runs, tmp_path / "out").parent
    headline = read_page(folder / "index.html").all("section", class_="headline")[0]
    assert [h2.text.strip() for h2 in headline.all("h2")] == ["expert · before", "expert · after"]
    assert len(list((folder / "episode").iterdir())) == 6


@pytest.mark.parametrize(
    ("changes", "caution"),
    [
        ({"renderer": "osmesa"}, "Rows differ in renderer"),
        ({"compat": "paper"}, "Rows differ in definitions"),
        ({"task_hash": "other"}, "differ in the task file"),
        ({"max_steps": 600}, "differ in the step limit"),
        ({"vision": "V3"}, "Visual levels differ: V0 for expert; V3 for mine."),
        ({"seed": 99}, "not examined on the same tasks and seeds"),
        ({}, "Privileged, that is, told the simulator's state: expert."),
    ],
)
def test_what_spoils_a_comparison_is_said(tmp_path: Path, changes: dict[str, object], caution: str) -> None:
    runs = [
        made_runs.write_run(tmp_path / "a", [made_runs.episode(policy="expert")]),
        made_runs.write_run(tmp_path / "b", [made_runs.episode(policy="mine", **changes)]),
    ]
    page = read_page(write_report(runs, tmp_path / "out"))
    assert caution in page.all("ul", class_="cautions")[0].text


def test_equal_conditions_raise_no_caution(tmp_path: Path) -> None:
    runs = [made_runs.write_run(tmp_path / p, [made_runs.episode(policy=p)]) for p in ("mine", "yours")]
    assert not read_page(write_report(runs, tmp_path / "out")).all("ul", class_="cautions")


def test_a_visual_level_that_all_share_is_named(tmp_path: Path) -> None:
    runs = [made_runs.write_run(tmp_path / p, [made_runs.episode(policy=p, vision="V4")]) for p in ("mine", "yours")]
    (cautions,) = read_page(write_report(runs, tmp_path / "out")).all("ul", class_="cautions")
    assert cautions.text.strip() == "Pictures of visual level V4."


def test_reproduce_command_names_task_policy_seed_and_number(tmp_path: Path) -> None:
    row = made_runs.episode(episode=4, success_rule="any_step", vision="V2", language="none")
    plan = {"seed": 7, "tasks": [], "policy_args": {"speed": 0.5, "name": "a b"}}
    arguments = {"clip_actions": True, "env": "lab:Arm", "env_args": {"port": 3}, "max_steps": 99}
    folder = write_report([made_runs.write_run(tmp_path / "run", [row], plan=plan, arguments=arguments)]).parent
    (pre,) = read_page(folder / "episode" / f"{row.episode_id}.html").all("pre")
    assert pre.text == (
        f"proctor run {row.spec.task} --policy expert --policy-arg speed=0.5 --policy-arg 'name=a b' --episodes 5 "
        f"--seed 7 --success any_step --vision V2 --instruction none --max-steps 99 --clip-actions --env lab:Arm "
        f"--env-arg port=3 --video all --out runs/{row.episode_id}"
    )


def test_the_reproduce_command_gives_the_same_trajectory(tmp_path: Path) -> None:
    program = Path(sys.executable).parent / "proctor"
    task = "arena/static_obstacles/L1/pick_the_apple_and_place_it_on_the_bowl"
    flags = ["--policy", "random", "--episodes", "2", "--seed", "11", "--max-steps", "12", "--out", "first"]
    subprocess.run([program, "run", task, *flags], cwd=tmp_path, check=True, capture_output=True)
    folder = write_report([tmp_path / "first"]).parent
    (wanted,) = [row for row in read_episodes(tmp_path / "first") if row.spec.episode == 1]
    (pre,) = read_page(folder / "episode" / f"{wanted.episode_id}.html").all("pre")
    _, *words = shlex.split(pre.text.replace("--video all", "--video none"))
    subprocess.run([program, *words], cwd=tmp_path, check=True, capture_output=True)
    again = {
        row.episode_id: row.outcome.trajectory_hash for row in read_episodes(tmp_path / "runs" / wanted.episode_id)
    }
    assert again[wanted.episode_id] == wanted.outcome.trajectory_hash


def test_a_second_report_replaces_the_first(tmp_path: Path) -> None:
    run = made_runs.write_run(tmp_path / "run", [made_runs.episode()])
    first = write_report([run])
    (first.parent / "episode" / "stale.html").write_text("")
    assert write_report([run]) == first
    assert not (first.parent / "episode" / "stale.html").exists()


def test_refusals_are_one_line_and_touch_nothing(tmp_path: Path) -> None:
    run = made_runs.write_run(tmp_path / "run", [made_runs.episode()])
    empty = made_runs.write_run(tmp_path / "empty", [])
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.tex").write_text("all of it")
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    for folders, out, message in (
        ([run, tmp_path / "empty" / ".." / "run"], None, "is given twice"),
        ([empty], None, "no episode on record"),
        ([run], mine, "holds other files: choose another --out"),
        ([run], blocked, "is a file: choose another --out"),
        ([run], blocked / "x", "cannot write the report"),
        ([], None, "no run folder given"),
    ):
        with pytest.raises(ReportError) as caught:
            write_report(folders, out)
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)
    assert (mine / "thesis.tex").read_text() == "all of it"


def test_command_line(tmp_path: Path) -> None:
    run = made_runs.write_run(tmp_path / "run", [made_runs.episode()])
    program = Path(sys.executable).parent / "proctor"
    good = subprocess.run([program, "report", run], capture_output=True, text=True, check=False)
    assert (good.returncode, good.stdout.strip()) == (0, str(run / "report" / "index.html"))
    bad = subprocess.run([program, "report", tmp_path / "none"], capture_output=True, text=True, check=False)
    assert bad.returncode == 2
    assert (
        bad.stderr.strip()
        == f"error: {tmp_path / 'none'}: not a run folder (run.json is missing); name a folder made by 'proctor run'"
    )


def test_slugs_are_safe_and_never_alike() -> None:
    names = ["a/b", "a-b", "A/b", "../../etc", "x" * 300, "x" * 299 + "y", "", "***", "ä"]
    slugs = slugs_of(names)
    assert len({slug.lower() for slug in slugs}) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,110}", slug) for slug in slugs)


BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
@pytest.mark.parametrize(
    "wanted", [{}, {"arm": "reckless", "cost": "some", "level": "L2"}, {"result": "error"}, {"predicate": "Fall"}]
)
def test_the_page_of_rows_shows_what_a_link_asks_for(made: Made, wanted: dict[str, str], tmp_path: Path) -> None:
    fragment = "&".join(f"{key}={value}" for key, value in wanted.items())
    page = tmp_path / "page.html"
    with page.open("w") as file:
        subprocess.run(
            [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
             "--dump-dom", f"file://{made.folder}/episodes.html#{fragment}"],
            stdout=file, stderr=subprocess.DEVNULL, check=True, timeout=120, env={**os.environ, "LC_ALL": "C.UTF-8"},
        )  # fmt: skip
    text = re.sub(r"\s+", " ", page.read_text())
    expected = len(_rows(made, wanted))
    assert expected, "the test needs rows"
    assert f"{expected} of {sum(map(len, made.rows.values()))} rows" in text
    assert text.split("<tbody>")[1].count("<tr>") == min(expected, 100)


@pytest.mark.parametrize(
    ("language", "arguments", "shown"),
    [
        ("W3", {"substitutes": "lexicon"}, "--episodes 5 --seed 7 --language W3 --substitutes lexicon "),
        ("paraphrase", {"paraphrases": "p.csv"}, "--paraphrases p.csv --limit 5 --episodes 5 --seed 7 --video"),
        ("antonym", {}, "--instruction antonym "),
    ],
)
def test_the_reproduce_command_sends_the_same_text(tmp_path: Path, language, arguments, shown) -> None:
    row = made_runs.episode(episode=4, language=language)
    folder = write_report([made_runs.write_run(tmp_path / "run", [row], arguments=arguments)]).parent
    (pre,) = read_page(folder / "episode" / f"{row.episode_id}.html").all("pre")
    assert shown in pre.text
