"""Environments of Gymnasium: `gymnasium.make("orrery.gym:orrery/Arena-v0")`, or `Env` and `VectorEnv`.

Each task of the suite is an environment too, such as `orrery/Suite-one-hero-v0`: see `TaskEnv`.

The scene declares observations, actions and rewards. A step of a `VectorEnv` is one call for all
of its episodes. This module needs `pip install gymnasium`.
"""

from __future__ import annotations

from typing import Any, Mapping, Sequence, TypeVar

import gymnasium
import numpy as np
from gymnasium.envs.registration import register
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ._client import World
from ._episodes import MAX_SEED, Branch, Episode, Episodes
from ._spaces import action_space, array_of, observation_space
from ._suite import TASKS
from ._task_env import TaskEnv

Self = TypeVar("Self", bound="Env")
Observation = np.ndarray[Any, np.dtype[np.float32]]

#: Scenes of the server that declare an environment.
SCENES = ("arena", "dungeon", "towers", "market", "skirmish")


class Env(gymnasium.Env[Observation, Any]):
    """Environment with one episode of a scene at a time, in a fork of the server's world."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        scene: str | None = None,
        *,
        server: str | None = None,
        world: str | None = None,
        agent: str | None = None,
        frame_skip: int | None = None,
        render_mode: str | None = None,
        _episodes: Episodes | None = None,
        **serve_options: Any,
    ) -> None:
        """
        Args:
            scene: Scene to open, such as "arena". With a given server it replaces the world;
                None keeps the world.
            server: Address of a server. None starts a server, which `close` stops.
            world: Named world of that server. It is created if it does not exist, and is not deleted.
                None: main.
            agent: Name of the agent to play. The default is the first agent of the scene.
            frame_skip: Ticks of a step. The default is declared by the scene.
            serve_options: Arguments of `orrery.serve`, if no server is given.
        """
        if render_mode is not None:
            raise ValueError("There is no render mode. Open the address of the server to watch it.")
        self._is_shared = _episodes is not None
        self.episodes = _episodes or Episodes(
            scene,
            server=server,
            world=world,
            agents=1 if agent is None else [agent],
            frame_skip=frame_skip,
            serve_options=serve_options,
        )
        self._agent = self.episodes.agents[0]
        self._episode = self.episodes.new()
        self.observation_space = observation_space(self._agent)
        self.action_space = action_space(self._agent)

    @property
    def world(self) -> World:
        """Client for the fork of the episode, for any calls."""
        return self.episodes.world.in_world(self.episodes.name_of(self._episode.fork))

    @property
    def action_names(self) -> list[str]:
        return [action["name"] for action in self._agent.actions]

    @property
    def observation_names(self) -> list[str]:
        return [number["name"] for number in self._agent.observation]

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts an episode. Equal seeds and actions give identical episodes, bit for bit."""
        super().reset(seed=seed)
        world_seed = int(self.np_random.integers(0, MAX_SEED))
        self.episodes.reset([self._episode], [world_seed])
        return array_of(self._episode.observation[0]), {"seed": world_seed}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        [outcome] = self.episodes.step([self._episode], [[int(action)]])
        observation = array_of(outcome.observation[0])
        info = {"tick": outcome.tick}
        return observation, outcome.reward[0], outcome.terminated, outcome.truncated, info

    def clone(self: Self) -> Self:
        """Returns a second environment in the same state, on the same server."""
        other = type(self)(_episodes=self.episodes)
        other._episode = self.episodes.clone(self._episode)
        return other

    def peek(self, ticks: int = 1) -> list[Branch]:
        """Returns every outcome of the next ticks without input, with its exact probability."""
        return self.episodes.peek(self._episode, ticks)

    def save(self) -> str:
        """Saves the current state. Returns its digest."""
        return self.episodes.save(self._episode)

    def restore(self, digest: str) -> Observation:
        """Restores a saved state of the episode. Returns its observation."""
        self.episodes.restore(self._episode, digest)
        return array_of(self._episode.observation[0])

    def close(self) -> None:
        if self._is_shared:
            self.episodes.forget(self._episode)
        else:
            self.episodes.close()


class VectorEnv(gymnasium.vector.VectorEnv[Observation, Any, Any]):
    """Environment with many episodes of a scene. One call to the server makes a step of all of them."""

    def __init__(
        self,
        scene: str | None = None,
        num_envs: int = 8,
        *,
        server: str | None = None,
        world: str | None = None,
        agent: str | None = None,
        frame_skip: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **serve_options: Any,
    ) -> None:
        """
        Args:
            scene: Scene to open, such as "arena". With a given server it replaces the world;
                None keeps the world.
            num_envs: Number of episodes.
            server: Address of a server. None starts a server, which `close` stops.
            world: Named world of that server. It is created if it does not exist, and is not deleted.
                None: main.
            agent: Name of the agent to play. The default is the first agent of the scene.
            frame_skip: Ticks of a step. The default is declared by the scene.
            autoreset_mode: NEXT_STEP starts an episode again at the step after its end, in the
                call of that step. SAME_STEP starts it again at its last step, with a second call.
                DISABLED requires `reset` with the option `reset_mask`.
            serve_options: Arguments of `orrery.serve`, if no server is given.
        """
        if render_mode is not None:
            raise ValueError("There is no render mode. Open the address of the server to watch it.")
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        self._mode = mode
        self.num_envs = num_envs
        self.episodes = Episodes(
            scene,
            server=server,
            world=world,
            agents=1 if agent is None else [agent],
            frame_skip=frame_skip,
            serve_options=serve_options,
        )
        self._agent = self.episodes.agents[0]
        self._episodes = [self.episodes.new() for _ in range(num_envs)]
        self._generators: list[np.random.Generator] = []
        self.single_observation_space = observation_space(self._agent)
        self.single_action_space = action_space(self._agent)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts all episodes, or those of the option `reset_mask`, in one call."""
        mask = (options or {}).get("reset_mask")
        indices = [i for i in range(self.num_envs) if mask is None or mask[i]]
        seeds: Sequence[int | None]
        if seed is None:
            seeds = [None] * self.num_envs
        elif isinstance(seed, int):
            seeds = [seed + i for i in range(self.num_envs)]
        else:
            seeds = seed
        if not self._generators:
            self._generators = [np.random.default_rng(episode_seed) for episode_seed in seeds]
        else:
            for i in indices:
                if seeds[i] is not None:
                    self._generators[i] = np.random.default_rng(seeds[i])
        world_seeds = [self._draw_seed(i) for i in indices]
        self.episodes.reset([self._episodes[i] for i in indices], world_seeds)
        return self._observations(), {"seed": self._fill_array(indices, world_seeds)}

    def step(
        self, actions: Any
    ) -> tuple[
        Observation,
        np.ndarray[Any, np.dtype[np.float64]],
        np.ndarray[Any, np.dtype[np.bool_]],
        np.ndarray[Any, np.dtype[np.bool_]],
        dict[str, Any],
    ]:
        restarts_ended = self._mode is AutoresetMode.NEXT_STEP
        episode_actions: list[list[int] | None] = [
            None if restarts_ended and episode.is_over else [int(action)]
            for episode, action in zip(self._episodes, actions)
        ]
        seeds = [self._draw_seed(i) if item is None else 0 for i, item in enumerate(episode_actions)]
        outcomes = self.episodes.step(self._episodes, episode_actions, seeds)
        rewards = np.array([outcome.reward[0] for outcome in outcomes], dtype=np.float64)
        terminated = np.array([outcome.terminated for outcome in outcomes], dtype=np.bool_)
        truncated = np.array([outcome.truncated for outcome in outcomes], dtype=np.bool_)
        ticks = np.array([outcome.tick for outcome in outcomes])
        info: dict[str, Any] = {"tick": ticks, "_tick": np.ones(self.num_envs, dtype=np.bool_)}
        if self._mode is AutoresetMode.SAME_STEP and (terminated | truncated).any():
            self._restart(np.flatnonzero(terminated | truncated), info)
        return self._observations(), rewards, terminated, truncated, info

    def _restart(self, indices: np.ndarray[Any, Any], info: dict[str, Any]) -> None:
        """Starts ended episodes again. Adds their last observations to `info`."""
        last_observations = np.full(self.num_envs, None, dtype=object)
        for i in indices:
            last_observations[i] = array_of(self._episodes[i].observation[0])
        is_over = np.zeros(self.num_envs, dtype=np.bool_)
        is_over[indices] = True
        info.update(
            final_obs=last_observations,
            _final_obs=is_over,
            final_info={"tick": info["tick"].copy(), "_tick": is_over.copy()},
            _final_info=is_over.copy(),
        )
        self.episodes.reset([self._episodes[i] for i in indices], [self._draw_seed(int(i)) for i in indices])

    def _draw_seed(self, i: int) -> int:
        if not self._generators:
            self._generators = [np.random.default_rng() for _ in range(self.num_envs)]
        return int(self._generators[i].integers(0, MAX_SEED))

    def _fill_array(self, indices: Sequence[int], values: Sequence[int]) -> np.ndarray[Any, Any]:
        """Returns an array with one value per episode: 0, except `values` at `indices`."""
        array = np.zeros(self.num_envs, dtype=np.int64)
        array[list(indices)] = values
        return array

    def _observations(self) -> Observation:
        return np.array([episode.observation[0] for episode in self._episodes], dtype=np.float32)

    def world(self, i: int) -> World:
        """Returns a client for the fork of an episode, for any calls."""
        return self.episodes.world.in_world(self.episodes.name_of(self._episodes[i].fork))

    def clone(self, i: int) -> Env:
        """Returns a single environment in the state of an episode, on the same server."""
        other = Env(_episodes=self.episodes)
        other._episode = self.episodes.clone(self._episodes[i])
        return other

    def peek(self, i: int, ticks: int = 1) -> list[Branch]:
        """Returns every outcome of the next ticks of an episode without input."""
        return self.episodes.peek(self._episodes[i], ticks)

    def save(self, i: int) -> str:
        """Saves the current state of an episode. Returns its digest."""
        return self.episodes.save(self._episodes[i])

    def restore(self, digest: str, i: int | None = None) -> Observation:
        """Restores a saved state of one episode, or of all. Returns all observations."""
        episodes: list[Episode] = self._episodes if i is None else [self._episodes[i]]
        for episode in episodes:
            self.episodes.restore(episode, digest)
        return self._observations()

    def close_extras(self, **_: Any) -> None:
        self.episodes.close()


def _register() -> None:
    for scene in SCENES:
        register(
            id=f"orrery/{scene.title()}-v0",
            entry_point="orrery.gym:Env",
            vector_entry_point="orrery.gym:VectorEnv",
            kwargs={"scene": scene},
        )
    for task, calls in TASKS.items():
        register(
            id=f"orrery/Suite-{task}-v0",
            entry_point="orrery.gym:TaskEnv",
            kwargs={"task": task},
            # Refused actions cost no call of the budget, but they count as steps.
            max_episode_steps=2 * calls,
        )


_register()

__all__ = ["SCENES", "TASKS", "Env", "TaskEnv", "VectorEnv"]
