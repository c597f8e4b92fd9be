"""The Python side of a peer: runs named cases for `peer.ts`, one line of input each."""

import sys
import time
from typing import Callable


def milliseconds(work: Callable[[], object], repeats: int = 1) -> float:
    """Mean time of one run."""
    began = time.perf_counter()
    for _ in range(repeats):
        work()
    return (time.perf_counter() - began) * 1000 / repeats


def answer(cases: dict[str, Callable[[], float]]) -> None:
    """Says that it is ready, then answers each name of a case with a number."""
    print("ready", flush=True)
    for line in sys.stdin:
        print(cases[line.strip()](), flush=True)
