"""Calls for asyncio: HTTP/1.1 over connections that stay open."""

from __future__ import annotations

import asyncio
import ssl
from typing import Any, AsyncIterator, Mapping, TypeVar

from ._events import Event, EventParser
from ._values import DEFAULT_URL, Call, NoServerError, ServerAddress

Self = TypeVar("Self", bound="AsyncCaller")

#: Maximum length of a line of an answer's head, and of an event (bytes).
MAX_LINE = 16 * 1024 * 1024

#: Errors of a broken connection.
LOST = (OSError, EOFError, asyncio.TimeoutError)

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class AsyncConnections:
    """Open connections to one server, for one event loop."""

    def __init__(self, url: str, timeout: float) -> None:
        self.address = ServerAddress(url)
        self.timeout = timeout
        self.was_answered = False
        self._idle: list[Streams] = []

    async def open(self) -> Streams:
        address = self.address
        context = ssl.create_default_context() if address.is_secure else None
        return await asyncio.open_connection(
            address.host, address.port, ssl=context, limit=MAX_LINE
        )

    def head_of(self, call: Call) -> bytes:
        address = self.address
        host = f"[{address.host}]" if ":" in address.host else address.host
        lines = [
            f"{call.method} {address.prefix}{call.target} HTTP/1.1",
            f"host: {host}:{address.port}",
            *(f"{name}: {value}" for name, value in call.headers.items()),
        ]
        if call.content:
            lines.append(f"content-length: {len(call.content)}")
        text = "\r\n".join(lines)
        if text.count("\r\n") != len(lines) - 1 or "\0" in text:
            raise ValueError("A header must not contain a line end.")
        return f"{text}\r\n\r\n".encode("latin-1")

    async def exchange(self, call: Call) -> tuple[int, dict[str, str], bytes]:
        """Sends a call once."""
        reader, writer = self._idle.pop() if self._idle else await self.open()
        try:
            writer.write(self.head_of(call) + call.content)
            await writer.drain()
            status, headers = await read_head(reader)
            content = await read_content(reader, headers)
        except BaseException:
            writer.close()
            raise
        if headers.get("connection", "").lower() == "close":
            writer.close()
        else:
            self._idle.append((reader, writer))
        return status, headers, content

    async def send(self, call: Call) -> Any:
        """Sends a call until it has a final answer. Raises `OrreryError` for a refusal."""
        while True:
            try:
                status, headers, content = await asyncio.wait_for(self.exchange(call), self.timeout)
            except LOST as error:
                wait = call.wait_after_loss(error, self.was_answered)
                if wait is None:
                    raise NoServerError(self.address.url, error) from error
            else:
                self.was_answered = True
                wait = call.wait_after_answer(status, headers, content)
                if wait is None:
                    return call.answer(status, headers, content)
            await asyncio.sleep(wait)

    def close(self) -> None:
        idle, self._idle = self._idle, []
        for _, writer in idle:
            writer.close()


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """Reads the status and the headers of an answer."""
    status_line = await read_line(reader)
    status = int(status_line.split(" ", 2)[1])
    headers: dict[str, str] = {}
    while line := await read_line(reader):
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return status, headers


async def read_line(reader: asyncio.StreamReader) -> str:
    line = await reader.readline()
    if not line.endswith(b"\n"):
        raise EOFError("The server closed the connection.")
    return line.decode("latin-1").rstrip("\r\n")


async def read_content(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    """Reads the whole body of an answer."""
    if headers.get("transfer-encoding", "").lower() == "chunked":
        return b"".join([chunk async for chunk in read_chunks(reader)])
    length = headers.get("content-length")
    if length is None:
        return b""
    return await reader.readexactly(int(length))


async def read_chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while True:
        size = int((await read_line(reader)).split(";")[0], 16)
        if size == 0:
            while await read_line(reader):
                pass
            return
        yield await reader.readexactly(size)
        await read_line(reader)


class AsyncCaller:
    """A world of a server: `main`, a fork, or a named world."""

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        world: str | None = None,
        token: str | None = None,
        agent: str | None = None,
        timeout: float = 600.0,
        _connections: AsyncConnections | None = None,
    ) -> None:
        """
        Args:
            url: Address of the server.
            world: World of all calls that name no other world. The default is main.
            token: Session of `auth.login`, for servers that require sign-in.
            agent: Name of the caller, as the list of calls shows it.
            timeout: Maximum duration of one attempt (s).
        """
        self._connections = _connections or AsyncConnections(url, timeout)
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

    async def call(
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
        return await self._connections.send(
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

    async def _stream(
        self, path: str, *, query: Mapping[str, Any] | None = None, world: str | None = None
    ) -> AsyncIterator[Event]:
        """Yields events as they arrive. After a lost connection it continues after the last event."""
        name = self.name if world is None else world
        fields = {**(query or {}), **({"world": name} if name else {})}
        connections = self._connections
        parser = EventParser()
        attempts = Call("GET", path)
        while True:
            headers = {**self._headers, **parser.headers}
            call = Call("GET", path, query=fields, accept="text/event-stream", headers=headers)
            writer: asyncio.StreamWriter | None = None
            try:
                reader, writer = await connections.open()
                writer.write(connections.head_of(call))
                status, answer_headers = await read_head(reader)
                if status >= 400:
                    content = await read_content(reader, answer_headers)
                    wait = attempts.wait_after_answer(status, answer_headers, content)
                    if wait is None:
                        call.answer(status, answer_headers, content)
                        return
                else:
                    connections.was_answered = True
                    attempts = Call("GET", path)
                    parser = EventParser(parser.last_id)
                    rest = b""
                    async for chunk in read_chunks(reader):
                        *lines, rest = (rest + chunk).split(b"\n")
                        for line in lines:
                            event = parser.feed(line)
                            if event is not None:
                                yield event
                    wait = attempts.wait_after_loss(EOFError(), True)
            except LOST as error:
                wait = attempts.wait_after_loss(error, connections.was_answered)
                if wait is None:
                    raise
            finally:
                if writer is not None:
                    writer.close()
            await asyncio.sleep(wait or 0)

    def in_world(self: Self, name: str | None) -> Self:
        """Returns a client for another world, such as a fork. It shares the connections."""
        other = type(self)(self.url, world=name, _connections=self._connections)
        other._headers = self._headers
        return other

    async def close(self) -> None:
        """Closes the connections. A later call opens new ones."""
        self._connections.close()

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r}, world={self.name or 'main'!r})"


class AsyncNamespace:
    """Routes of one namespace, such as `world.forks`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._send = caller.call
        self._stream = caller._stream
