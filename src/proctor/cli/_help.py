"""Help pages as plain text in two columns, grouped, and readable in a terminal of 80 columns.

Typer's own pages spend half of such a terminal on frames and types. These are laid out here, and every command gets
them through its class: `HelpGroup` and `HelpCommand`.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable
from typing import Any

import typer
import typer.core

WIDEST = 100
LEFT_MOST = 26
OPTIONS = "Options"
LONGEST_CHOICES = 18
MANY = "WHICH"
_TYPES = {"int": "N", "float": "X", "path": "PATH", "directory": "DIR", "file": "FILE"}


class _Paged:
    """Gives a command our page."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the page."""
        formatter.write(page(self, ctx))

    def get_usage(self, ctx: Any) -> str:
        """Return the first line of the page, which errors show too."""
        return _usage(self, ctx)


class HelpCommand(_Paged, typer.core.TyperCommand):
    """A command whose help page is laid out by us."""


class HelpGroup(_Paged, typer.core.TyperGroup):
    """A group whose help page is laid out by us."""


def adopt(application: typer.Typer) -> None:
    """Give the commands and groups of a sub-application our pages, and one-line errors."""
    application.info.cls = HelpGroup
    application.rich_markup_mode = None
    for command in application.registered_commands:
        command.cls = HelpCommand
    for group in application.registered_groups:
        group.cls = HelpGroup
        if group.typer_instance is not None:
            adopt(group.typer_instance)


def arrange(command: Any, panels: dict[str, tuple[str, ...]]) -> None:
    """Put a command's options under headings, in the order of ``panels``."""
    place = {name: (heading, number) for heading, names in panels.items() for number, name in enumerate(names)}
    headings = list(panels)
    for param in command.params:
        if param.name in place:
            param.rich_help_panel = place[param.name][0]
    order = {name: (headings.index(heading), number) for name, (heading, number) in place.items()}
    command.params.sort(key=lambda param: order.get(param.name, (-1, 0)))


def page(command: Any, ctx: Any) -> str:
    """Return a command's help page."""
    width = min(shutil.get_terminal_size().columns, WIDEST) - 1
    parts = [_usage(command, ctx), *_paragraphs(command.help or "", width)]
    arguments = [param for param in command.params if param.param_type_name == "argument" and not _hidden(param)]
    if arguments:
        rows = [(_argument_name(param), _described(param, ctx)) for param in arguments]
        parts.append(_section("Arguments", rows, width))
    if isinstance(command, typer.core.TyperGroup):
        for heading, commands in _panels(command.commands.values(), "Commands"):
            rows = [(one.name or "", one.get_short_help_str(200)) for one in commands]
            parts.append(_section(heading, rows, width))
    options = [p for p in command.get_params(ctx) if p.param_type_name == "option" and not _hidden(p)]
    for heading, params in _panels(options, OPTIONS):
        parts.append(_section(heading, [(_option_name(param, ctx), _described(param, ctx)) for param in params], width))
    parts += _paragraphs(command.epilog or "", width)
    return "\n\n".join(parts) + "\n"


def _usage(command: Any, ctx: Any) -> str:
    words = [ctx.command_path]
    for param in command.params:
        if param.param_type_name == "argument":
            name = _argument_name(param)
            words.append(name if param.required else f"[{name}]")
    for param in command.params:
        if param.param_type_name == "option" and param.required:
            words.append(f"{param.opts[0]} {_type_of(param, ctx)}")
    words.append("COMMAND [ARGS]..." if isinstance(command, typer.core.TyperGroup) else "[OPTIONS]")
    return f"{typer.style('Usage:', bold=True)} {' '.join(words)}"


def _paragraphs(text: str, width: int) -> list[str]:
    return [textwrap.fill(" ".join(part.split()), width) for part in text.split("\f")[0].split("\n\n") if part.strip()]


def _panels(items: Iterable[Any], default: str) -> list[tuple[str, list[Any]]]:
    """Return the items under their headings, in the order in which headings first appear; ``Options`` comes last."""
    found: dict[str, list[Any]] = {}
    for item in items:
        panel = getattr(item, "rich_help_panel", None)
        found.setdefault(panel if isinstance(panel, str) else default, []).append(item)
    return sorted(found.items(), key=lambda entry: entry[0] == OPTIONS)


def _section(heading: str, rows: list[tuple[str, str]], width: int) -> str:
    left = min(max(len(name) for name, _ in rows), LEFT_MOST)
    lines = [typer.style(f"{heading}:", bold=True)]
    for name, text in rows:
        wrapped = textwrap.wrap(text, max(width - left - 4, 20)) or [""]
        if len(name) > left:
            lines.append("  " + typer.style(name, fg=typer.colors.CYAN))
        else:
            lines.append("  " + typer.style(name, fg=typer.colors.CYAN) + " " * (left - len(name) + 2) + wrapped.pop(0))
        lines += [" " * (left + 4) + rest for rest in wrapped]
    return "\n".join(line.rstrip() for line in lines)


def _hidden(param: Any) -> bool:
    return bool(getattr(param, "hidden", False))


def _argument_name(param: Any) -> str:
    name = (param.metavar or param.name).strip("{}").removesuffix("...").upper()
    return f"{name}..." if param.nargs != 1 else name


def _option_name(param: Any, ctx: Any) -> str:
    short = [name for name in param.opts if not name.startswith("--")]
    long = [name for name in param.opts if name.startswith("--")] + list(param.secondary_opts)
    name = ", ".join([*short, " / ".join(long)])
    return name if _is_flag(param) else f"{name} {_type_of(param, ctx)}"


def _is_flag(param: Any) -> bool:
    return bool(getattr(param, "is_flag", False) or getattr(param, "count", False))


def _type_of(param: Any, ctx: Any) -> str:
    """Return what stands for a value: the parameter's own name for it, short choices, or a word for its type."""
    if param.metavar:
        return str(param.metavar)
    label = str(param.display_type(ctx)).strip("<>").removeprefix("list[").removesuffix("]")
    if "|" in label:
        return label if len(label) <= LONGEST_CHOICES else MANY
    return _TYPES.get(label.split()[0].lower(), "TEXT")


def _described(param: Any, ctx: Any) -> str:
    """Return a parameter's help with its choices, if they stand nowhere else, and its default."""
    text = " ".join((getattr(param, "help", None) or "").split())
    if not _is_flag(param) and _type_of(param, ctx) == MANY:
        text += f" One of {', '.join(str(param.display_type(ctx)).strip('<>').split('|'))}."
    shown = _default(param, ctx)
    if shown:
        text += f" [default: {shown}]"
    variable = getattr(param, "envvar", None)
    if variable and getattr(param, "show_envvar", False):
        text += f" [variable: {variable}]"
    return text


def _default(param: Any, ctx: Any) -> str:
    show = getattr(param, "show_default", False)
    if isinstance(show, str):
        return show
    value = param.get_default(ctx, call=False)
    if show is False or value is None or value is False or value in ("", (), []) or callable(value) or param.required:
        return ""
    return str(getattr(value, "value", value))
