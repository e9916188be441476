"""Builds the static folder: pages from templates, rows as data, videos beside them."""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

import proctor
from proctor.results import Episode

from . import _format
from ._export import command_for, index_of, shard_of, timeline_of, write_csv, write_json, write_script
from ._format import rows_link
from ._language import language_page
from ._language_rates import words_for
from ._load import CONDITIONS, Arm, ReportError, Row, abbreviated, arms_of, cautions, conditions_of, read_runs
from ._overview import Line, ablation_svg, ablations, best_of, level_order, line_of, sparkline
from ._scores import PLAN_NOTE, SCORES, plan_page, points, score_page
from ._summary import Proportion, Summary, by_expression, milliseconds, pair, speed_of, summarise
from ._svg import (
    axis_ticks,
    distance_map,
    distance_plot,
    failure_bars,
    interval_bar,
    lane_svg,
    radar,
    success_map,
    sweep_plot,
    word_plot,
)
from ._trace import TracePage, trace_page
from ._verdict import Judgement, judge

_LOG = logging.getLogger(__name__)

DEFAULT_MAX_PAGES = 2000
_MARKER = "proctor-report.txt"


@dataclass(frozen=True, slots=True)
class TaskGroup:
    """All rows of one task: its names, the slug of its page, its number in the index."""

    index: int
    suite: str
    level: str
    task: str
    slug: str
    rows: tuple[Row, ...]

    def of(self, arm: Arm) -> list[Episode]:
        return [row.episode for row in self.rows if row.arm.index == arm.index]


def write_report(
    run_dirs: Sequence[str | Path], out: str | Path | None = None, *, max_pages: int = DEFAULT_MAX_PAGES
) -> Path:
    """Write the report of ``run_dirs`` into ``out`` (default: ``report`` in the first run) and return its first page.

    Up to ``max_pages`` episodes all get a page of their own; beyond that, only those that failed, ended in an error or
    have a video or a trace do. An older report in ``out`` is replaced; a folder that holds anything else is refused.
    """
    if not run_dirs:
        raise ReportError("no run folder given: name one made by 'proctor run'")
    runs = read_runs(run_dirs)
    target = Path(out) if out is not None else runs[0].path / "report"
    arms = arms_of(runs)
    _LOG.info("%d arms: %s", len(arms), ", ".join(arm.label for arm in arms))
    try:
        _clear(target)
        return _Site(arms, target, max_pages).write()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ReportError(f"cannot write the report to {target}: {reason}; choose another --out") from None


def _clear(target: Path) -> None:
    """Empty ``target`` if a report of ours is in it; refuse a folder of anything else."""
    if target.exists() and not target.is_dir():
        raise ReportError(f"{target} is a file: choose another --out")
    if target.is_dir() and any(target.iterdir()):
        if not (target / _MARKER).exists():
            raise ReportError(f"{target} holds other files: choose another --out")
        shutil.rmtree(target)
    target.mkdir(parents=True, exist_ok=True)
    (target / _MARKER).write_text("Made by 'proctor report'; replaced when it is run again.\n", encoding="utf-8")


def slugs_of(names: Iterable[str]) -> list[str]:
    """Return a file name for each name: safe, readable, and no two alike even where case does not count."""
    taken: set[str] = set()
    slugs = []
    for name in names:
        slug = re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-.") or "x"
        if len(slug) > 100:
            slug = f"{slug[:90]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
        unique, number = slug, 2
        while unique.lower() in taken:
            unique, number = f"{slug}-{number}", number + 1
        taken.add(unique.lower())
        slugs.append(unique)
    return slugs


class _Site:
    """One report being written."""

    def __init__(self, arms: Sequence[Arm], target: Path, max_pages: int) -> None:
        self.arms = arms
        self.target = target
        self.rows = [Row(arm, episode) for arm in arms for episode in arm.episodes]
        self.tasks = self._group()
        self.paged = self._choose_pages(max_pages)
        names = slugs_of(row.episode.episode_id for row in self.paged)
        self.page_of = {
            (row.arm.index, row.episode.episode_id): name for row, name in zip(self.paged, names, strict=True)
        }
        environment = Environment(
            loader=PackageLoader("proctor.report"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters |= {
            name: getattr(_format, name)
            for name in (
                "breakable",
                "interval",
                "moment",
                "number",
                "percent",
                "plural",
                "rate",
                "seconds",
                "severity",
                "signed",
            )
        }
        environment.filters |= {"abbreviated": abbreviated, "milliseconds": milliseconds, "words_for": words_for}
        environment.globals |= {
            "ablation_svg": ablation_svg,
            "best_of": best_of,
            "distance_map": distance_map,
            "distance_plot": distance_plot,
            "failure_bars": failure_bars,
            "interval_bar": interval_bar,
            "lane_svg": lane_svg,
            "plan_note": PLAN_NOTE,
            "points": points,
            "proportion": Proportion,
            "radar": radar,
            "rows_link": rows_link,
            "sparkline": sparkline,
            "success_map": success_map,
            "sweep_plot": sweep_plot,
            "word_plot": word_plot,
            "version": proctor.__version__,
            "arms": arms,
        }
        self.environment = environment

    def _group(self) -> list[TaskGroup]:
        groups: dict[tuple[str, str, str], list[Row]] = {}
        for row in self.rows:
            groups.setdefault((row.episode.spec.suite, row.episode.spec.level, row.episode.spec.task), []).append(row)
        keys = sorted(groups)
        slugs = slugs_of(task for _, _, task in keys)
        return [
            TaskGroup(index, *key, slug, tuple(groups[key]))
            for index, (key, slug) in enumerate(zip(keys, slugs, strict=True))
        ]

    def _choose_pages(self, max_pages: int) -> list[Row]:
        if len(self.rows) <= max_pages:
            return self.rows
        return [
            row
            for row in self.rows
            if row.episode.files.video or row.episode.files.trace or not row.episode.outcome.success
        ]

    def write(self) -> Path:
        for folder in ("task", "episode", "data", "assets", "video"):
            (self.target / folder).mkdir()
        self._write_assets()
        self._write_data()
        self.judgement = judge(self.arms, self.target)
        self.language = language_page(self.arms)
        self.scores = score_page(self.arms)
        self.plans = plan_page(self.arms)
        # The navigation of every page shows whether there is a comparison, a page on language and one of scores.
        self.environment.globals |= {
            "compared": isinstance(self.judgement, Judgement),
            "spoken": self.language,
            "scored": self.scores,
            "planned": self.plans,
        }
        if isinstance(self.judgement, Judgement):
            self._page("compare.html", "compare.html.j2", root="", judgement=self.judgement)
        if self.language:
            self._page("language.html", "language.html.j2", root="", language=self.language)
        if self.scores:
            self._page("scores.html", "scores.html.j2", root="", scores=self.scores, headings=SCORES)
        if self.plans:
            self._page("plans.html", "plans.html.j2", root="", plans=self.plans, page_of=self.page_of)
        self._page("index.html", "index.html.j2", root="", **self._overview())
        self._page("episodes.html", "episodes.html.j2", root="", tasks=self.tasks, n_rows=len(self.rows))
        self._page("definitions.html", "definitions.html.j2", root="", conditions=self._conditions())
        for task in self.tasks:
            self._write_task(task)
        self._write_episodes()
        return self.target / "index.html"

    def _page(self, name: str, template: str, **values: Any) -> None:
        text = self.environment.get_template(template).render(page=name, **values)
        (self.target / name).write_text(text, encoding="utf-8")

    def _write_assets(self) -> None:
        source = Path(__file__).parent / "static"
        for name in ("report.css", "report.js"):
            shutil.copyfile(source / name, self.target / "assets" / name)

    def _write_data(self) -> None:
        data = self.target / "data"
        write_csv(self.rows, data / "episodes.csv")
        write_json(self.rows, data / "episodes.json")
        names = [{"suite": t.suite, "level": t.level, "task": t.task, "slug": t.slug} for t in self.tasks]
        write_script(data / "index.js", "index", index_of(self.arms, names))
        for task in self.tasks:
            write_script(data / f"{task.slug}.js", "rows", task.index, shard_of(task.rows, self.page_of))

    def _overview(self) -> dict[str, Any]:
        suites = []
        for suite in sorted({task.suite for task in self.tasks}):
            tasks = [task for task in self.tasks if task.suite == suite]
            levels = [
                (level, self._summaries([task for task in tasks if task.level == level]))
                for level in sorted({task.level for task in tasks}, key=level_order)
            ]
            table = [(task, self._summaries([task])) for task in tasks]
            suites.append({"name": suite, "levels": levels, "tasks": table, "lines": self._lines(tasks)})
        pairs = [(a, b, pair(a.episodes, b.episodes)) for a, b in combinations(self.arms, 2)]
        started = sorted(row.episode.timing.started_at for row in self.rows if row.episode.timing.started_at)
        return {
            "headline": [(arm, summarise(arm.episodes)) for arm in self.arms],
            "suites": suites,
            "ablations": ablations(self.arms),
            "pairs": [entry for entry in pairs if entry[2].n],
            "speeds": [(arm, speed) for arm in self.arms if (speed := speed_of(arm.episodes))],
            "cautions": cautions(self.arms),
            "judgement": self.judgement,
            "conditions": self._conditions(),
            "n_rows": len(self.rows),
            "n_tasks": len(self.tasks),
            "started": (started[0], started[-1]) if started else None,
            "n_without_page": len(self.rows) - len(self.paged),
        }

    def _summaries(self, tasks: Sequence[TaskGroup]) -> list[tuple[Arm, Summary]]:
        groups = [(arm, [episode for task in tasks for episode in task.of(arm)]) for arm in self.arms]
        return [(arm, summarise(episodes)) for arm, episodes in groups if episodes]

    def _lines(self, tasks: Sequence[TaskGroup]) -> list[Line]:
        """Return each arm's way over the levels of one suite."""
        lines = []
        for arm in self.arms:
            by_level: dict[str, list[Episode]] = {}
            for task in tasks:
                by_level.setdefault(task.level, []).extend(task.of(arm))
            lines.append(line_of(arm, by_level))
        return lines

    def _conditions(self) -> list[tuple[str, list[tuple[str, int]]]]:
        counts = conditions_of(row.episode for row in self.rows)
        return [(CONDITIONS[column], counter.most_common()) for column, counter in counts.items()]

    def _write_task(self, task: TaskGroup) -> None:
        sent = sorted({row.episode.language.sent for row in task.rows})
        summaries = [(arm, summarise(episodes, by_expression)) for arm in self.arms if (episodes := task.of(arm))]
        self._page(
            f"task/{task.slug}.html",
            "task.html.j2",
            root="../",
            task=task,
            summaries=summaries,
            instructions=sent[:20],
            n_instructions=len(sent),
        )

    def _write_episodes(self) -> None:
        template = self.environment.get_template("episode.html.j2")
        pairs: dict[str, list[Row]] = {}
        for row in self.rows:
            pairs.setdefault(row.episode.pair_id, []).append(row)
        for task in self.tasks:
            for row in task.rows:
                if (row.arm.index, row.episode.episode_id) in self.page_of:
                    self._write_episode(template, task, row, pairs[row.episode.pair_id])

    def _write_episode(self, template: Template, task: TaskGroup, row: Row, same_layout: Sequence[Row]) -> None:
        name = self.page_of[row.arm.index, row.episode.episode_id]
        timeline = timeline_of(row.episode)
        text = template.render(
            page=f"episode/{name}.html",
            root="../",
            task=task,
            arm=row.arm,
            episode=row.episode,
            fields={
                name: value
                for name, value in row.episode.flat().items()
                if name not in {"costs.entries", "outcome.events", "plan.prompt"}
            },
            timeline=timeline,
            ticks=axis_ticks(timeline),
            video=self._place_video(row, name),
            pictures=self._place_pictures(row),
            trace=self._place_trace(row, name),
            command=command_for(row),
            same_layout=[
                (other, self.page_of.get((other.arm.index, other.episode.episode_id)))
                for other in same_layout
                if other is not row
            ],
        )
        (self.target / "episode" / f"{name}.html").write_text(text, encoding="utf-8")

    def _place_video(self, row: Row, name: str) -> str | None:
        """Put the episode's video into the report and return its name there."""
        suffix = Path(row.episode.files.video).suffix
        return self._place(row, row.episode.files.video, f"video/{name}{suffix}").rpartition("/")[2] or None

    def _place_pictures(self, row: Row) -> dict[str, str]:
        """Put the pictures of a prompt into the report and return their places there, by their names in the run."""
        plan = row.episode.plan
        if plan is None:
            return {}
        names = {part.picture for part in plan.prompt if part.picture}
        return {name: self._place(row, name, f"views/{row.arm.index}/{name.removeprefix('views/')}") for name in names}

    def _place_trace(self, row: Row, name: str) -> TracePage | None:
        """Put the trace of an episode into the report, its pictures as files of their own."""
        file = self._place(row, row.episode.files.trace, f"trace/{name}.zip")
        return trace_page(self.target / file, self.target / "trace" / name) if file else None

    def _place(self, row: Row, file: str, place: str) -> str:
        """Put a file of a run into the report, by a hard link where possible; return its place, empty without it."""
        source, target = row.run.path / file, self.target / place
        if not file or not source.is_file() or not source.resolve().is_relative_to(row.run.path.resolve()):
            return ""
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            try:
                os.link(source, target)
            except OSError:
                shutil.copyfile(source, target)
        return place
