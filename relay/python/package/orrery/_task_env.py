"""Tasks of the suite as environments of Gymnasium. Actions and observations are JSON texts."""

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

#: Maximum characters of an action and of an observation.
MAX_ACTION = 2**14
MAX_OBSERVATION = 2**22


class TaskEnv(gymnasium.Env[str, Any]):
    """One task of the suite. Its world is separate from the worlds of the server.

    An action is a text, or the object itself: a call such as `{"path": "/spawn", "body": {}}`, an
    action of OpenEnv such as `{"requests": [...]}`, or `{"answer": VALUE}`, which ends the task.
    At the end, the reward is 1 for a passed task, otherwise 0. A spent budget truncates the episode.
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
            server: Address of a server. None starts a server, which `close` stops.
            token: Session, for servers that require sign-in.
            serve_options: Arguments of `orrery.serve`, if no server is given.
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
        """Starts the task. The observation has its prompt and budget. The seed chooses its numbers.

        Args:
            options: `{"world_seed": N}` sets the seed of the suite directly, like its flag `--seed`.
        """
        super().reset(seed=seed)
        world_seed = (options or {}).get("world_seed")
        if world_seed is None:
            world_seed = int(self.np_random.integers(0, MAX_SEED))
        self._end()
        answer = self._send("reset", {"task": self.task, "seed": world_seed})
        self._episode = answer["metadata"]["episode_id"]
        return _text(answer["observation"]), {"seed": world_seed, "observation": answer["observation"]}

    def step(self, action: Any) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Performs one action. For an invalid action, the observation has `error` and `fix`."""
        try:
            parsed_action = _action(action)
            # With this id, a step that is sent again after a lost connection runs once.
            request_id = uuid.uuid4().hex
            answer = self._send(
                "step", {"episode_id": self._episode, "action": parsed_action, "request_id": request_id}
            )
        except ValueError as error:
            return self._refused(f"The action is not a JSON object: {error}.")
        except OrreryError as error:
            if error.code != "VALIDATION_ERROR":
                raise
            return self._refused(error.message, error.fix)
        observation = answer["observation"]
        is_spent = answer["done"] and observation["verdict"]["spent"]
        info = {"observation": observation}
        reward = float(answer["reward"])
        return _text(observation), reward, answer["done"] and not is_spent, is_spent, info

    def _refused(
        self, error: str, fix: str = 'Send a call such as {"path": "/observe", "body": {}}.'
    ) -> tuple[str, float, bool, bool, dict[str, Any]]:
        observation = {"error": error, "fix": fix}
        return _text(observation), 0.0, False, False, {"observation": observation}

    def _send(self, route: str, body: Mapping[str, Any]) -> Any:
        return self._world.call("POST", f"/openenv/{route}", body=body, world="")

    def _end(self) -> None:
        """Ends the episode on the server."""
        episode, self._episode = self._episode, None
        if episode is not None:
            try:
                self._send("close", {"episode_id": episode})
            except OrreryError:
                # The episode has already ended, or the server was restarted.
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


def _action(text_or_object: Any) -> dict[str, Any]:
    """Parses an action. Raises `ValueError`."""
    value = json.loads(text_or_object) if isinstance(text_or_object, str) else text_or_object
    if not isinstance(value, Mapping):
        raise ValueError(f"it is {type(value).__name__}")
    return {"requests": [dict(value)]} if "path" in value else dict(value)
