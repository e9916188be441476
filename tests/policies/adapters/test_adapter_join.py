"""Every adapter as one file that needs only NumPy to be read: Python 3.10, nothing of ours, nothing heavy on top."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from proctor.core import ProctorError
from proctor.policies.adapters import adapter_classes, adapter_names, adapter_source

OURS = ("gr00t", "openpi", "openvla", "openvla_oft", "univla", "vla_adapter", "xiaomi_robotics_0")


def test_all_are_there() -> None:
    assert set(OURS) <= set(adapter_names())


@pytest.mark.parametrize("name", adapter_names())
def test_one_file_of_python_3_10_that_imports_numpy_only(name: str) -> None:
    tree = ast.parse(adapter_source(name), feature_version=(3, 10))
    allowed = set(sys.stdlib_module_names) - {"__future__"} | {"numpy"}
    for node in tree.body:
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= allowed
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert str(node.module).split(".")[0] in allowed
    defined = [node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    assert len(defined) == len(set(defined)), "two joined modules define the same name"
    assert set(adapter_classes(name)) <= set(defined)


@pytest.mark.parametrize("name", OURS)
def test_the_joined_file_runs_without_proctor(name: str, tmp_path: Path) -> None:
    (kind,) = adapter_classes(name)
    text = "\n".join(
        [
            "from __future__ import annotations",
            "import sys",
            "class Block:",
            "    def find_spec(self, name, path=None, target=None):",
            "        if name.split('.')[0] in ('proctor', 'torch', 'transformers', 'PIL', 'scipy'):",
            "            raise ImportError(f'{name} is blocked')",
            "sys.meta_path.insert(0, Block())",
            adapter_source(name),
            f"print({kind}.name, {kind}.chunk)",
        ]
    )
    path = tmp_path / "alone.py"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == name


def test_an_unknown_adapter_is_named_with_the_nearest() -> None:
    with pytest.raises(ProctorError, match=r"no adapter 'openvl' .*openvla"):
        adapter_source("openvl")
