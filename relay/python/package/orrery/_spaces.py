"""Spaces of Gymnasium for the agents of an environment."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from gymnasium import spaces

from ._episodes import Agent


def observation_space(agent: Agent) -> Any:
    low = np.array([number["low"] for number in agent.observation], dtype=np.float32)
    high = np.array([number["high"] for number in agent.observation], dtype=np.float32)
    return spaces.Box(low, high, dtype=np.float32)


def action_space(agent: Agent) -> spaces.Discrete[Any]:
    return spaces.Discrete(len(agent.actions))


def array_of(numbers: Sequence[float]) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.array(numbers, dtype=np.float32)
