"""Tasks of the suite as environments of Gymnasium: an action and an observation are JSON texts."""

from __future__ import annotations

import json
import string
import uuid
from typing import Any, Mapping, TypeVar

import gymnasium
from gymnasium import spaces

from ._client import World
from ._episodes import MAX_SEED
from ._server import Server, refuse_options, serve
from ._values import OrreryError

Self = TypeVar("Self", bound="TaskEnv")

#: Longest action and observation, in characters.
MAX_ACTION = 2**14
MAX_OBSERVATION = 2**22


class TaskEnv(gymnasium.Env[str, Any]):
    """One task of the suite. Its world is apart from those of the server.

    An action is a text, or the object itself: a call such as `{"path": "/spawn", "body": {}}`, an
    action of OpenEnv such as `{"requests": [...]}`, or `{"answer": VALUE}`, which ends the task.
    The reward of its end is 1 if it is passed, and 0 otherwise. A spent budget truncates it.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        task: str,
        *,
        server: str | None = None,
        token: str | None = None,
        render_mode: str | None = None,
        **serve_options: Any,
    ) -> None:
        """
        Args:
            task: Id of the task, such as "one-hero".
            server: Address of a server. None starts one, which `close` stops.
            token: Session, for servers that require sign-in.
            serve_options: Arguments of `orrery.serve`, if it starts a server.
        """
        if render_mode is not None:
            raise ValueError("There is no render mode.")
        self.task = task
        if server is not None:
            refuse_options(server, serve_options)
        self._own_server: Server | None = None if server is not None else serve(**serve_options)
        url = self._own_server.url if self._own_server is not None else server
        self._world = World(url or "", token=token)
        self._episode: str | None = None
        self.observation_space = spaces.Text(MAX_OBSERVATION, min_length=0, charset=string.printable)
        self.action_space = spaces.Text(MAX_ACTION, min_length=0, charset=string.printable)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begins the task. The observation has its prompt and budget; the seed chooses its numbers.

        Args:
            options: `{"world_seed": N}` is the seed of the suite itself, as `--seed` has it.
        """
        super().reset(seed=seed)
        draw = (options or {}).get("world_seed")
        if draw is None:
            draw = int(self.np_random.integers(0, MAX_SEED))
        self._end()
        begun = self._send("reset", {"task": self.task, "seed": draw})
        self._episode = begun["metadata"]["episode_id"]
        return _text(begun["observation"]), {"seed": draw, "observation": begun["observation"]}

    def step(self, action: Any) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Makes one action. A text that is no action is an observation with `error` and `fix`."""
        try:
            sent = _action(action)
            # A step that is sent again after a lost connection is made once.
            request_id = uuid.uuid4().hex
            found = self._send(
                "step", {"episode_id": self._episode, "action": sent, "request_id": request_id}
            )
        except ValueError as error:
            return self._refused(f"The action is not a JSON object: {error}.")
        except OrreryError as error:
            if error.code != "VALIDATION_ERROR":
                raise
            return self._refused(error.message, error.fix)
        observation = found["observation"]
        is_spent = found["done"] and observation["verdict"]["spent"]
        info = {"observation": observation}
        reward = float(found["reward"])
        return _text(observation), reward, found["done"] and not is_spent, is_spent, info

    def _refused(
        self, error: str, fix: str = 'Send a call such as {"path": "/observe", "body": {}}.'
    ) -> tuple[str, float, bool, bool, dict[str, Any]]:
        observation = {"error": error, "fix": fix}
        return _text(observation), 0.0, False, False, {"observation": observation}

    def _send(self, word: str, body: Mapping[str, Any]) -> Any:
        return self._world.call("POST", f"/openenv/{word}", body=body, world="")

    def _end(self) -> None:
        """Frees what the server keeps for the episode."""
        episode, self._episode = self._episode, None
        if episode is not None:
            try:
                self._send("close", {"episode_id": episode})
            except OrreryError:
                # It has ended, or its server began anew.
                pass

    def close(self) -> None:
        if self._own_server is not None:
            self._own_server.close()
            self._own_server = None
        else:
            self._end()
        self._world.close()


def _text(value: Any) -> str:
    return json.dumps(value)[:MAX_OBSERVATION]


def _action(given: Any) -> dict[str, Any]:
    """Reads an action. Raises `ValueError`."""
    value = json.loads(given) if isinstance(given, str) else given
    if not isinstance(value, Mapping):
        raise ValueError(f"it is {type(value).__name__}")
    return {"requests": [dict(value)]} if "path" in value else dict(value)
