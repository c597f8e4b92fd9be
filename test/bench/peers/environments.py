"""Vector environments of Gymnasium beside one of Orrery: carts that carry a pole, and random actions."""

import sys
import warnings

import gymnasium
import orrery
from orrery.gym import VectorEnv
from peer import answer, milliseconds

COUNT = 64
#: Steps of all environments in a measurement.
STEPS = 20

warnings.simplefilter("ignore")


def make_cart(world: orrery.World) -> None:
    """A pole of 1 m that stands on a cart. An episode ends when it leans too far, or after 500 steps."""
    world.reset(fresh=True)
    wide, thin = {"shape": "Aabb", "hx": 0.5, "hy": 0.1, "hz": 0.5}, {"shape": "Aabb", "hx": 0.1, "hy": 0.5, "hz": 0.1}
    cart = world.spawn(tags=["cart"], physics_body="Kinematic", collider=wide, position=[0, 0, 0])["id"]
    world.spawn(tags=["pole"], physics_body="Dynamic", collider=thin, position=[0, 0.6, 0])

    def push(name: str, speed: float) -> dict[str, object]:
        body = {"velocity": {"linear": [speed, 0, 0]}}
        return {"name": name, "requests": [{"path": f"/entities/{cart}/components", "body": body}]}

    def seen(name: str, field: str, of: str, relative: bool = False) -> dict[str, object]:
        return {"name": name, "field": field, "of": of, "relative": relative, "low": -10, "high": 10}

    world.environment.set(
        name="Cart",
        frame_skip=1,
        agents=[{"name": "cart", "entity": "tag:cart"}],
        observation=[
            seen("place", "position.x", "tag:cart"),
            seen("speed", "velocity.linear.x", "tag:cart"),
            seen("lean", "position.x", "tag:pole", relative=True),
            seen("turn", "velocity.angular.z", "tag:pole"),
        ],
        actions=[push("left", -1), push("right", 1)],
        reward=[{"count": "tag:pole", "weight": 1, "change": False}],
        terminated="tag:pole & field:position.y<0.55",
        max_ticks=500,
    )


def stepper(envs: gymnasium.vector.VectorEnv) -> "object":
    """A case: steps with random actions that were drawn before."""
    envs.reset(seed=1)
    envs.action_space.seed(1)
    actions = [envs.action_space.sample() for _ in range(STEPS)]

    def run() -> float:
        remaining = iter(actions)
        return milliseconds(lambda: envs.step(next(remaining)), STEPS) / COUNT

    return run


def main() -> None:
    with orrery.serve(package=sys.argv[1]) as server:
        make_cart(server.world)
        answer(
            {
                "ours, 1 tick": stepper(VectorEnv(None, COUNT, server=server.url)),
                "ours, 2 ticks": stepper(VectorEnv(None, COUNT, server=server.url, frame_skip=2)),
                "CartPole-v1": stepper(
                    gymnasium.make_vec("CartPole-v1", COUNT, vectorization_mode="sync")
                ),
                "CartPole-v1 in NumPy": stepper(
                    gymnasium.make_vec("CartPole-v1", COUNT, vectorization_mode="vector_entry_point")
                ),
                "InvertedPendulum-v5": stepper(
                    gymnasium.make_vec("InvertedPendulum-v5", COUNT, vectorization_mode="sync")
                ),
            }
        )


main()
