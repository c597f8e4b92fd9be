"""Environments of Gymnasium: `gymnasium.make("orrery.gym:orrery/Arena-v0")`, or `Env` and `VectorEnv`.

Each task of the suite is one too, such as `orrery/Suite-one-hero-v0`: see `TaskEnv`.

The scene declares observations, actions and rewards. A step of a `VectorEnv` is one call for all
of its episodes. `pip install gymnasium` brings what this module needs.
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
    """One episode of a scene at a time, in a fork of the server's world."""

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
                None keeps that.
            server: Address of a server. None starts one, which `close` stops.
            world: Named world of that server, which is made if there is none of that name and stays.
                None: main.
            agent: Name of the agent to play. None: the first that the scene declares.
            frame_skip: Ticks of a step. None: as the scene declares.
            serve_options: Arguments of `orrery.serve`, if it starts a server.
        """
        if render_mode is not None:
            raise ValueError("There is no render mode. Open the address of the server to watch it.")
        self._shares = _episodes is not None
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
        """The fork of the episode, for calls of any kind."""
        return self.episodes.world.in_world(self.episodes.name_of(self._episode.fork))

    @property
    def action_names(self) -> list[str]:
        return [action["name"] for action in self._agent.actions]

    @property
    def observation_names(self) -> list[str]:
        return [one["name"] for one in self._agent.observation]

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts an episode. Equal seeds and actions give equal episodes, to the last bit."""
        super().reset(seed=seed)
        draw = int(self.np_random.integers(0, MAX_SEED))
        self.episodes.reset([self._episode], [draw])
        return array_of(self._episode.observation[0]), {"seed": draw}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        [outcome] = self.episodes.step([self._episode], [[int(action)]])
        observation = array_of(outcome.observation[0])
        info = {"tick": outcome.tick}
        return observation, outcome.reward[0], outcome.terminated, outcome.truncated, info

    def clone(self: Self) -> Self:
        """A second environment in the same state, on the same server."""
        other = type(self)(_episodes=self.episodes)
        other._episode = self.episodes.clone(self._episode)
        return other

    def peek(self, ticks: int = 1) -> list[Branch]:
        """Every outcome of the next tick or ticks without input, with its exact probability."""
        return self.episodes.peek(self._episode, ticks)

    def save(self) -> str:
        """Keeps the present state. Returns its digest."""
        return self.episodes.save(self._episode)

    def restore(self, digest: str) -> Observation:
        """Puts the episode into a saved state. Returns its observation."""
        self.episodes.restore(self._episode, digest)
        return array_of(self._episode.observation[0])

    def close(self) -> None:
        if self._shares:
            self.episodes.forget(self._episode)
        else:
            self.episodes.close()


class VectorEnv(gymnasium.vector.VectorEnv[Observation, Any, Any]):
    """Many episodes of a scene. One call of the server makes a step of all of them."""

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
                None keeps that.
            num_envs: Number of episodes.
            server: Address of a server. None starts one, which `close` stops.
            world: Named world of that server, which is made if there is none of that name and stays.
                None: main.
            agent: Name of the agent to play. None: the first that the scene declares.
            frame_skip: Ticks of a step. None: as the scene declares.
            autoreset_mode: NEXT_STEP starts an episode again at the step after its end, within
                the one call. SAME_STEP does so at once, with a second call for those that ended.
                DISABLED leaves it to `reset` with the option `reset_mask`.
            serve_options: Arguments of `orrery.serve`, if it starts a server.
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
        """Starts all episodes, or with the option `reset_mask` some of them, in one call."""
        mask = (options or {}).get("reset_mask")
        chosen = [i for i in range(self.num_envs) if mask is None or mask[i]]
        seeds: Sequence[int | None]
        if seed is None:
            seeds = [None] * self.num_envs
        elif isinstance(seed, int):
            seeds = [seed + i for i in range(self.num_envs)]
        else:
            seeds = seed
        if not self._generators:
            self._generators = [np.random.default_rng(one) for one in seeds]
        else:
            for i in chosen:
                if seeds[i] is not None:
                    self._generators[i] = np.random.default_rng(seeds[i])
        draws = [self._draw(i) for i in chosen]
        self.episodes.reset([self._episodes[i] for i in chosen], draws)
        return self._observations(), {"seed": self._spread(chosen, draws)}

    def step(
        self, actions: Any
    ) -> tuple[
        Observation,
        np.ndarray[Any, np.dtype[np.float64]],
        np.ndarray[Any, np.dtype[np.bool_]],
        np.ndarray[Any, np.dtype[np.bool_]],
        dict[str, Any],
    ]:
        again = self._mode is AutoresetMode.NEXT_STEP
        chosen: list[list[int] | None] = [
            None if again and episode.is_over else [int(action)]
            for episode, action in zip(self._episodes, actions)
        ]
        seeds = [self._draw(i) if one is None else 0 for i, one in enumerate(chosen)]
        outcomes = self.episodes.step(self._episodes, chosen, seeds)
        rewards = np.array([outcome.reward[0] for outcome in outcomes], dtype=np.float64)
        terminated = np.array([outcome.terminated for outcome in outcomes], dtype=np.bool_)
        truncated = np.array([outcome.truncated for outcome in outcomes], dtype=np.bool_)
        ticks = np.array([outcome.tick for outcome in outcomes])
        info: dict[str, Any] = {"tick": ticks, "_tick": np.ones(self.num_envs, dtype=np.bool_)}
        if self._mode is AutoresetMode.SAME_STEP and (terminated | truncated).any():
            self._start_again(np.flatnonzero(terminated | truncated), info)
        return self._observations(), rewards, terminated, truncated, info

    def _start_again(self, over: np.ndarray[Any, Any], info: dict[str, Any]) -> None:
        last = np.full(self.num_envs, None, dtype=object)
        for i in over:
            last[i] = array_of(self._episodes[i].observation[0])
        is_over = np.zeros(self.num_envs, dtype=np.bool_)
        is_over[over] = True
        info.update(
            final_obs=last,
            _final_obs=is_over,
            final_info={"tick": info["tick"].copy(), "_tick": is_over.copy()},
            _final_info=is_over.copy(),
        )
        self.episodes.reset([self._episodes[i] for i in over], [self._draw(int(i)) for i in over])

    def _draw(self, i: int) -> int:
        if not self._generators:
            self._generators = [np.random.default_rng() for _ in range(self.num_envs)]
        return int(self._generators[i].integers(0, MAX_SEED))

    def _spread(self, chosen: Sequence[int], values: Sequence[int]) -> np.ndarray[Any, Any]:
        spread = np.zeros(self.num_envs, dtype=np.int64)
        spread[list(chosen)] = values
        return spread

    def _observations(self) -> Observation:
        return np.array([episode.observation[0] for episode in self._episodes], dtype=np.float32)

    def world(self, i: int) -> World:
        """The fork of an episode, for calls of any kind."""
        return self.episodes.world.in_world(self.episodes.name_of(self._episodes[i].fork))

    def clone(self, i: int) -> Env:
        """A single environment in the state of an episode, on the same server."""
        other = Env(_episodes=self.episodes)
        other._episode = self.episodes.clone(self._episodes[i])
        return other

    def peek(self, i: int, ticks: int = 1) -> list[Branch]:
        """Every outcome of the next tick or ticks of an episode without input."""
        return self.episodes.peek(self._episodes[i], ticks)

    def save(self, i: int) -> str:
        """Keeps the present state of an episode. Returns its digest."""
        return self.episodes.save(self._episodes[i])

    def restore(self, digest: str, i: int | None = None) -> Observation:
        """Puts an episode, or all of them, into a saved state. Returns all observations."""
        chosen: list[Episode] = self._episodes if i is None else [self._episodes[i]]
        for episode in chosen:
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
            # Refused actions cost no call, but they end too.
            max_episode_steps=2 * calls,
        )


_register()

__all__ = ["SCENES", "TASKS", "Env", "TaskEnv", "VectorEnv"]
