"""Episodes of a declared environment. They are forks of one world, and one call steps all of them.

Both `gym` and `pettingzoo` use this module. It imports neither library.
"""

from __future__ import annotations

import itertools
import os
import random
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Mapping, Sequence

from ._caller import LOST
from ._client import World
from ._server import Server, refuse_options, serve
from ._values import Call, OrreryError, path_of

_numbers = itertools.count(1)

#: Maximum seed of a world.
MAX_SEED = 2**53 - 1


@dataclass
class Episode:
    """One episode: its fork, and the result of its last step."""

    fork: str
    #: Ticks since the start.
    ticks: int = 0
    observation: list[list[float]] = field(default_factory=list)
    potential: list[float] = field(default_factory=list)
    is_over: bool = False


@dataclass(frozen=True)
class Outcome:
    """Result of one step. Each list has one entry per agent."""

    observation: list[list[float]]
    reward: list[float]
    terminated: bool
    truncated: bool
    tick: int


@dataclass(frozen=True)
class Branch:
    """One possible outcome of the next tick or ticks."""

    probability: Fraction
    digest: str
    choices: list[Any]


class Agent:
    """One agent of the environment."""

    def __init__(self, declared: Mapping[str, Any], shared: Mapping[str, Any], entity: int | None):
        self.name: str = declared["name"]
        self.entity = entity
        #: Observed numbers: name, minimum and maximum of each.
        self.observation: list[dict[str, Any]] = _read_field(declared, shared, "observation")
        self.actions: list[dict[str, Any]] = _read_field(declared, shared, "actions")
        self.start: list[dict[str, Any]] = declared.get("start") or []

    def step(self, action: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Returns the inputs and the requests of an action."""
        if not 0 <= action < len(self.actions):
            raise ValueError(f"{self.name} has the actions 0 to {len(self.actions) - 1}, not {action}.")
        declaration = self.actions[action]
        inputs = [
            {"entity_id": self.entity, **_without_none(item)} if item.get("entity_id") is None else item
            for item in declaration.get("inputs") or []
        ]
        return inputs, declaration.get("requests") or []


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value["num"]), int(value["den"]))


def _read_field(declared: Mapping[str, Any], shared: Mapping[str, Any], name: str) -> Any:
    """Returns a field of an agent, or the field that all agents share."""
    return declared[name] if declared.get(name) is not None else shared[name]


def _without_none(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


class Episodes:
    """Episodes of one server that start from the same world."""

    def __init__(
        self,
        scene: str | None,
        *,
        server: str | None,
        agents: Sequence[str] | int | None,
        frame_skip: int | None,
        world: str | None = None,
        from_world: str = "main",
        serve_options: Mapping[str, Any] | None = None,
    ) -> None:
        """
        Args:
            scene: Scene to open. With a given server it replaces the world; None keeps the world.
            server: Address of a server. None starts a server, which `close` stops.
            world: Named world of that server. It is created if it does not exist, and is not deleted.
                None: main.
            agents: Names of the agents to play, or their number. None: all.
            frame_skip: Ticks of a step. The default is declared by the scene.
            from_world: World from which episodes start: `main` or a fork. `main` means the named world, if one is given.
            serve_options: Arguments of `serve`, if no server is given.
        """
        self._own_server: Server | None = None
        self._world_name = world
        if server is None:
            if world is not None:
                raise ValueError("A named world is one of a given server. Add server, or omit world.")
            self._own_server = serve(scene=scene, **(serve_options or {}))
            self.world = World(self._own_server.url)
        else:
            refuse_options(server, serve_options or {})
            self.world = World(server, world=world)
        try:
            if world is not None:
                self._require_world(world)
            if server is not None and scene is not None:
                self._open(scene)
            answer = self.world.environment.get(world=self.name_of(from_world))
            declared: dict[str, Any] = answer["environment"]  # type: ignore[assignment]
            self.name: str = declared["name"]
            self.frame_skip: int = frame_skip or declared["frame_skip"]
            self.max_ticks: int | None = declared.get("max_ticks")
            all_agents = [
                Agent(declaration, declared, state["entity_id"])
                for declaration, state in zip(declared["agents"], answer["agents"])
            ]
            self._indices = _select_agents(all_agents, agents)
            self.agents = [all_agents[index] for index in self._indices]
            self.prefix = f"env-{os.getpid()}-{next(_numbers)}-{random.SystemRandom().getrandbits(32):08x}"
            self._forks = itertools.count(1)
            self._start = f"{self.prefix}-start"
            #: Fork and ticks of each saved state, by digest.
            self._saved: dict[str, tuple[str, int]] = {}
            self._living: set[str] = set()
            self._prepare(from_world, declared.get("start") or [])
        except BaseException:
            self.close()
            raise

    def _require_world(self, name: str) -> None:
        """Creates a named world, unless it exists."""
        try:
            self.world.in_world(None).worlds.create(name=name)
        except OrreryError as error:
            if error.code != "world_exists":
                raise

    def name_of(self, fork: str) -> str:
        """Returns the name of a fork, or of `main`, for calls to the server."""
        if self._world_name is None:
            return fork
        return self._world_name if fork == "main" else f"{self._world_name}/{fork}"

    def _open(self, scene: str) -> None:
        """Opens a scene, unless the server already has this world at tick 0."""
        status = self.world.status()
        title = scene.split("/")[-1].removesuffix(".json").lower()
        if status["tick"] == 0 and status["world_name"].lower().startswith(title):
            return
        self.world.scenes.open(name=scene)

    def _prepare(self, from_world: str, start: Sequence[Mapping[str, Any]]) -> None:
        requests = [*start, *(request for agent in self.agents for request in agent.start)]
        step = {"fork_id": self._start, "from": from_world, "ticks": 0}
        if requests:
            step["requests"] = [_without_none(request) for request in requests]
        self._run([step])

    def new(self) -> Episode:
        """Returns a new episode. `reset` must start it."""
        return Episode(f"{self.prefix}-{next(self._forks)}", is_over=True)

    def reset(self, episodes: Sequence[Episode], seeds: Sequence[int]) -> None:
        """Starts episodes again, in one call."""
        steps = [self._reset_of(episode, seed) for episode, seed in zip(episodes, seeds)]
        for episode, row in zip(episodes, self._run(steps)):
            self._begin(episode, row)

    def step(
        self,
        episodes: Sequence[Episode],
        actions: Sequence[Sequence[int | None] | None],
        seeds: Sequence[int] | None = None,
    ) -> list[Outcome]:
        """Makes a step of each episode, in one call.

        Args:
            actions: For each episode, an action per agent; None for no action. None instead of the
                actions starts the episode again.
            seeds: Seeds of the episodes that start again, one per episode.
        """
        steps: list[dict[str, Any]] = []
        for i, (episode, episode_actions) in enumerate(zip(episodes, actions)):
            if episode_actions is None:
                steps.append(self._reset_of(episode, (seeds or [0] * len(episodes))[i]))
            else:
                steps.append(self._step_of(episode, episode_actions))
        rows = self._run(steps)
        outcomes: list[Outcome] = []
        for episode, episode_actions, row in zip(episodes, actions, rows):
            if episode_actions is None:
                self._begin(episode, row)
                no_reward = [0.0] * len(self.agents)
                outcomes.append(Outcome(episode.observation, no_reward, False, False, row["tick"]))
            else:
                outcomes.append(self._advance(episode, row))
        return outcomes

    def _reset_of(self, episode: Episode, seed: int) -> dict[str, Any]:
        return {"fork_id": episode.fork, "from": self._start, "seed": seed, "ticks": 0}

    def _step_of(self, episode: Episode, actions: Sequence[int | None]) -> dict[str, Any]:
        inputs: list[dict[str, Any]] = []
        requests: list[dict[str, Any]] = []
        for agent, action in zip(self.agents, actions):
            if action is None:
                continue
            action_inputs, action_requests = agent.step(int(action))
            inputs += action_inputs
            requests += action_requests
        step: dict[str, Any] = {"fork_id": episode.fork}
        if inputs:
            step["inputs"] = inputs
        if requests:
            step["requests"] = [_without_none(request) for request in requests]
        return step

    def _begin(self, episode: Episode, row: Mapping[str, Any]) -> None:
        self._living.add(episode.fork)
        episode.ticks = 0
        episode.is_over = False
        self._read(episode, row)

    def _read(self, episode: Episode, row: Mapping[str, Any]) -> Mapping[str, Any]:
        state: Mapping[str, Any] = row["environment"]
        episode.observation = [state["observation"][index] for index in self._indices]
        episode.potential = [state["potential"][index] for index in self._indices]
        return state

    def _advance(self, episode: Episode, row: Mapping[str, Any]) -> Outcome:
        previous_potential = episode.potential
        state = self._read(episode, row)
        episode.ticks += self.frame_skip
        reward = [
            potential - previous + state["bonus"][index]
            for potential, previous, index in zip(episode.potential, previous_potential, self._indices)
        ]
        terminated: bool = state["terminated"]
        is_late = self.max_ticks is not None and episode.ticks >= self.max_ticks
        truncated = not terminated and (state["truncated"] or is_late)
        episode.is_over = terminated or truncated
        return Outcome(episode.observation, reward, terminated, truncated, row["tick"])

    def _run(self, steps: list[dict[str, Any]]) -> list[Any]:
        answer = self.world.forks.step_many(steps=steps, ticks=self.frame_skip, environment=True)  # type: ignore[arg-type]
        for row in answer["rows"]:
            if not row["ok"]:
                raise OrreryError(200, row["error"])
        if len(answer["rows"]) < len(steps):
            raise OrreryError(200, {"code": "cancelled", "message": "A world was paused.", "fix": ""})
        return answer["rows"]

    def clone(self, episode: Episode) -> Episode:
        """Returns a copy of an episode in its own fork. It evolves as the original would."""
        copy = self.new()
        self._copy_fork(copy, episode.fork, episode.ticks)
        copy.is_over = episode.is_over
        return copy

    def save(self, episode: Episode) -> str:
        """Saves the current state of an episode. Returns its digest, for `restore`."""
        digest: str = self.world.digest(future=True, world=self.name_of(episode.fork))["future_digest"]  # type: ignore[typeddict-item]
        if digest not in self._saved:
            # Lists of forks omit names that begin with a dot.
            fork = f".{self.prefix}-saved-{digest}"
            self._run([{"fork_id": fork, "from": episode.fork, "ticks": 0}])
            self._living.add(fork)
            self._saved[digest] = (fork, episode.ticks)
        return digest

    def restore(self, episode: Episode, digest: str) -> None:
        """Restores a saved state of an episode."""
        saved = self._saved.get(digest)
        if saved is None:
            digests = ", ".join(self._saved) or "none"
            raise KeyError(f"No state with the digest {digest} was saved here. Saved digests: {digests}.")
        self._copy_fork(episode, *saved)
        episode.is_over = False

    def _copy_fork(self, episode: Episode, fork: str, ticks: int) -> None:
        """Replaces the fork of an episode with a copy of `fork`."""
        [row] = self._run([{"fork_id": episode.fork, "from": fork, "ticks": 0}])
        self._begin(episode, row)
        episode.ticks = ticks

    def peek(self, episode: Episode, ticks: int = 1) -> list[Branch]:
        """Returns every outcome of the next ticks without input, with its exact probability."""
        options: dict[str, Any] = {"ticks": ticks} if ticks > 1 else {}
        answer = self.world.peek(world=self.name_of(episode.fork), **options)
        return [
            Branch(_fraction(row["probability"]), row["state_digest"], list(row["choices"]))
            for row in answer["distribution"]
        ]

    def forget(self, episode: Episode) -> None:
        """Deletes the fork of an episode."""
        if episode.fork in self._living:
            self._living.discard(episode.fork)
            self._delete(episode.fork)

    def _delete(self, fork: str) -> None:
        """Deletes a fork. Makes one attempt, because `close` must not wait for a lost server."""
        query = {} if self._world_name is None else {"world": self._world_name}
        path = path_of("/fork/{id}", {"id": fork})
        call = Call("DELETE", path, query=query, headers=self.world._headers)
        try:
            self.world._connections.exchange(call)
        except LOST:
            pass

    def close(self) -> None:
        """Deletes the forks, and stops the server if this object started it."""
        if self._own_server is not None:
            self._own_server.close()
            self._own_server = None
        elif getattr(self, "_start", None) is not None:
            for fork in (*self._living, self._start):
                self._delete(fork)
            self._living.clear()
        self.world.close()


def _select_agents(agents: Sequence[Agent], selection: Sequence[str] | int | None) -> list[int]:
    """Returns the indices of the agents to play."""
    names = [agent.name for agent in agents]
    if selection is None:
        return list(range(len(agents)))
    if isinstance(selection, int):
        return list(range(min(selection, len(agents))))
    for name in selection:
        if name not in names:
            raise ValueError(f'There is no agent "{name}". The agents are {", ".join(names)}.')
    return [names.index(name) for name in selection]


