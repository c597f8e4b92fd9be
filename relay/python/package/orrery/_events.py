"""Server-sent events: the stream of `GET /events/stream`, line by line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Event:
    """One event of the stream."""

    #: Position in the stream. A stream that is opened again resumes behind it.
    id: str
    #: Kind of the event, such as `damage`.
    kind: str
    #: Its fields.
    data: Any


class EventParser:
    """Reads the text form of server-sent events."""

    def __init__(self) -> None:
        self._id = ""
        self._kind = ""
        self._data: list[str] = []

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
        lines, self._data = self._data, []
        kind, self._kind = self._kind, ""
        if not lines:
            return None
        text = "\n".join(lines)
        try:
            data = json.loads(text)
        except ValueError:
            data = text
        return Event(self._id, kind or "message", data)
