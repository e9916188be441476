"""A client for any OpenAI-compatible chat endpoint: standard library only, imports nothing else of ours."""

from ._client import KEY_VARIABLE, Chat
from ._reply import ChatError, ChatTimeoutError, Reply

__all__ = ["KEY_VARIABLE", "Chat", "ChatError", "ChatTimeoutError", "Reply"]
