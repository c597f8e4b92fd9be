"""Rollouts over many servers with Ray. Each actor has a client, and each rollout has a fork.

    import ray, orrery.ray
    ray.init()
    results = orrery.ray.play(rollout, 1000, servers=["http://127.0.0.1:3920", "http://127.0.0.1:3921"], world="arena")

`rollout(fork, number)` gets a fork of the world and returns a result. If an actor is lost, its rollouts run again.
"""

from __future__ import annotations

from typing import Any, Callable, Sequence

import ray
from ray.util import ActorPool

from ._client import World

#: Number of rollouts that each server runs concurrently.
ACTORS = 2


@ray.remote(max_restarts=-1, max_task_retries=2)
class Player:
    """Plays rollouts in throw-away forks of one world, over one server."""

    def __init__(self, server: str, world: str) -> None:
        self._server = World(server)
        self._world = world

    def play(self, rollout: Callable[[World, int], Any], number: int) -> Any:
        world = self._server.in_world(self._world)
        fork_id = f"ray-{number}"
        # A retry may find the fork of the previous attempt.
        if fork_id in world.forks.list()["forks"]:
            world.forks.delete(fork_id)
        world.forks.create(fork_id=fork_id)
        try:
            return rollout(self._server.in_world(fork_id if self._world == "main" else f"{self._world}/{fork_id}"), number)
        finally:
            world.forks.delete(fork_id)


def play(rollout: Callable[[World, int], Any], count: int, *, servers: Sequence[str], world: str = "main") -> list[Any]:
    """Runs `rollout(fork, number)` for each number below `count`. Returns the results in order."""
    players = [Player.remote(server, world) for server in servers for _ in range(ACTORS)]
    return list(ActorPool(players).map(lambda player, number: player.play.remote(rollout, number), range(count)))
