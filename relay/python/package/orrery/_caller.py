"""Calls that wait for their answer, over connections that stay open."""

from __future__ import annotations

import http.client
import threading
import time
from typing import Any, Iterator, Mapping, TypeVar

from ._events import Event, EventParser
from ._values import DEFAULT_URL, Call, NoServerError, OrreryError, ServerAddress

Self = TypeVar("Self", bound="Caller")

#: Errors of a broken connection.
LOST = (OSError, http.client.HTTPException)


class Connections:
    """Open connections to one server. Threads may share this object."""

    def __init__(self, url: str, timeout: float) -> None:
        self.address = ServerAddress(url)
        self.timeout = timeout
        self.was_answered = False
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def open(self) -> http.client.HTTPConnection:
        address = self.address
        kind = http.client.HTTPSConnection if address.is_secure else http.client.HTTPConnection
        return kind(address.host, address.port, timeout=self.timeout)

    def exchange(self, call: Call) -> tuple[int, dict[str, str], bytes]:
        """Sends a call once."""
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        connection = connection or self.open()
        try:
            target = self.address.prefix + call.target
            connection.request(call.method, target, call.content or None, call.headers)
            response = connection.getresponse()
            content = response.read()
        except BaseException:
            connection.close()
            raise
        headers = {name.lower(): value for name, value in response.getheaders()}
        if response.will_close:
            connection.close()
        else:
            with self._lock:
                self._idle.append(connection)
        return response.status, headers, content

    def send(self, call: Call) -> Any:
        """Sends a call until it has a final answer. Raises `OrreryError` for a refusal."""
        while True:
            try:
                status, headers, content = self.exchange(call)
            except LOST as error:
                wait = call.wait_after_loss(error, self.was_answered)
                if wait is None:
                    raise NoServerError(self.address.url, error) from error
            else:
                self.was_answered = True
                wait = call.wait_after_answer(status, headers, content)
                if wait is None:
                    return call.answer(status, headers, content)
            time.sleep(wait)

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()


class Caller:
    """A world of a server: `main`, a fork, or a named world."""

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        world: str | None = None,
        token: str | None = None,
        agent: str | None = None,
        timeout: float = 600.0,
        _connections: Connections | None = None,
    ) -> None:
        """
        Args:
            url: Address of the server.
            world: World of all calls that name no other world. The default is main.
            token: Session of `auth.login`, for servers that require sign-in.
            agent: Name of the caller, as the list of calls shows it.
            timeout: Maximum time without data from the server (s).
        """
        self._connections = _connections or Connections(url, timeout)
        self.url = self._connections.address.url
        self.name = world
        self._headers: dict[str, str] = {}
        if token is not None:
            self._headers["authorization"] = f"Bearer {token}"
        if agent is not None:
            self._headers["x-agent"] = agent
        self._add_namespaces()

    def _add_namespaces(self) -> None:
        """Adds the namespaces of the routes."""

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        content: bytes | None = None,
        content_type: str = "application/json",
        accept: str | None = None,
        world: str | None = None,
        key: str | None = None,
    ) -> Any:
        """Makes any call, for example to a route of another version of the server.

        Args:
            query: Query parameters.
            body: JSON body of a POST.
            content: Bytes to send in place of a JSON body.
            accept: Media type in place of JSON. The answer is then `bytes`.
            world: World of the call. The default is the world of this object. Empty: the call names no world.
            key: Idempotency key. The default is a new one.
        """
        name = self.name if world is None else world
        headers = dict(self._headers)
        if key is not None:
            headers["idempotency-key"] = key
        return self._connections.send(
            Call(
                method,
                path,
                query={**(query or {}), **({"world": name} if name else {})},
                body=body,
                content=content,
                content_type=content_type,
                accept=accept,
                headers=headers,
            )
        )

    _send = call

    def _stream(
        self, path: str, *, query: Mapping[str, Any] | None = None, world: str | None = None
    ) -> Iterator[Event]:
        """Yields events as they arrive. After a lost connection it continues after the last event."""
        name = self.name if world is None else world
        fields = {**(query or {}), **({"world": name} if name else {})}
        parser = EventParser()
        attempts = Call("GET", path)
        while True:
            headers = {**self._headers, **parser.headers}
            call = Call("GET", path, query=fields, accept="text/event-stream", headers=headers)
            connection = self._connections.open()
            try:
                target = self._connections.address.prefix + call.target
                connection.request("GET", target, None, call.headers)
                response = connection.getresponse()
                if response.status >= 400:
                    answer_headers = {key.lower(): value for key, value in response.getheaders()}
                    content = response.read()
                    wait = attempts.wait_after_answer(response.status, answer_headers, content)
                    if wait is None:
                        call.answer(response.status, answer_headers, content)
                        return
                else:
                    self._connections.was_answered = True
                    attempts = Call("GET", path)
                    parser = EventParser(parser.last_id)
                    while line := response.readline():
                        event = parser.feed(line)
                        if event is not None:
                            yield event
                    wait = attempts.wait_after_loss(EOFError(), True)
            except LOST as error:
                wait = attempts.wait_after_loss(error, self._connections.was_answered)
                if wait is None:
                    raise
            finally:
                connection.close()
            time.sleep(wait or 0)

    def in_world(self: Self, name: str | None) -> Self:
        """Returns a client for another world, such as a fork. It shares the connections."""
        other = type(self)(self.url, world=name, _connections=self._connections)
        other._headers = self._headers
        return other

    def close(self) -> None:
        """Closes the connections. A later call opens new ones."""
        self._connections.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r}, world={self.name or 'main'!r})"


class Namespace:
    """Routes of one namespace, such as `world.forks`."""

    def __init__(self, caller: Caller) -> None:
        self._send = caller.call
        self._stream = caller._stream


__all__ = ["Caller", "Namespace", "OrreryError"]
