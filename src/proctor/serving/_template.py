"""``proctor serve --template``: the stand-alone modules, an adapter or an example, and a main line, as one file.

The file is made from the modules that the package itself runs, so that there is no second implementation to go stale.
"""

from __future__ import annotations

import ast
from pathlib import Path

from proctor import __version__
from proctor.core import ProctorError
from proctor.policies.adapters import adapter_classes, adapter_source

PACKAGE = Path(__file__).parents[1]
MODULES = (
    "policies/wire/_frames.py",
    "policies/wire/_shared.py",
    "policies/wire/_bell.py",
    "policies/wire/_router.py",
    "policies/_batching.py",
    "serving/_alone.py",
)
# What the modules import from one another; in the one file it is there already.
_OURS = ("proctor.", "_batching", "_bell", "_frames", "_router", "_shared")

_HEAD = '''"""A policy server in one file, made by `proctor serve --template{argument}` (version {version}).

It runs in the model's own environment: Python 3.10 or later with numpy, msgpack and pyzmq
(`pip install numpy msgpack pyzmq`){needs}. Start it, then examine the policy from anywhere:

    python THIS_FILE.py --port 8000{example}
    proctor run arena --policy proctor://127.0.0.1:8000

{edit}
"""

from __future__ import annotations
'''

_EXAMPLE = '''
class MyPolicy:
    """Your policy. Load the model in __init__; keyword arguments come from --arg key=value."""

    def __init__(self, speed: float = 0.0) -> None:
        self.speed = speed
        self.instructions: dict[str, str] = {}

    def spec(self) -> dict[str, Any]:
        """Say what the policy needs and returns; other keys have Proctor's defaults."""
        return {"name": "my-policy", "cameras": ("agentview", "wrist"), "image_size": 256, "chunk": 8}

    def begin(self, session: str, instruction: str, episode: dict[str, Any]) -> None:
        """Begin an episode: reset whatever is remembered for this session."""
        self.instructions[session] = instruction

    def act_batch(self, sessions: list[str], observations: list[Seen]) -> list[Any]:
        """Return, for each session, actions [H, 7] in [-1, 1]: x, y, z, rotation (axis-angle), gripper (-1 opens)."""
        actions = []
        for seen in observations:
            picture = seen.images["agentview"]  # uint8 [256, 256, 3], upright
            chunk = np.zeros((8, 7), dtype=np.float32)
            chunk[:, 2] = self.speed * float(picture.mean()) / 255.0
            chunk[:, 6] = -1.0
            actions.append(chunk)
        return actions

    def end(self, session: str) -> None:
        """Forget a session."""
        self.instructions.pop(session, None)
'''


def template_text(adapter: str | None = None) -> str:
    """Return the single-file server: with ``adapter`` (see `adapter_names`) or with a class to fill in.

    ``adapter`` may say which of its classes to serve, as ``lerobot:SmolVLA``; the default is the last.
    """
    parts = [_module(PACKAGE / name) for name in MODULES]
    if adapter is None:
        policy, body = "MyPolicy", _EXAMPLE
        head = _HEAD.format(
            argument="", version=__version__, needs="", example="", edit="Fill in class MyPolicy at the end."
        )
    else:
        name, _, wanted = adapter.removeprefix("proctor.policies.adapters.").partition(":")
        classes = adapter_classes(name)
        policy, body = wanted or classes[-1], adapter_source(name)
        if policy not in classes:
            raise ProctorError(f"adapter {name!r} has no class {policy!r} (it has {', '.join(classes)})")
        head = _HEAD.format(
            argument=f" {adapter}",
            version=__version__,
            needs=", and what the model needs",
            example=" --arg checkpoint=PATH",
            edit=f"It serves {policy}, whose arguments are given with --arg key=value.",
        )
    _require_apart([*parts, body])
    main = f'if __name__ == "__main__":\n    stand_alone_main({policy})\n'
    return "\n\n".join([head.rstrip("\n"), *(part.strip("\n") for part in parts), body.strip("\n"), main])


def _module(path: Path) -> str:
    """Return a module's text without docstring, imports of ours and ``from __future__``, under a line with its name."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.parse(text).body:
        ours = isinstance(node, ast.ImportFrom) and (
            node.module == "__future__" or (node.module or "").startswith(_OURS)
        )
        docstring = node.lineno == 1 and isinstance(node, ast.Expr)
        if ours or docstring:
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = ""
    body = "\n".join(lines).strip("\n")
    while "\n\n\n\n" in body:
        body = body.replace("\n\n\n\n", "\n\n\n")
    return f"# ---- proctor/{path.relative_to(PACKAGE)}\n\n{body}\n"


def _require_apart(parts: list[str]) -> None:
    """All parts share one namespace: a name defined in two of them would break the first."""
    owner: dict[str, int] = {}
    for number, part in enumerate(parts):
        for node in ast.parse(part).body:
            names = [node.name] if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else []
            if isinstance(node, ast.Assign):
                names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            for name in names:
                if owner.setdefault(name, number) != number:
                    raise ProctorError(f"the template cannot be made: {name!r} is defined in two of its modules")
