"""Environments of PettingZoo: `ParallelEnv("arena")` plays all agents of a scene.

This module needs `pip install pettingzoo`.
"""

from __future__ import annotations

from typing import Any, Mapping, Sequence, TypeVar

import numpy as np
from pettingzoo import ParallelEnv as BaseEnv

from ._client import World
from ._episodes import MAX_SEED, Branch, Episodes
from ._spaces import action_space, array_of, observation_space

Self = TypeVar("Self", bound="ParallelEnv")
Observation = np.ndarray[Any, np.dtype[np.float32]]


class ParallelEnv(BaseEnv[str, Observation, Any]):
    """Environment with all agents of a scene, which act together. A step is one call."""

    def __init__(
        self,
        scene: str | None = None,
        *,
        server: str | None = None,
        world: str | None = None,
        agents: Sequence[str] | None = None,
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
            agents: Names of the agents to play. The default is all agents of the scene.
            frame_skip: Ticks of a step. The default is declared by the scene.
            serve_options: Arguments of `orrery.serve`, if no server is given.
        """
        if render_mode is not None:
            raise ValueError("There is no render mode. Open the address of the server to watch it.")
        self._is_shared = _episodes is not None
        self.episodes = _episodes or Episodes(
            scene, server=server, world=world, agents=agents, frame_skip=frame_skip, serve_options=serve_options
        )
        self._episode = self.episodes.new()
        self._generator = np.random.default_rng()
        self.metadata = {"name": f"orrery_{self.episodes.name.lower()}_v0", "render_modes": []}
        self.render_mode = None
        self.possible_agents = [agent.name for agent in self.episodes.agents]
        self.agents: list[str] = []
        self.observation_spaces = {
            agent.name: observation_space(agent) for agent in self.episodes.agents
        }
        self.action_spaces = {agent.name: action_space(agent) for agent in self.episodes.agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    @property
    def world(self) -> World:
        """Client for the fork of the episode, for any calls."""
        return self.episodes.world.in_world(self.episodes.name_of(self._episode.fork))

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Starts an episode. Equal seeds and actions give identical episodes, bit for bit."""
        if seed is not None:
            self._generator = np.random.default_rng(seed)
        world_seed = int(self._generator.integers(0, MAX_SEED))
        self.episodes.reset([self._episode], [world_seed])
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {"seed": world_seed} for agent in self.agents}

    def step(self, actions: Mapping[str, Any]) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        if not self.agents:
            return {}, {}, {}, {}, {}
        agent_actions = [
            int(actions[agent]) if agent in actions else None for agent in self.possible_agents
        ]
        [outcome] = self.episodes.step([self._episode], [agent_actions])
        names = self.agents
        result = (
            self._observations(),
            dict(zip(self.possible_agents, outcome.reward)),
            {agent: outcome.terminated for agent in names},
            {agent: outcome.truncated for agent in names},
            {agent: {"tick": outcome.tick} for agent in names},
        )
        if self._episode.is_over:
            self.agents = []
        return result

    def _observations(self) -> dict[str, Observation]:
        numbers = self._episode.observation
        return {agent: array_of(numbers[i]) for i, agent in enumerate(self.possible_agents)}

    def clone(self: Self) -> Self:
        """Returns a second environment in the same state, on the same server."""
        other = type(self)(_episodes=self.episodes)
        other._episode = self.episodes.clone(self._episode)
        other.agents = list(self.agents)
        return other

    def peek(self, ticks: int = 1) -> list[Branch]:
        """Returns every outcome of the next ticks without input, with its exact probability."""
        return self.episodes.peek(self._episode, ticks)

    def save(self) -> str:
        """Saves the current state. Returns its digest."""
        return self.episodes.save(self._episode)

    def restore(self, digest: str) -> dict[str, Observation]:
        """Restores a saved state of the episode. Returns the observations."""
        self.episodes.restore(self._episode, digest)
        self.agents = list(self.possible_agents)
        return self._observations()

    def close(self) -> None:
        if self._is_shared:
            self.episodes.forget(self._episode)
        else:
            self.episodes.close()
