"""Code of both clients: errors, addresses, bodies, and the repetition of calls."""

from __future__ import annotations

import json
import time
import uuid
from typing import Any, Mapping
from urllib.parse import quote, urlencode, urlsplit

DEFAULT_URL = "http://127.0.0.1:3917"

#: Time in which a call is repeated after a lost connection or a refusal of `RETRIED_CODES` (s).
RETRY_SECONDS = 30.0
#: Wait before the second attempt (s). Each later wait is twice as long, up to the maximum.
FIRST_WAIT = 0.1
MAX_WAIT = 2.0

#: Temporary refusals: no engine is connected, the engine is lost or busy, or its journal failed.
RETRIED_CODES = frozenset({"no_engine", "engine_lost", "not_kept", "busy"})


class Null:
    """Type of `NULL`."""

    def __repr__(self) -> str:
        return "orrery.NULL"


#: Sends null for a field. A parameter that is None is omitted.
NULL: Any = Null()


class OrreryError(Exception):
    """A refused call. `fix` is an instruction for the caller."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        self.status = status
        #: Code of the error, such as `invalid_body`.
        self.code: str = str(body.get("code", "unknown"))
        self.message: str = str(body.get("message", body.get("error", "The call was refused.")))
        self.fix: str = str(body.get("fix", ""))
        #: The whole answer.
        self.body = dict(body)
        super().__init__(f"{self.message} {self.fix}".strip())


class NoServerError(ConnectionError):
    """No server answers at an address, even after all attempts of a call."""

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
    """Returns fields as JSON. Converts numbers and arrays of NumPy."""
    try:
        return json.dumps(fields, separators=(",", ":"), allow_nan=False, default=_plain).encode()
    except ValueError as error:
        raise ValueError("A number is NaN or infinite. Send a finite number.") from error


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{value!r} cannot be sent as JSON. Send numbers, texts, lists, dicts or None.")


def path_of(template: str, params: Mapping[str, Any]) -> str:
    """Inserts parameters into a path such as `/fork/{id}/step`."""
    for name, value in params.items():
        template = template.replace("{" + name + "}", quote(str(value), safe=""))
    return template


def fields_to_send(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields that are not None. `NULL` becomes null."""
    return {
        name: None if value is NULL else value
        for name, value in fields.items()
        if value is not None
    }


def query_text(fields: Mapping[str, Any]) -> str:
    """Returns a query string. Booleans become `true` and `false`."""
    words = {
        name: ("true" if value else "false") if isinstance(value, bool) else value
        for name, value in fields_to_send(fields).items()
    }
    return urlencode(words)


class Call:
    """One HTTP call, and the times of its attempts."""

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
            fields = fields_to_send(body) if isinstance(body, dict) else {} if body is None else body
            self.content = json_bytes(fields)
            self.headers["content-type"] = "application/json"
        else:
            self.content = b""
        if method not in ("GET", "HEAD"):
            # All attempts have the same key, so the server applies the call once.
            self.headers.setdefault("idempotency-key", str(uuid.uuid4()))
        self._start_time = time.monotonic()
        self._attempts = 0

    def wait_after_answer(
        self, status: int, headers: Mapping[str, str], content: bytes
    ) -> float | None:
        """Returns the seconds until the next attempt; None if the answer is final."""
        if status == 429:
            return self._wait(headers)
        if status not in (502, 503):
            return None
        if "json" not in headers.get("content-type", ""):
            return self._wait(headers)
        answer = json.loads(content)
        code = answer.get("code")
        if code not in RETRIED_CODES or (code == "engine_lost" and answer.get("applied") is False):
            return None
        return self._wait(headers)

    def wait_after_loss(self, error: BaseException, was_answered: bool) -> float | None:
        """Returns the seconds until the next attempt; None after the last one, or if no server ever answered."""
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
        elapsed = time.monotonic() - self._start_time
        return None if elapsed + wait > RETRY_SECONDS else wait

    def answer(self, status: int, headers: Mapping[str, str], content: bytes) -> Any:
        """Returns the answer as Python values, or as bytes if another media type was requested."""
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
