"""What every policy behind a foreign wire does: choose a host per episode, reconnect after a fault, name the server."""

from __future__ import annotations

import contextlib
import logging
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from proctor.core import EpisodeSpec, Observation, PolicySpec
from proctor.policies.wire import (
    CodecError,
    Convention,
    RefusedError,
    WireError,
    as_actions,
    gripper_in,
    token_from_environment,
)

from .._exchange import note_answer, note_sent
from ._url import PolicyUrl, parse_url
from ._worlds import Worlds

_LOG = logging.getLogger(__name__)


class Link(Protocol):
    """A connection to one server."""

    name: str

    @property
    def is_open(self) -> bool: ...

    def close(self) -> None:
        """Close it; the next use opens another."""
        ...


L = TypeVar("L", bound=Link)


class ForeignPolicy(ABC, Generic[L]):
    """A policy on one server or on several replicas. A fault is a `WireError` naming the server, and closes the link.

    A foreign server does not say how busy it is, so each episode takes a replica by chance; one that cannot be reached
    before an episode is passed over.
    """

    _convention: Convention
    _worlds: Worlds

    def __init__(self, url: PolicyUrl | str, token: str, timeout: float) -> None:
        self.url = parse_url(url) if isinstance(url, str) else url
        if not isinstance(timeout, int | float) or timeout <= 0:
            raise WireError(f"policy {self.url.text!r}: timeout={timeout!r} is no number of seconds above 0")
        self.token, self.timeout_s = token or token_from_environment(), float(timeout)
        self._links = [self._link(f"{self.url.scheme}://{host}", host) for host in self.url.hosts]
        self._chosen = self._links[0]
        self._spec: PolicySpec | None = None

    @abstractmethod
    def _link(self, name: str, address: str) -> L:
        """Make the link to one host, not yet connected."""

    @abstractmethod
    def _greet(self, link: L) -> PolicySpec:
        """Connect, read what the server says about itself, and return the spec that follows."""

    @abstractmethod
    def _begin(self, link: L, instruction: str, episode: EpisodeSpec) -> None:
        """Tell the server that an episode begins, where the wire has a word for it."""

    @abstractmethod
    def _compose(self, observation: Observation) -> dict[str, Any]:
        """Return the observation as the server wants it, not yet encoded."""

    @abstractmethod
    def _exchange(self, link: L, request: dict[str, Any]) -> Any:
        """Send what was composed and return the actions of the answer as they came."""

    def spec(self) -> PolicySpec:
        """Meet every host once, so that a run is refused now and not in its middle; return what they serve."""
        if self._spec is None:
            problems = []
            for link in self._links:
                try:
                    self._meet(link)
                except RefusedError:
                    raise
                except WireError as error:
                    problems.append(error)
            if self._spec is None:
                raise problems[0]
        return self._spec

    def _meet(self, link: L) -> None:
        with self._named(link):
            spec = self._greet(link)
        if self._spec is not None and spec != self._spec:
            raise RefusedError(
                f"{link.name} serves {spec.name!r} ({spec.fingerprint}), not {self._spec.name!r} "
                f"({self._spec.fingerprint}) as before: replicas must serve the same policy, and it must not change"
            )
        self._spec = spec
        told = (link.name, spec.name, spec.fingerprint, spec.cameras, spec.image_size, spec.chunk)
        _LOG.info("%s serves %s (%s): cameras %s at %d pixels, chunks of %d", *told)

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        """Choose a replica and begin the episode there."""
        self.spec()
        problem: WireError | None = None
        for link in random.sample(self._links, len(self._links)):
            try:
                if not link.is_open:
                    self._meet(link)
                with self._named(link):
                    self._begin(link, instruction, episode)
            except RefusedError:
                raise
            except WireError as error:
                link.close()
                problem = error
                _LOG.info("passed over: %s", error)
                continue
            self._chosen = link
            return
        assert problem is not None
        raise problem

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """Send the observation and return the server's actions [H, D]."""
        link = self._chosen
        if not link.is_open:
            raise WireError(f"{link.name} was lost in this episode")
        with self._named(link):
            request = self._compose(observation)
            note_sent(link.name, request)
            answer = self._exchange(link, request)
            note_answer(answer)
            return self._converted(answer)

    def _converted(self, answer: Any) -> NDArray[np.float64]:
        """Return the server's actions in our convention: the first of its chunk, our gripper's sign, our motion."""
        spec = self.spec()
        actions = gripper_in(as_actions(answer, spec.action_dim, spec.chunk), self._convention.gripper)
        return np.asarray(self._worlds.actions(actions), dtype=np.float64)

    @contextlib.contextmanager
    def _named(self, link: L) -> Iterator[None]:
        try:
            yield
        except CodecError as error:
            link.close()
            raise WireError(f"{link.name} sent no proper answer: {error}") from None
        except BaseException:
            link.close()
            raise

    def close(self) -> None:
        for link in self._links:
            link.close()
