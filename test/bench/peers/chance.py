"""A chance node and clones in OpenSpiel: a roll of two dice in the middle of a game of backgammon."""

import random

import pyspiel
from peer import answer, milliseconds

#: Moves before the roll that is measured.
MOVES = 40
REPEATS = 200

draws = random.Random(1)


def middle() -> pyspiel.State:
    state = pyspiel.load_game("backgammon").new_initial_state()
    while state.move_number() < MOVES or not state.is_chance_node():
        state.apply_action(draw(state) if state.is_chance_node() else draws.choice(state.legal_actions()))
    return state


def draw(state: pyspiel.State) -> int:
    outcomes, weights = zip(*state.chance_outcomes())
    return draws.choices(outcomes, weights)[0]


def odds() -> list[tuple[float, int]]:
    """Every outcome with its probability and a hash of the state that it leads to."""
    return [(chance, hash(str(roll.child(outcome)))) for outcome, chance in roll.chance_outcomes()]


def branch() -> int:
    copy = roll.clone()
    copy.apply_action(draw(copy))
    return hash(str(copy))


roll = middle()
answer(
    {
        "odds": lambda: milliseconds(odds, REPEATS),
        "clone": lambda: milliseconds(roll.clone, REPEATS),
        "branch": lambda: milliseconds(branch, REPEATS),
        "outcomes": lambda: len(roll.chance_outcomes()),
    }
)
