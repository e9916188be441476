"""A blocking WebSocket connection of a policy. Whatever goes wrong is one line that names the server."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

from proctor.policies.wire import MAX_FOREIGN_BYTES, WireError, split_address

_CONNECT_S = 10.0
_CLOSE_S = 1.0
_TOO_LARGE = 1009


class WebSocketLink:
    """Connects when first used, and again after a fault. ``name`` is how errors call the server."""

    def __init__(self, name: str, address: str, timeout_s: float, headers: Mapping[str, str] | None = None) -> None:
        self.name, self.timeout_s = name, timeout_s
        host, port = split_address(address)
        self._uri = f"ws://[{host}]:{port}" if ":" in host else f"ws://{host}:{port}"
        self._headers = dict(headers or {})
        self._stack = contextlib.ExitStack()
        self._socket: ClientConnection | None = None

    @property
    def is_open(self) -> bool:
        """Whether there is a connection; it may still turn out to be dead."""
        return self._socket is not None

    def open(self) -> None:
        from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
        from websockets.sync.client import connect

        self.close()
        try:
            self._socket = self._stack.enter_context(
                connect(
                    self._uri,
                    additional_headers=self._headers,
                    compression=None,
                    max_size=MAX_FOREIGN_BYTES,
                    open_timeout=min(_CONNECT_S, self.timeout_s),
                    close_timeout=_CLOSE_S,
                    ping_interval=None,
                    proxy=None,
                )
            )
        except InvalidStatus as error:
            status = error.response.status_code
            hint = ": give the server's token with --policy-arg token=..." if status in (401, 403) else ""
            raise WireError(f"{self.name} refused the connection (HTTP {status}){hint}") from None
        except TimeoutError:
            raise WireError(f"{self.name} did not complete the handshake within {_CONNECT_S:g} s") from None
        except OSError as error:
            raise WireError(f"{self.name} cannot be reached ({error.strerror or error}): is a server there?") from None
        except ConnectionClosed:
            raise WireError(f"{self.name} cannot be reached (it hung up in the handshake): has it stopped?") from None
        except (WebSocketException, EOFError, ValueError) as error:
            raise WireError(f"{self.name} does not speak WebSocket: {' '.join(str(error).split())[:120]}") from None

    def send(self, data: bytes) -> None:
        assert self._socket is not None
        with self._faults("took no message"):
            self._socket.send(data)

    def receive(self, what: str) -> bytes | str:
        """Return the next frame: bytes, or text where the server sent text. ``what`` names what is waited for."""
        assert self._socket is not None
        with self._faults(f"sent no {what}"):
            data: bytes | str = self._socket.recv(timeout=self.timeout_s)
            return data

    def receive_bytes(self, what: str) -> bytes:
        """Return the next frame, which must be binary; a text is taken for the server's error."""
        data = self.receive(what)
        if isinstance(data, str):
            self.close()
            raise WireError(f"{self.name} answered with an error: {last_line(data)}")
        return data

    @contextlib.contextmanager
    def _faults(self, what: str) -> Iterator[None]:
        from websockets.exceptions import ConnectionClosed

        try:
            yield
        except TimeoutError:
            self.close()
            raise WireError(f"{self.name} {what} within {self.timeout_s:g} s") from None
        except ConnectionClosed as error:
            self.close()
            if error.sent and error.sent.code == _TOO_LARGE and not error.rcvd_then_sent:
                raise WireError(f"{self.name} sent more than {MAX_FOREIGN_BYTES} bytes in one message") from None
            how = f"code {error.rcvd.code} {error.rcvd.reason}".strip() if error.rcvd else "without a goodbye"
            raise WireError(f"{self.name} {what}: it closed the connection ({last_line(how)})") from None
        except BaseException:
            # An alarm that interrupts the wait leaves an answer under way, which must not pass for the next one.
            self.close()
            raise

    def close(self) -> None:
        """Close the connection; the next use opens another."""
        self._socket = None
        with contextlib.suppress(Exception):
            self._stack.close()


def last_line(text: str) -> str:
    """Return the last line of a traceback, where the error is."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "(empty)"
