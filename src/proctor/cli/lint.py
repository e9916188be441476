"""``proctor lint`` and ``proctor fmt``: task files on the command line."""

from __future__ import annotations

import json as json_module
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from proctor.tasks.cbddl import Diagnostic, KnownCategory, Severity

_COLOURS: dict[Severity, str] = {"error": "bold red", "warning": "yellow", "info": "cyan"}
EPISODES_LINTED = 5
_FIELDS = ("file", "line", "column", "code", "severity", "message")

Paths = Annotated[list[Path], typer.Argument(help="Task files, or folders to walk for *.bddl and *.cbddl.")]


def lint(
    paths: Paths,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list instead of text.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Apply repairs that keep the meaning, and format.")] = False,
) -> None:
    """Report the defects of task files, with place and advice; exit 1 if any of them is an error."""
    from proctor.tasks.cbddl import CbddlError, check_file, fix_task, read_source
    from proctor.tasks.words import instruction_defects

    files = _files(paths)
    if fix:
        for file in files:
            text, _ = read_source(file)
            try:
                fixed = fix_task(text or "", str(file))
            except CbddlError:
                continue  # Reported below, with everything else that is wrong in this file.
            if fixed != text:
                _rewrite(file, fixed)
    known = _AssetCategories.load()
    found = [diagnostic for file in files for diagnostic in check_file(file, known, instruction_defects)[1]]
    drawn = _station_files(paths)
    found += [diagnostic for file in drawn for diagnostic in _check_drawn(file, known)]
    if json:
        rows = [{field: getattr(diagnostic, field) for field in _FIELDS} for diagnostic in found]
        typer.echo(json_module.dumps(rows, indent=2))
    else:
        _print(found, len(files) + len(drawn))
    if any(diagnostic.severity == "error" for diagnostic in found):
        raise typer.Exit(1)


def fmt(
    paths: Paths,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit 1 if a file would change.")] = False,
) -> None:
    """Bring task files into the canonical layout; comments stay, the meaning does not change."""
    from proctor.tasks.cbddl import CbddlError, format_task, read_source

    changed, failed = 0, 0
    files = _files(paths)
    for file in files:
        text, defects = read_source(file)
        try:
            if text is None:
                raise CbddlError(defects)
            formatted = format_task(text, str(file))
        except CbddlError as error:
            failed += 1
            typer.echo(str(error), err=True)
            continue
        if formatted == text:
            continue
        changed += 1
        if not check:
            _rewrite(file, formatted)
        typer.echo(f"{'would format' if check else 'formatted'} {file}")
    verb = "would change" if check else "changed"
    typer.echo(f"{_count(len(files), 'file')}, {changed} {verb}, {failed} unreadable")
    if failed or (check and changed):
        raise typer.Exit(1)


def _stop(message: str) -> NoReturn:
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(2)


def _files(paths: list[Path]) -> list[Path]:
    from proctor.tasks.cbddl import task_files
    from proctor.tasks.knowledge import SUFFIX

    for path in paths:
        if not path.exists():
            _stop(f"no such file or folder: {path}; check the path")
    found = list(dict.fromkeys(task_files(paths)))
    if not found and not _station_files(paths):
        _stop(f"no task files in {', '.join(map(str, paths))}: name a .cbddl file or a folder that holds some")
    return [file for file in found if file.suffix != SUFFIX]


def _station_files(paths: list[Path]) -> list[Path]:
    from proctor.tasks.knowledge import SUFFIX

    inside = [file for path in paths if path.is_dir() for file in sorted(path.rglob(f"*{SUFFIX}"))]
    return [*(path for path in paths if path.suffix == SUFFIX), *inside]


def _check_drawn(file: Path, known: Mapping[str, KnownCategory] | None) -> list[Diagnostic]:
    """Return the defects of the first episodes that a ``.bench`` file stands for."""
    from proctor.tasks.cbddl import check
    from proctor.tasks.knowledge import draw
    from proctor.tasks.words import instruction_defects

    texts = [draw(file, episode, episode).text for episode in range(EPISODES_LINTED)]
    checked = [check(t, f"{file} (episode {i})", known, instruction_defects) for i, t in enumerate(texts)]
    found = [defect for _, defects in checked for defect in defects]
    # What another program would make of a text that exists only here is of no interest.
    return [defect for defect in found if defect.severity != "info"]


def _rewrite(file: Path, text: str) -> None:
    """Replace the content of ``file`` in one step, so that an interruption cannot leave half of it."""
    target = file.resolve()
    temporary: Path | None = None
    try:
        with tempfile.NamedTemporaryFile(
            "wb", dir=target.parent, prefix=f".{target.name[:40]}.", delete=False
        ) as stream:
            temporary = Path(stream.name)
            stream.write(text.encode())
        temporary.chmod(target.stat().st_mode)
        temporary.replace(target)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        _stop(f"cannot write {file}: {error.strerror}; check its permissions and the free space")


def _print(found: list[Diagnostic], files: int) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(soft_wrap=True, highlight=False)
    file = ""
    for diagnostic in found:
        if diagnostic.file != file:
            file = diagnostic.file
            console.print(Text(file, style="bold"))
        place = f"{diagnostic.line}:{diagnostic.column}"
        line = Text(f"  {place:>8}  ")
        line.append(f"{diagnostic.severity:<8}", style=_COLOURS[diagnostic.severity])
        line.append(diagnostic.message)
        line.append(f"  {diagnostic.code}", style="dim")
        console.print(line)
    count = Counter(diagnostic.severity for diagnostic in found)
    summary = f"{_count(count['error'], 'error')}, {_count(count['warning'], 'warning')}, {count['info']} info"
    console.print(Text(f"{_count(files, 'file')}: {summary}", style="bold red" if count["error"] else "bold green"))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


class _AssetCategories(Mapping[str, "KnownCategory"]):
    """The categories that this installation has assets for; an asset is only made when a rule asks about it."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    @classmethod
    def load(cls) -> _AssetCategories | None:
        """Return the categories, or None where the assets are not installed."""
        try:
            from proctor.assets import categories
        except ImportError:
            return None
        return cls(categories())

    def __getitem__(self, name: str) -> KnownCategory:
        from proctor.assets import inner_radius_m, make
        from proctor.tasks.cbddl import KnownCategory

        if name not in self.names:
            raise KeyError(name)
        asset = make(name, 0)
        contains = any(site.kind == "contain" for site in asset.sites)
        return KnownCategory(contains, asset.nouns, inner_radius_m(asset))

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)
