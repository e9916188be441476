"""Who is asked: a chat endpoint by URL, a Python callable by import path, or a file of answers."""

from __future__ import annotations

import importlib
import json
import operator
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from proctor.core import EpisodeSpec, ProctorError
from proctor.core.chat import KEY_VARIABLE, Chat, ChatError, ChatTimeoutError, Reply


class ModelError(ProctorError):
    """The model could not be found or reached."""


class Model(Protocol):
    """Answers messages."""

    @property
    def name(self) -> str:
        """What rows and pages call it."""
        ...

    def ask(self, messages: Sequence[Mapping[str, Any]], spec: EpisodeSpec | None = None) -> Reply:
        """Return the answer to ``messages``, which are about ``spec``; raises `proctor.core.chat.ChatError`."""
        ...


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How to ask; for an endpoint. None leaves a setting to the server."""

    model_name: str = ""
    key_variable: str = KEY_VARIABLE
    timeout_s: float = 120.0
    retries: int = 4
    pause_s: float = 1.0
    max_tokens: int | None = None
    temperature: float | None = 0.0
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class EndpointModel:
    """A model behind a chat endpoint."""

    chat: Chat

    @property
    def name(self) -> str:
        """The model's name, which says more than where it runs today."""
        return self.chat.model

    def ask(self, messages: Sequence[Mapping[str, Any]], spec: EpisodeSpec | None = None) -> Reply:
        return self.chat.ask(messages)


@dataclass(frozen=True, slots=True)
class CallableModel:
    """A function of the messages that returns a text, or a mapping with ``text`` and what else a `Reply` has."""

    path: str
    function: Callable[[list[dict[str, Any]]], Any]

    @property
    def name(self) -> str:
        return self.path

    def ask(self, messages: Sequence[Mapping[str, Any]], spec: EpisodeSpec | None = None) -> Reply:
        """Call the function; whatever it raises is an error of the model, not of the run."""
        began = time.monotonic()
        try:
            said = self.function([dict(message) for message in messages])
        except TimeoutError as error:
            raise ChatTimeoutError(f"{self.path} timed out: {error}") from error
        except Exception as error:
            line = str(error).partition("\n")[0]
            raise ChatError(f"{self.path} raised {type(error).__name__}: {line}") from error
        wall_s = time.monotonic() - began
        if isinstance(said, str):
            return Reply(said, "stop", wall_s=wall_s)
        if isinstance(said, Reply):
            return said
        if isinstance(said, Mapping) and isinstance(said.get("text"), str):
            finish, refusal = (str(said.get(key) or "") for key in ("finish", "refusal"))
            tokens_in, tokens_out = (_count(said.get(key)) for key in ("tokens_in", "tokens_out"))
            return Reply(said["text"], finish, refusal, tokens_in, tokens_out, wall_s=wall_s)
        raise ChatError(f"{self.path} returned {type(said).__name__}: return a text, or a mapping with 'text'")


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """Answers that were given elsewhere: a line of JSON each, with ``task``, ``episode`` and ``answer``."""

    path: Path
    answers: Mapping[tuple[str, int], str]

    @property
    def name(self) -> str:
        return self.path.stem

    def ask(self, messages: Sequence[Mapping[str, Any]], spec: EpisodeSpec | None = None) -> Reply:
        """Look the answer up; a question that the file does not answer is an error of its own, not a failure."""
        assert spec is not None
        for task in (spec.task, spec.task.partition("@")[0]):
            if (task, spec.episode) in self.answers:
                return Reply(self.answers[task, spec.episode], "stop")
        raise ChatError(f"{self.path} has no answer to episode {spec.episode} of {spec.task}")


def read_answers(path: Path) -> AnswerFile:
    """Read a file of answers; raises `ModelError` with the line of the mistake."""
    answers = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise ModelError(f"--model {path}: {getattr(error, 'strerror', None) or error}") from None
    for number, line in enumerate(lines, start=1):
        try:
            match json.loads(line or "null"):
                case {"task": str(task), "episode": int(episode), "answer": str(answer)}:
                    answers[task, episode] = answer
                case None:
                    pass
                case _:
                    raise ValueError("write task, episode (a number) and answer (a text)")
        except ValueError as error:
            raise ModelError(f"--model {path}: line {number}: {error}") from None
    return AnswerFile(path, answers)


def load_model(text: str, settings: ModelSettings | None = None) -> Model:
    """Return the model that ``text`` names: ``http://host:port/v1``, ``package.module:callable`` or ``FILE.jsonl``."""
    if text.endswith(".jsonl"):
        return read_answers(Path(text))
    settings = settings or ModelSettings()
    if text.startswith(("http://", "https://")):
        if not settings.model_name:
            raise ModelError(f"--model {text}: name the model too, as in --model-name qwen2.5-vl-7b")
        try:
            return EndpointModel(
                Chat(
                    text,
                    settings.model_name,
                    timeout_s=settings.timeout_s,
                    retries=settings.retries,
                    temperature=settings.temperature,
                    max_tokens=settings.max_tokens,
                    seed=settings.seed,
                    pause_s=settings.pause_s,
                    key_variable=settings.key_variable,
                )
            )
        except ChatError as error:
            raise ModelError(f"--model: {error}") from None
    module, colon, name = text.partition(":")
    if not colon or not module or not name or "/" in text:
        raise ModelError(f"--model {text!r}: write http://host:port/v1, package.module:callable, or FILE.jsonl")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        function = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise ModelError(f"--model {text}: {error}") from None
    except AttributeError:
        raise ModelError(f"--model {text}: module {module} has no {name!r}") from None
    except Exception as error:
        line = str(error).partition("\n")[0]
        raise ModelError(f"--model {text}: importing {module} raised {type(error).__name__}: {line}") from error
    if not callable(function):
        raise ModelError(f"--model {text}: {name} is a {type(function).__name__}, not a callable")
    return CallableModel(text, function)


def _count(value: Any) -> int | None:
    """Read a number of tokens, which may come from a library of numbers."""
    if isinstance(value, bool):
        return None
    try:
        number = operator.index(value)
    except TypeError:
        return None
    return number if number >= 0 else None
