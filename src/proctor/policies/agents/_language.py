"""An agent driven by a language model behind a chat endpoint, or by a Python callable in its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from proctor.core import ProctorError
from proctor.core.chat import KEY_VARIABLE, ChatError, Reply
from proctor.planning import Model, ModelSettings, load_model, refuses

from ._answer import UnreadableError, read_answer
from ._policy import AgentPolicy
from ._prompt import observation_parts, system_text, without_old_pictures
from ._types import AgentObservation, Budget, Done, Level, Tool, ToolCall

UNREADABLE_IN_A_ROW = 3


class ModelMind:
    """Asks a model for each call; an answer that cannot be read is told so and asked for again, a few times."""

    def __init__(self, model: Model, level: Level) -> None:
        self._model, self._level = model, level
        self._messages: list[dict[str, Any]] = []
        self._asked = self._unreadable = self._uncounted = self._tokens_in = self._tokens_out = 0

    def reset(self, instruction: str, tools: Sequence[Tool]) -> None:
        self._messages = [{"role": "system", "content": system_text(tools, self._level)}]
        self._asked = self._unreadable = self._uncounted = self._tokens_in = self._tokens_out = 0

    def step(self, observation: AgentObservation) -> ToolCall | Done:
        """Return the model's next call; it stops where the model refuses or cannot be read."""
        first = len(self._messages) == 1
        self._say(observation_parts(observation, first))
        for _ in range(UNREADABLE_IN_A_ROW):
            reply = self._ask()
            self._messages.append({"role": "assistant", "content": reply.text})
            try:
                return read_answer(reply.text)
            except UnreadableError as error:
                if refuses(reply):
                    return Done("refused")
                self._unreadable += 1
                cut = " It was cut off at the limit of tokens." if reply.finish == "length" else ""
                self._say([{"type": "text", "text": f"Your answer could not be read: {error}.{cut} Answer again."}])
        return Done("unreadable answers")

    def _say(self, parts: list[dict[str, Any]]) -> None:
        self._messages.append({"role": "user", "content": parts})

    def _ask(self) -> Reply:
        """Ask, and count. A server that fails is an error of the policy, not of the model's judgement."""
        self._messages = without_old_pictures(self._messages)
        try:
            reply = self._model.ask(self._messages)
        except ChatError as error:
            raise ProctorError(str(error)) from None
        self._asked += 1
        if reply.tokens_in is None or reply.tokens_out is None:
            self._uncounted += 1
        self._tokens_in += reply.tokens_in or 0
        self._tokens_out += reply.tokens_out or 0
        return reply

    def spent(self) -> Mapping[str, Any]:
        """Return how often the model was asked, and its tokens; ``uncounted`` answers came without counts."""
        return {
            "model": self._model.name,
            "asked": self._asked,
            "unreadable": self._unreadable,
            "tokens_in": self._tokens_in,
            "tokens_out": self._tokens_out,
            "uncounted": self._uncounted,
        }


class LanguageAgent(AgentPolicy):
    """A language model in a body.

    ``url`` is an OpenAI-compatible endpoint (``http://host:port/v1``, with ``model`` what it calls the model), or
    ``package.module:callable``. The endpoint's key is in the environment variable named by ``key_env``; no row, log or
    error holds it.
    """

    name = "language-agent"

    def __init__(
        self,
        url: str,
        model: str = "",
        perception: Level = "marks",
        calls: int = 60,
        tokens: int = 400_000,
        wall_s: float = 1800.0,
        views: str = "head,left,right",
        temperature: float = 0.0,
        max_tokens: int = 1024,
        timeout_s: float = 55.0,
        retries: int = 3,
        pause_s: float = 1.0,
        key_env: str = KEY_VARIABLE,
    ) -> None:
        _refuse_secrets(self.name, url, key_env)
        if not model and url.startswith(("http://", "https://")):
            raise ProctorError(f"policy {self.name!r}: name the model too, as in model=qwen2.5-vl-7b")
        settings = ModelSettings(model, key_env, timeout_s, retries, pause_s, max_tokens, temperature, None)
        asked = load_model(url, settings)
        super().__init__(
            ModelMind(asked, perception),
            perception,
            budget=Budget(calls, tokens, wall_s),
            cameras=tuple(camera for camera in views.replace(" ", "").split(",") if camera),
            version=f"1-{asked.name}",
        )


def _refuse_secrets(name: str, url: str, key_env: str) -> None:
    """Arguments of a policy are written into every row: a key among them would be, too."""
    try:
        parts = urlsplit(url) if url.startswith(("http://", "https://")) else None
        nowhere = parts is not None and (not parts.hostname or parts.port == 0)
    except ValueError as error:
        raise ProctorError(f"policy {name!r}: url is no address: {error}") from None
    if parts is not None and (parts.username or parts.password or parts.query or parts.fragment):
        raise ProctorError(f"policy {name!r}: url must hold no user, password or query; the key goes into ${key_env}")
    if nowhere:
        raise ProctorError(f"policy {name!r}: url {url} is no address: write http://host:port/v1")
    if not key_env.isidentifier() or key_env.lower().startswith(("sk_", "key_")):
        raise ProctorError(f"policy {name!r}: key_env is the name of an environment variable, not the key itself")
