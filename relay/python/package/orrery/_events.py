"""Server-sent events: the stream of `GET /events/stream`, line by line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ._values import OrreryError


@dataclass(frozen=True)
class Event:
    """One event of the stream."""

    #: Position in the stream. A reopened stream continues after it.
    id: str
    #: Type of the event, such as `DamageEvent`, or the name of a message about the stream: `gap`,
    #: `replaced`.
    kind: str
    #: Fields of the event.
    data: Any


class EventParser:
    """Reads the text form of server-sent events."""

    def __init__(self, last_id: str = "") -> None:
        #: Position of the last complete event.
        self.last_id = last_id
        self._id = last_id
        self._kind = ""
        self._data: list[str] = []

    @property
    def headers(self) -> dict[str, str]:
        """Headers that reopen the stream after the last event."""
        return {"last-event-id": self.last_id} if self.last_id else {}

    def feed(self, line: bytes) -> Event | None:
        """Parses one line. An empty line completes an event, which is returned."""
        text = line.decode("utf-8").rstrip("\r\n")
        if text == "":
            return self._complete()
        name, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "id":
            self._id = value
        elif name == "event":
            self._kind = value
        elif name == "data":
            self._data.append(value)
        return None

    def _complete(self) -> Event | None:
        self.last_id = self._id
        lines, self._data = self._data, []
        kind, self._kind = self._kind, ""
        if not lines:
            return None
        text = "\n".join(lines)
        try:
            data = json.loads(text)
        except ValueError:
            data = text
        if kind == "end":
            raise OrreryError(200, data if isinstance(data, dict) else {"message": text})
        data_type = data.get("type") if isinstance(data, dict) else None
        return Event(self.last_id, kind or data_type or "message", data)
