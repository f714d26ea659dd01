"""How the programs of the tests play; what they draw they discard (`Program.react`)."""

from server.games.rummy.moves import Draw, Drop
from tests.tables.company import Program


async def idle(program: Program) -> None:
    """Do nothing: the clock plays."""


async def drop(program: Program) -> None:
    """Drop at the first chance."""
    await program.play(Drop())


class Turns:
    """Draws and discards for `turns` turns of each hand, then drops."""

    def __init__(self, turns: int) -> None:
        self.turns = turns
        self.played: dict[tuple[int, int], int] = {}

    async def __call__(self, program: Program) -> None:
        key = (program.id, program.opened["hand"])
        self.played[key] = self.played.get(key, 0) + 1
        await program.play(Drop() if self.played[key] > self.turns else Draw("closed"))


async def silent_if_first(program: Program) -> None:
    """Be silent on the first turn of the hand, whoever's it is; drop on any other."""
    if program.turn > 1:
        await program.play(Drop())


async def first_legal(program: Program) -> None:
    """Play the first move that the rules allow, whatever the game."""
    state = program.host.state_of(program.table)
    hand = state.hand
    assert hand is not None, "a turn belongs to a hand"
    assert program.seat is not None
    move = next(iter(state.game.legal_moves(hand.state, program.seat)))
    await program.play(move)


class InHands:
    """Plays the first legal move in the hands that are named, and nothing in any other."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = numbers

    async def __call__(self, program: Program) -> None:
        if program.opened["hand"] in self.numbers:
            await first_legal(program)
