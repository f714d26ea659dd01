"""What a client knows of each game: how to follow its public lines, and how to play it."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from random import Random
from typing import Any, cast

from server.bots.evidence import Cheated
from server.bots.list_checks import SignedList
from server.bots.public import PublicHand
from server.bots.rummy import choose
from server.bots.rummy_hand import RummyHand
from server.cards.game import AnyGame, InvalidOption
from server.errors import Fault
from server.games.rummy.options import Options

Policy = Callable[[PublicHand, Random, bool], Any]
"""Chooses a game's move by what a seat has followed of a hand; carelessly, if True."""


def public_hand(
    game: AnyGame, options: Mapping[str, Any], signed: SignedList, me: int | None
) -> PublicHand:
    """Begin to follow a hand of `game` from its signed list.

    Errors: Cheated(17) if the game refuses the options, or is none that this client can follow.
    """
    if game.name != "rummy":
        raise Cheated(17, f"this client can't follow a hand of {game.name}")
    try:
        chosen = cast("Options", game.options_type(**options))
    except (InvalidOption, TypeError) as error:
        raise Cheated(17, f"the game refuses the table's options: {error}") from None
    seats = [one.seat for one in signed.listed.seats]
    return RummyHand(chosen, game.pack(chosen).size, seats, signed.listed.dealer, me)


def policy_of(game: AnyGame) -> Policy:
    """Find how a program plays a game.

    Errors: Fault if no policy is written for it.
    """
    if game.name != "rummy":
        raise Fault(f"no bot plays {game.name}")
    return _play_rummy


def wire_of(move: Any) -> dict[str, Any]:
    """Write a move as the `d` of a `play` frame; what is None is left out."""
    body = {f.name.rstrip("_"): _lists(getattr(move, f.name)) for f in fields(move)}
    return {"move": move.name, **{key: value for key, value in body.items() if value is not None}}


def _play_rummy(public: PublicHand, random: Random, is_careless: bool) -> Any:
    assert isinstance(public, RummyHand), public
    return choose(public.sight(), random, is_careless=is_careless)


def _lists(value: Any) -> Any:
    return [_lists(part) for part in value] if isinstance(value, tuple) else value
