"""The language package's view of a chat endpoint: one system text, one prompt, one answer."""

from __future__ import annotations

from dataclasses import dataclass

from proctor.core.chat import Chat, ChatError

from ._errors import LanguageError


class EndpointError(LanguageError):
    """The endpoint could not be reached, refused, or gave something else than an answer."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to ask: ``url`` up to ``/v1``; the key, if the server wants one, is read from ``$PROCTOR_ENDPOINT_KEY``."""

    url: str
    model: str
    timeout_s: float = 60.0
    retries: int = 3
    temperature: float = 0.7
    pause_s: float = 1.0

    def __post_init__(self) -> None:
        self._chat()

    def ask(self, system: str, prompt: str) -> str:
        """Return the answer to one prompt. A busy server or a timeout is asked again, up to ``retries`` times."""
        messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
        try:
            return self._chat().ask(messages).text
        except ChatError as error:
            raise EndpointError(str(error)) from None

    def _chat(self) -> Chat:
        try:
            return Chat(
                self.url,
                self.model,
                timeout_s=self.timeout_s,
                retries=self.retries,
                temperature=self.temperature,
                pause_s=self.pause_s,
            )
        except ChatError as error:
            raise EndpointError(str(error)) from None
