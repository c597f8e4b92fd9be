"""Server-sent events: the stream of `GET /events/stream`, line by line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ._values import OrreryError


@dataclass(frozen=True)
class Event:
    """One event of the stream."""

    #: Position in the stream. A stream that is opened again resumes behind it.
    id: str
    #: Type of the event, such as `DamageEvent`, or the name of a message about the stream: `gap`,
    #: `replaced`.
    kind: str
    #: Its fields.
    data: Any


class EventParser:
    """Reads the text form of server-sent events."""

    def __init__(self, last_id: str = "") -> None:
        #: Position behind the last event that came as a whole.
        self.last_id = last_id
        self._id = last_id
        self._kind = ""
        self._data: list[str] = []

    @property
    def headers(self) -> dict[str, str]:
        """Headers with which a stream is opened again."""
        return {"last-event-id": self.last_id} if self.last_id else {}

    def feed(self, line: bytes) -> Event | None:
        """Takes one line. Returns the event that an empty line completes."""
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
        own = data.get("type") if isinstance(data, dict) else None
        return Event(self.last_id, kind or own or "message", data)
