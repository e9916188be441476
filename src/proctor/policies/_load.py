"""From the text after ``--policy`` (a registered name, an import path, a URL) to a policy, and what it is called.

Names come from the entry-point group ``proctor.policies``, which any installed package may extend. An import path
``package.module:Class`` may name a class or any callable that returns a policy; the current directory is searched too.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import json
import os
import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import CodeType
from typing import Any

from proctor.core import Policy, PolicySpec, ProctorError, did_you_mean
from proctor.policies.wire import TOKEN_VARIABLE

from ._sessions import SingleSession, is_batch
from .remote._url import is_url, parse_url, remote_factory

GROUP = "proctor.policies"
_IMPORT_PATH = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


class PolicyLoadError(ProctorError):
    """The policy could not be found or built."""


def registered() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def parse_policy(text: str, args: Sequence[str] = ()) -> tuple[str, dict[str, Any]]:
    """Split ``--policy`` and the ``--policy-arg key=value`` into a name and keyword arguments, without importing.

    ``name:key=value,key=value`` is a short form for registered names. ``scheme://host:port`` is a policy behind a wire.
    """
    if is_url(text):
        return _parse_remote(text, args)
    name, _, rest = text.partition(":")
    known = registered()
    if name in known:
        pairs = [*(part for part in rest.split(",") if part), *args]
    elif _IMPORT_PATH.fullmatch(text):
        name, pairs = text, list(args)
    elif ":" in text:
        raise PolicyLoadError(f"policy {text!r} is not an import path: write package.module:Class")
    else:
        hint = did_you_mean(text, known) or "; write package.module:Class for a policy of your own"
        raise PolicyLoadError(f"unknown policy {text!r} (known: {', '.join(sorted(known))}){hint}")
    return name, parse_arguments(pairs, "--policy-arg")


def _parse_remote(text: str, args: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Check a URL. A token goes into the environment, which workers inherit: rows and folders must not hold it."""
    url = parse_url(text)
    values = parse_arguments(args, "--policy-arg")
    if "token" in values:
        os.environ[TOKEN_VARIABLE] = str(values.pop("token"))
    return url.text, values


def parse_arguments(pairs: Sequence[str], option: str) -> dict[str, Any]:
    """Read ``key=value`` pairs; a value is read as JSON where it is JSON, else as text."""
    values: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.isidentifier():
            raise PolicyLoadError(f"{option} {pair!r}: write key=value")
        try:
            values[key] = json.loads(value, parse_constant=_no_constant)
        except ValueError:
            values[key] = value
    return values


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON, and would make a spec unequal to itself")


def load_policy(name: str, args: Mapping[str, Any] | None = None) -> Policy:
    """Build the policy called ``name`` (see `parse_policy`) with keyword arguments ``args``.

    A policy for many sessions (`BatchPolicy`) comes back as `SingleSession`, which is a `Policy`.
    """
    if is_url(name):
        url = parse_url(name)
        return _build(name, partial(remote_factory(url), url), args or {})
    entry = registered().get(name)
    factory = import_object(entry.value if entry else name, what="policy")
    if isinstance(factory, Policy) and not isinstance(factory, type):
        if args:
            raise PolicyLoadError(f"policy {name!r} is an object, not a class: it takes no --policy-arg")
        return factory
    if not callable(factory):
        raise PolicyLoadError(f"policy {name!r} is a {type(factory).__name__}: name a class or a function")
    return _build(name, factory, args or {})


def _build(name: str, factory: Callable[..., Any], args: Mapping[str, Any]) -> Policy:
    _check_arguments(name, factory, args)
    try:
        policy = factory(**args)
    except ProctorError:
        raise
    except Exception as error:
        raise PolicyLoadError(f"policy {name!r} could not be built: {describe_exception(error)}") from error
    if is_batch(policy):
        return SingleSession(policy)
    for method in ("spec", "reset", "act"):
        if not callable(getattr(policy, method, None)):
            raise PolicyLoadError(
                f"policy {name!r} has no method {method}(): it needs spec(), reset(instruction, episode) and "
                f"act(observation)"
            )
    return policy  # type: ignore[no-any-return]


def policy_spec(name: str, policy: Policy) -> PolicySpec:
    """Return the policy's spec; an empty fingerprint is filled with a hash of the file that defines the policy."""
    try:
        spec = policy.spec()
    except Exception as error:
        raise PolicyLoadError(f"policy {name!r} failed in spec(): {describe_exception(error)}") from error
    if not isinstance(spec, PolicySpec):
        raise PolicyLoadError(f"policy {name!r}: spec() returned {type(spec).__name__}, not proctor.core.PolicySpec")
    if spec.fingerprint:
        return spec
    text = _source_of(type(policy.inner if isinstance(policy, SingleSession) else policy))
    return replace(spec, fingerprint=f"source-{hashlib.sha256(text).hexdigest()[:12]}")


def _source_of(kind: type) -> bytes:
    """Return the file that defines a class; of one that was typed into a notebook, what its functions do."""
    try:
        source = inspect.getsourcefile(kind)
    except (OSError, TypeError):
        source = None
    if source and os.path.exists(source):
        return Path(source).read_bytes()
    codes = (getattr(value, "__code__", None) for _, value in sorted(vars(kind).items()))
    return b"".join(_code_bytes(code) for code in codes if code is not None)


def _code_bytes(code: CodeType) -> bytes:
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    plain = [const for const in code.co_consts if not isinstance(const, CodeType)]
    return code.co_code + repr((code.co_names, plain)).encode() + b"".join(map(_code_bytes, inner))


def import_object(text: str, *, what: str) -> Any:
    """Import ``package.module:attribute``; the current directory comes first, as for ``python script.py``."""
    module_name, _, attribute = text.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        value: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name and (module_name == error.name or module_name.startswith(error.name + ".")):
            raise PolicyLoadError(
                f"{what} {text!r}: there is no module {error.name!r} in {os.getcwd()} or among the installed packages"
            ) from None
        raise PolicyLoadError(f"{what} {text!r}: {describe_exception(error)}") from error
    except Exception as error:
        raise PolicyLoadError(f"{what} {text!r}: its module failed to import: {describe_exception(error)}") from error
    for part in attribute.split("."):
        if not hasattr(value, part):
            names = [name for name in dir(value) if not name.startswith("_")]
            raise PolicyLoadError(f"{what} {text!r}: {module_name} has no {part!r}{did_you_mean(part, names)}")
        value = getattr(value, part)
    return value


def _check_arguments(name: str, factory: Callable[..., Any], args: Mapping[str, Any]) -> None:
    try:
        signature = inspect.signature(factory)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(**args)
    except TypeError as error:
        unknown = [key for key in args if key not in signature.parameters]
        hint = did_you_mean(unknown[0], signature.parameters) if unknown else "; give it with --policy-arg key=value"
        raise PolicyLoadError(f"policy {name!r} takes {signature}: {error}{hint}") from None


def describe_exception(error: BaseException) -> str:
    """Return type, message and ``file:line`` of the innermost frame of the user's own code, on one line."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = str(Path(__file__).resolve().parents[1])
    libraries = tuple({*(p for p in sys.path if "site-packages" in p), str(Path(os.__file__).parent)})
    own = [f for f in frames if not f.filename.startswith((ours, *libraries, "<"))]
    frame = (own or list(frames))[-1] if frames else None
    message = " ".join(str(error).split())
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    if isinstance(error, SyntaxError) and error.filename:
        return f"{text} ({error.filename}:{error.lineno})"
    return f"{text} ({frame.filename}:{frame.lineno} in {frame.name})" if frame else text


# What a policy is called in rows, folders and reports, apart from how it is reached.

_NAME = re.compile(r"[^\s/\\][^\n\r\t/\\]{0,79}")


def policy_label(built_from: str, args: Mapping[str, Any], name: str | None) -> str:
    """Return ``name`` if given; for a server the name that it gives itself; else what ``--policy`` says.

    A server's address is where it is today, not what it is: with the address in the rows, the same checkpoint on
    another port could neither resume nor be paired.
    """
    if name is not None:
        check_name(name, built_from)
        return name
    if not is_url(built_from):
        return built_from
    policy = load_policy(built_from, args)
    try:
        return policy_spec(built_from, policy).name or built_from
    finally:
        close = getattr(policy, "close", None)
        if callable(close):
            close()


def check_name(name: str, built_from: str = "") -> None:
    """Refuse a name that would not fit a row or a folder, or that says something else already."""
    if not _NAME.fullmatch(name):
        raise ProctorError(f"--name {name!r}: use 1 to 80 characters, no line breaks or slashes")
    if name in registered() and name != built_from:
        raise ProctorError(f"--name {name!r} is the name of a built-in policy: choose another")
