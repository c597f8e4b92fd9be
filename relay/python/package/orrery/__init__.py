"""Orrery from Python: a typed client, a server for scripts, and environments for learning.

    import orrery

    with orrery.serve(scene="arena") as server:
        world = server.world
        world.step(ticks=60)
        print(world.peek()["distribution"])

`World` blocks until each answer; `AsyncWorld` is for asyncio. Environments are in `orrery.gym` (with
Gymnasium installed) and `orrery.pettingzoo` (with PettingZoo installed).
"""

from ._async_client import AsyncWorld
from ._client import World
from ._events import Event
from ._server import Server, serve
from ._values import NULL, NoServerError, OrreryError
from ._version import __version__

__all__ = [
    "NULL",
    "AsyncWorld",
    "Event",
    "NoServerError",
    "OrreryError",
    "Server",
    "World",
    "__version__",
    "serve",
]
