"""Checks of the Python package with the libraries for learning. `npm run python` runs it.

Each check prints one line: its name, "passed" or "skipped" with the reason, and a number.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import json
import os
import random
import re
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import Callable

import orrery

#: Forks of the bandit, the time that they should take at most (s), and forks of one call.
BANDIT_FORKS = 1000
BANDIT_SECONDS = 20.0
BANDIT_PULLS = 50

PPO_STEPS = 512

#: What the checks measured, for `npm run bench`.
numbers: dict[str, float] = {}


class Skipped(Exception):
    """A check that needs what this machine does not have."""


def need(*modules: str) -> None:
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        raise Skipped(f"{', '.join(missing)} is not installed")


def call_client(world: orrery.World) -> str:
    world.forks.create(fork_id="client")
    fork = world.in_world("client")
    digest = fork.step(ticks=10)["state_digest"]
    branches = fork.peek()["distribution"]
    world.forks.delete("client")
    return f"{len(branches)} branches at {digest}"


def check_gymnasium(world: orrery.World) -> str:
    need("gymnasium")
    import gymnasium
    import orrery.gym
    from gymnasium.utils.env_checker import check_env

    names = [f"orrery/{scene.title()}-v0" for scene in orrery.gym.SCENES]
    for name in names:
        env = gymnasium.make(name, server=world.url)
        check_env(env.unwrapped, skip_render_check=True)
        env.close()
    return ", ".join(names)


def play_tasks(world: orrery.World) -> str:
    """A task is passed by calls and an answer, and not by noise."""
    need("gymnasium")
    import gymnasium
    import orrery.gym
    from gymnasium.utils.env_checker import check_env

    names = [f"orrery/Suite-{task}-v0" for task in orrery.gym.TASKS]
    assert all(name in gymnasium.registry for name in names)
    env = gymnasium.make("orrery/Suite-sum-of-dice-v0", server=world.url)
    check_env(env.unwrapped, skip_render_check=True)
    first, info = env.reset(options={"world_seed": 1})
    prompt = json.loads(first)["task"]["prompt"]
    least = re.search(r"at least (\d+) after", prompt)
    assert least is not None
    for noise in ("{", "[]", '{"hop": 1}'):
        seen, reward, terminated, truncated, _ = env.step(noise)
        assert "fix" in json.loads(seen) and (reward, terminated, truncated) == (0, False, False)
    condition = f"any tag:sum & field:gold>={least[1]}"
    seen, *_ = env.step(json.dumps({"path": "/peek", "body": {"condition": condition}}))
    odds = json.loads(seen)["results"][0]["body"]["condition"]["probability"]
    answer = f"{odds['num']}/{odds['den']}"
    _, reward, terminated, truncated, info = env.step(json.dumps({"answer": answer}))
    assert (reward, terminated, truncated) == (1, True, False), info
    env.reset(seed=1)
    assert env.step({"answer": None})[1:4] == (0, True, False)
    env.close()
    return f"{len(names)} tasks"


def save_and_restore(world: orrery.World) -> str:
    need("gymnasium")
    digest = save_and_restore_in(world, None)
    # A named world plays the same, and leaves main alone.
    opened = world.digest()
    assert save_and_restore_in(world, "training") == digest, "a named world goes another way"
    assert world.digest() == opened, "an environment of a named world changed main"
    world.worlds.delete("training")
    return digest


def save_and_restore_in(world: orrery.World, name: str | None) -> str:
    from orrery.gym import Env

    env = Env("market", server=world.url, world=name)
    env.reset(seed=1)
    env.step(1)
    digest = env.save()
    copy = env.clone()
    ways = [[tuple(env.step(k % 2)[0]) for k in range(5)]]
    ways.append([tuple(copy.step(k % 2)[0]) for k in range(5)])
    env.restore(digest)
    ways.append([tuple(env.step(k % 2)[0]) for k in range(5)])
    assert ways[0] == ways[1] == ways[2], "a clone or a restored state goes another way"
    assert sum(branch.probability for branch in env.peek()) == 1
    assert env.world.status()["tick"] > 0
    copy.close()
    env.close()
    left = [fork for fork in world.in_world(name).forks.list()["forks"] if fork.startswith("env-")]
    assert left == [], f"closed environments left {left}"
    return digest


def make_purse(world: orrery.World, frame_skip: int, max_ticks: int) -> None:
    """A world of one purse that grows by chance, as an environment."""
    world.reset(fresh=True)
    world.spawn(tags=["purse"], gold=0)
    gain = {"action": "add_field", "target": {"tag": "purse"}, "field": "gold", "value": 1}
    world.rules.create(
        name="luck",
        when={"kind": "tick", "every": 1},
        outcomes=[{"label": "gain", "weight": 1, "do": [gain]}, {"label": "none", "weight": 1}],
    )
    world.environment.set(
        name="Purse",
        frame_skip=frame_skip,
        agents=[{"name": "purse", "entity": "tag:purse"}],
        observation=[{"name": "gold", "field": "gold", "low": 0, "high": 100}],
        actions=[{"name": "wait"}],
        reward=[{"field": "gold", "weight": 1}],
        max_ticks=max_ticks,
    )


def reset_vectors(world: orrery.World) -> str:
    """Three episodes of three steps each."""
    need("gymnasium")
    import numpy as np
    from orrery.gym import VectorEnv

    make_purse(world, frame_skip=2, max_ticks=6)
    still = np.zeros(3, dtype=np.int64)
    for mode in ("NextStep", "SameStep"):
        envs = VectorEnv(None, 3, server=world.url, autoreset_mode=mode)
        runs = []
        for _ in range(2):
            first, _ = envs.reset(seed=5)
            assert first.sum() == 0
            run = []
            for k in range(1, 9):
                seen, reward, terminated, truncated, info = envs.step(still)
                is_end = k % (4 if mode == "NextStep" else 3) == (3 if mode == "NextStep" else 0)
                assert not terminated.any() and truncated.tolist() == [is_end] * 3, (mode, k)
                assert ("final_obs" in info) == (mode == "SameStep" and is_end), (mode, k)
                if mode == "SameStep" and is_end:
                    assert seen.sum() == 0 and len(info["final_obs"]) == 3
                run.append((seen.tolist(), reward.tolist()))
            runs.append(run)
        assert runs[0] == runs[1], "equal seeds gave different episodes"
        envs.close()
    return "NextStep and SameStep"


def check_pettingzoo(world: orrery.World) -> str:
    need("gymnasium", "pettingzoo")
    from orrery.pettingzoo import ParallelEnv
    from pettingzoo.test import parallel_api_test, parallel_seed_test

    for scene in ("arena", "market"):
        parallel_api_test(ParallelEnv(scene, server=world.url), num_cycles=20)
        parallel_seed_test(lambda: ParallelEnv(scene, server=world.url), num_cycles=5)
    return "arena, market"


#: Builds of the knight: what it is given before a fight.
BUILDS = {
    "sword": {"combat_damage": 28},
    "shield": {"base_stats": {"armor": 6}},
    "crit": {"crit": {"chance": "3/10", "multiplier": 2.4}},
}


def play_bandit(world: orrery.World) -> str:
    """Thompson sampling over three builds. Each pull is a fight to the end, in a fork of its own."""
    world.forks.create(fork_id="bandit")
    fork = world.in_world("bandit")
    fork.reset(fresh=True)
    fighter = {"combat": True, "physics_body": "Kinematic", "combat_cooldown": 0.8}
    knight = fork.spawn(health=200, team=1, position=[0, 0, 0], combat_damage=20, **fighter)["id"]
    for i in range(3):
        crit = {"chance": "1/5", "multiplier": 2}
        place = [4.0 + 2 * i, 0.0, i - 1.0]
        fork.spawn(health=60, team=2, position=place, combat_damage=9, crit=crit, **fighter)
    draws = random.Random(1)
    odds = {build: [1, 1] for build in BUILDS}
    began = time.perf_counter()
    ticks = 0
    for start in range(0, BANDIT_FORKS, BANDIT_PULLS):
        chosen = [
            max(odds, key=lambda build: draws.betavariate(*odds[build]))
            for _ in range(BANDIT_PULLS)
        ]
        answer = world.forks.step_many(
            steps=[
                {
                    "fork_id": f"bandit-{i}",
                    "from": "bandit",
                    "seed": start + i,
                    "requests": [
                        {"path": f"/entities/{knight}/components", "body": BUILDS[build]}
                    ],
                }
                for i, build in enumerate(chosen)
            ],
            ticks=3000,
            until="(none team:1+alive) | (none team:2+alive)",
            where={"won": "any team:1+alive"},
            keep=False,
        )
        for build, row in zip(chosen, answer["rows"]):
            assert row["ok"] and row["until"], row
            odds[build][0 if row["where"]["won"] else 1] += 1
            ticks += row["tick"]
    seconds = time.perf_counter() - began
    world.forks.delete("bandit")
    numbers["bandit_s"] = seconds
    aim = "" if seconds < BANDIT_SECONDS else f", over the aim of {BANDIT_SECONDS:g} s"
    best = max(odds, key=lambda build: odds[build][0])
    return f"{BANDIT_FORKS} fights of {ticks / BANDIT_FORKS:.0f} ticks in {seconds:.1f} s{aim}, best {best}"


def count_steps(world: orrery.World) -> str:
    need("gymnasium")
    from orrery.gym import Env, VectorEnv

    make_purse(world, frame_skip=6, max_ticks=600)
    env = Env(server=world.url)
    env.reset(seed=1)
    single = rate(lambda: env.step(0), 1)
    env.close()
    envs = VectorEnv(None, 64, server=world.url)
    envs.reset(seed=1)
    actions = envs.action_space.sample()
    many = rate(lambda: envs.step(actions), 64)
    envs.close()
    numbers["single_ms"] = 1000 / single
    numbers["vector_ms"] = 1000 / many
    return f"{single:.0f} steps/s alone, {many:.0f} steps/s with 64 at once (6 ticks each)"


def rate(step: Callable[[], object], steps: int, seconds: float = 2.0) -> float:
    began = time.perf_counter()
    made = 0
    while time.perf_counter() - began < seconds:
        step()
        made += steps
    return made / (time.perf_counter() - began)


def play_with_ray(world: orrery.World) -> str:
    need("ray")
    import orrery.ray
    import ray

    def rollout(fork: orrery.World, number: int) -> str:
        return fork.step(ticks=number % 3 + 1)["state_digest"]

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        began = time.perf_counter()
        digests = orrery.ray.play(rollout, 60, servers=[world.url])
        seconds = time.perf_counter() - began
    finally:
        ray.shutdown()
    assert len(digests) == 60 and len(set(digests)) <= 3
    return f"{60 / seconds:.0f} rollouts/s over actors"


def train_ppo(world: orrery.World) -> str:
    need("gymnasium", "stable_baselines3", "torch")
    try:
        import torch
        from stable_baselines3 import PPO
    except Exception as error:  # An installation that ended early raises anything.
        raise Skipped(f"stable_baselines3 cannot be loaded: {error}") from error
    from orrery.gym import Env

    torch.set_num_threads(1)
    env = Env("market", server=world.url, frame_skip=60)
    model = PPO("MlpPolicy", env, n_steps=128, batch_size=64, seed=1, device="cpu")
    began = time.perf_counter()
    model.learn(PPO_STEPS)
    seconds = time.perf_counter() - began
    env.close()
    return f"{PPO_STEPS / seconds:.0f} steps/s while it learns"


def run_tutorial(world: orrery.World) -> str:
    """The programs of the guide's page about Python that need libraries for learning."""
    page = Path(__file__).parents[2] / "public/guide/python.md"
    ran = 0
    for program in re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.S | re.M):
        needed = {name for name in ("gymnasium", "pettingzoo", "stable_baselines3") if name in program}
        if not needed or any(importlib.util.find_spec(name) is None for name in needed):
            continue
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(program, str(page), "exec"), {})
        ran += 1
    if ran == 0:
        raise Skipped("no library for learning is installed")
    return f"{ran} programs"


CHECKS: dict[str, Callable[[orrery.World], str]] = {
    "client": call_client,
    "check_env": check_gymnasium,
    "tasks": play_tasks,
    "clone and restore": save_and_restore,
    "autoreset": reset_vectors,
    "parallel_api_test and parallel_seed_test": check_pettingzoo,
    "bandit": play_bandit,
    "tutorial": run_tutorial,
    "speed": count_steps,
    "Ray": play_with_ray,
    "PPO": train_ppo,
}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("package", help="folder of the npm package or of a clone")
    parser.add_argument("--only", choices=CHECKS, action="append")
    parser.add_argument("--seconds", type=float, default=600, help="checks that begin later are skipped")
    parser.add_argument("--numbers", help="file for what was measured, as JSON")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    os.environ["ORRERY_PACKAGE"] = chosen.package
    failed = 0
    end = time.perf_counter() + chosen.seconds
    with orrery.serve(package=chosen.package) as server:
        for name in chosen.only or CHECKS:
            began = time.perf_counter()
            try:
                if began > end:
                    raise Skipped("there was no time left")
                result = "passed  " + CHECKS[name](server.world)
            except Skipped as error:
                result = f"skipped {error}"
            except Exception:
                traceback.print_exc()
                result = "FAILED"
                failed += 1
            print(f"{name:<42}{result}  ({time.perf_counter() - began:.1f} s)", flush=True)
    if chosen.numbers is not None:
        with open(chosen.numbers, "w", encoding="utf-8") as file:
            json.dump(numbers, file)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
