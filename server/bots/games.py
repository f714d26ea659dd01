"""What a client knows of each game: how to follow its public lines, and how to play it."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from random import Random
from typing import Any, Final

from server.bots.batak_hand import BATAK
from server.bots.court_piece_hand import COURT_PIECE
from server.bots.evidence import Cheated, found
from server.bots.list_checks import SignedList
from server.bots.public import Begun, Program, PublicHand
from server.bots.rummy_hand import RUMMY
from server.bots.seep_hand import SEEP
from server.bots.sevens_hand import SEVENS
from server.cards.game import AnyGame, InvalidOption
from server.errors import Fault

Policy = Callable[[PublicHand, Random, bool], Any]
"""Chooses a game's move by what a seat has followed of a hand; carelessly, if True."""

PROGRAMS: Final[Mapping[str, Program]] = {
    "rummy": RUMMY,
    "seep": SEEP,
    "court_piece": COURT_PIECE,
    "batak": BATAK,
    "badam_satti": SEVENS,
    "sevens": SEVENS,
}
"""Every game that a client can follow and play, by its name."""


def public_hand(
    game: AnyGame, options: Mapping[str, Any], signed: SignedList, me: int | None
) -> PublicHand:
    """Begin to follow a hand of `game` from its signed list.

    Errors: Cheated(17) if the game refuses the options, or is none that this client can follow.
    """
    text = f"this client can't follow a hand of {game.name}"
    program = found(PROGRAMS.get(game.name), 17, text)
    try:
        chosen = game.options_type(**options)
    except (InvalidOption, TypeError) as error:
        raise Cheated(17, f"the game refuses the table's options: {error}") from None
    begun = Begun(
        options=chosen,
        pack_size=game.pack(chosen).size,
        seats=tuple(one.seat for one in signed.listed.seats),
        dealer=signed.listed.dealer,
        me=me,
        memo=signed.memo,
    )
    return program.follow(begun)


def policy_of(game: AnyGame) -> Policy:
    """Find how a program plays a game.

    Errors: Fault if no policy is written for it.
    """
    program = PROGRAMS.get(game.name)
    if program is None:
        raise Fault(f"no bot plays {game.name}")
    return program.play


def wire_of(move: Any) -> dict[str, Any]:
    """Write a move as the `d` of a `play` frame; what is None is left out."""
    body = {f.name.rstrip("_"): _lists(getattr(move, f.name)) for f in fields(move)}
    return {"move": move.name, **{key: value for key, value in body.items() if value is not None}}


def _lists(value: Any) -> Any:
    return [_lists(part) for part in value] if isinstance(value, tuple) else value
