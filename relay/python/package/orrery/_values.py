"""What both clients share: errors, addresses, bodies, and when a call is sent again."""

from __future__ import annotations

import json
import time
import uuid
from typing import Any, Mapping
from urllib.parse import quote, urlencode, urlsplit

DEFAULT_URL = "http://127.0.0.1:3917"

#: Seconds for which a call that met a lost connection or a busy server is sent again.
RETRY_SECONDS = 30.0
#: Seconds before the second attempt; twice as long before each that follows.
FIRST_WAIT = 0.1
MAX_WAIT = 2.0

#: Refusals that pass by themselves: no engine yet, or the one that was there is gone.
PASSING = frozenset({"no_engine", "engine_lost", "not_kept", "busy"})


class Null:
    """Type of `NULL`."""

    def __repr__(self) -> str:
        return "orrery.NULL"


#: Sends null for a field. A parameter that is None is left out.
NULL: Any = Null()


class OrreryError(Exception):
    """A refused call. `fix` says what to send instead."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        self.status = status
        #: Word from the closed list of errors, such as `invalid_body`.
        self.code: str = str(body.get("code", "unknown"))
        self.message: str = str(body.get("message", body.get("error", "The call was refused.")))
        self.fix: str = str(body.get("fix", ""))
        #: The whole answer.
        self.body = dict(body)
        super().__init__(f"{self.message} {self.fix}".strip())


class NoServerError(ConnectionError):
    """No server answers at an address, also after the retries of a call."""

    def __init__(self, url: str, error: BaseException) -> None:
        super().__init__(
            f"No server answers at {url} ({error or type(error).__name__}). "
            "Start one, for instance with orrery.serve(), or use its address."
        )


class ServerAddress:
    """Host, port and path prefix of a server."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError(
                f'"{url}" is not the address of a server. Send one such as "{DEFAULT_URL}".'
            )
        self.is_secure = parts.scheme == "https"
        self.host = parts.hostname
        self.port = parts.port or (443 if self.is_secure else 80)
        self.prefix = parts.path.rstrip("/")
        self.url = url.rstrip("/")


def json_bytes(fields: Any) -> bytes:
    """JSON of fields, in which numbers and arrays of NumPy count as those of Python."""
    try:
        return json.dumps(fields, separators=(",", ":"), allow_nan=False, default=_plain).encode()
    except ValueError as error:
        raise ValueError("A number is NaN or infinite. Send a finite number.") from error


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{value!r} cannot be sent as JSON. Send numbers, texts, lists, dicts or None.")


def path_of(template: str, params: Mapping[str, Any]) -> str:
    """Fills the parameters of a path such as `/fork/{id}/step`."""
    for name, value in params.items():
        template = template.replace("{" + name + "}", quote(str(value), safe=""))
    return template


def given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are not None. Those that are `NULL` become null."""
    return {
        name: None if value is NULL else value
        for name, value in fields.items()
        if value is not None
    }


def query_text(fields: Mapping[str, Any]) -> str:
    """A query string, with flags as words."""
    words = {
        name: ("true" if value else "false") if isinstance(value, bool) else value
        for name, value in given(fields).items()
    }
    return urlencode(words)


class Call:
    """One call on the wire, and when it is sent again."""

    def __init__(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        content: bytes | None = None,
        content_type: str = "application/json",
        accept: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        text = query_text(query or {})
        self.method = method
        self.target = path + (f"?{text}" if text else "")
        self.accept = accept or "application/json"
        self.headers = {"accept": self.accept, **(headers or {})}
        if content is not None:
            self.content = content
            self.headers["content-type"] = content_type
        elif method == "POST":
            fields = given(body) if isinstance(body, dict) else {} if body is None else body
            self.content = json_bytes(fields)
            self.headers["content-type"] = "application/json"
        else:
            self.content = b""
        if method not in ("GET", "HEAD"):
            # The same key at each attempt: the server applies the call once.
            self.headers.setdefault("idempotency-key", str(uuid.uuid4()))
        self._began = time.monotonic()
        self._attempts = 0

    def wait_after_answer(
        self, status: int, headers: Mapping[str, str], content: bytes
    ) -> float | None:
        """Seconds until the next attempt; None if the answer is final."""
        if status == 429:
            return self._wait(headers)
        if status not in (502, 503):
            return None
        if "json" not in headers.get("content-type", ""):
            return self._wait(headers)
        answer = json.loads(content)
        code = answer.get("code")
        if code not in PASSING or (code == "engine_lost" and answer.get("applied") is False):
            return None
        return self._wait(headers)

    def wait_after_loss(self, error: BaseException, was_answered: bool) -> float | None:
        """Seconds until the next attempt; None if the loss is final: no server was ever there."""
        if isinstance(error, ConnectionRefusedError) and not was_answered:
            return None
        return self._wait({})

    def _wait(self, headers: Mapping[str, str]) -> float | None:
        wait = min(FIRST_WAIT * 2**self._attempts, MAX_WAIT)
        self._attempts += 1
        try:
            wait = max(wait, float(headers.get("retry-after", "0")))
        except ValueError:
            pass
        elapsed = time.monotonic() - self._began
        return None if elapsed + wait > RETRY_SECONDS else wait

    def answer(self, status: int, headers: Mapping[str, str], content: bytes) -> Any:
        """The answer as Python values, or as bytes if another media type was asked for."""
        is_json = "json" in headers.get("content-type", "")
        if status < 400 and not (is_json and self.accept == "application/json"):
            return content
        try:
            body = json.loads(content)
        except ValueError:
            body = {"message": f"The server answered with status {status} and no JSON."}
        if status >= 400 or (isinstance(body, dict) and body.get("ok") is False):
            raise OrreryError(status, body if isinstance(body, dict) else {})
        return body
