"""Substitutes: marked bots that play on a seat of a match for an owner that is not there.

A seat has an owner, who keeps it until the match is over, and a pilot, who plays it now. Whoever
runs the table gives the substitute a token for that seat; it comes in by the socket like anybody.
"""

from dataclasses import replace

from server.cards.game import Seat
from server.identity.service import bot_called
from server.tables import seat_tokens
from server.tables.facts import SeatReturned, SeatSubstituted
from server.tables.pseudonyms import pseudonym_of
from server.tables.state import TableState
from server.tables.work import Work

LEFT = "left"
ABSENT = "absent"


async def engage(work: Work, seat: Seat, why: str) -> None:
    """Let a substitute play a seat from now on; one that plays it already learns why it does."""
    bot = await bot_called(work.tx, _name_of(work, seat))
    pseudonym = await pseudonym_of(work, bot.id)
    work.state = replace(work.state, names={**work.state.names, bot.id: bot.name})
    work.add(SeatSubstituted(seat=seat, player=bot.id, pseudonym=pseudonym, why=why))


async def engage_handed(work: Work) -> None:
    """Name substitutes for the seats that the game has just handed over."""
    for seat, chair in work.state.taken():
        if chair.handed is not None:
            await engage(work, seat, chair.handed)


async def engage_absent(work: Work) -> None:
    """Between the hands of a match: name substitutes for the owners who can't be dealt to."""
    for seat, chair in work.state.taken():
        if chair.substitute is None and not chair.is_ready:
            await engage(work, seat, LEFT if chair.leaving else ABSENT)


async def engage_leavers(work: Work) -> None:
    """Name substitutes for owners whose hand ended before the game heard that they leave."""
    for seat, chair in work.state.taken():
        if chair.leaving and chair.substitute is None:
            await engage(work, seat, LEFT)


async def dismiss(work: Work, seat: Seat) -> None:
    """Give a seat back to its owner: its substitute's token is worthless from now on."""
    await seat_tokens.revoke(work.tx, work.table, seat)
    work.add(SeatReturned(seat=seat))


async def dismiss_all(work: Work, before: TableState) -> None:
    """Revoke all tokens if the match that was played `before`, or the table, is over."""
    is_over = work.state.match is None or work.state.closing is not None
    if is_over and any(chair.substitute for _, chair in before.taken()):
        await seat_tokens.revoke_all(work.tx, work.table)


def _name_of(work: Work, seat: Seat) -> str:
    """Name the bot by its place: each has one socket, so no two seats share one."""
    return f"Substitute {work.table.hex[:8]} {seat}"
