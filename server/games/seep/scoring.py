"""The points of a deal, the account of a match, and who deals next."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from server.cards.card import Card, rank_of, suit_of
from server.cards.game import Carry, Seat
from server.games.seep.captures import team_of, value_of

DEAL_POINTS = 100
SEEP_POINTS = 50
FIRST_SEEP_POINTS = 25
LAST_SEEP_POINTS = 0
TEN_OF_DIAMONDS_POINTS = 6
POINTS_MIN = 9
LEAD_TO_WIN = 100

Pair = tuple[int, int]
"""A number for the pair of seats 0 and 2, and one for that of seats 1 and 3."""

_MEMO = re.compile(r"lead=(?P<lead>0|-?[1-9][0-9]?) deals=(?P<deals>[1-9][0-9]{0,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Account:
    """A match so far. Units: `lead` points of the pair of seats 0 and 2 over the other one."""

    lead: int = 0
    deals: int = 0

    @property
    def memo(self) -> str:
        """Write the account as the carry holds it; nothing before the first deal is counted."""
        return f"lead={self.lead} deals={self.deals}" if self.deals else ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a deal did to the match. Shape: teams are 0 and 1; `under_nine` None if nobody was."""

    lead: int
    under_nine: int | None
    match_winner: int | None
    carry: Carry


def account_of(memo: str) -> Account:
    """Read a carry's memo.

    Errors: ValueError if it is not exactly what `Account.memo` writes.
    """
    if memo == "":
        return Account()
    if (found := _MEMO.fullmatch(memo)) is None:
        raise ValueError(f"not an account of Seep: {memo[:40]!r}")
    return Account(int(found["lead"]), int(found["deals"]))


def points_of(card: Card) -> int:
    """Count a card: spades their value, other aces 1, the ten of diamonds 6. Source: rules.md 8.1.

    Example: the pack makes 100.
    """
    if suit_of(card) == "S":
        return value_of(card)
    if rank_of(card) == "A":
        return 1
    return TEN_OF_DIAMONDS_POINTS if card == "TD" else 0


def card_points(cards: Iterable[Card]) -> int:
    """Count taken cards."""
    return sum(map(points_of, cards))


def seep_points(play_no: int, last_play_no: int) -> int:
    """Say what clearing the floor with a play is worth; plays count from 1. Source: rules.md 7."""
    if play_no == last_play_no:
        return LAST_SEEP_POINTS
    return FIRST_SEEP_POINTS if play_no == 1 else SEEP_POINTS


def settled(account: Account, dealer: Seat, points: Pair) -> Outcome:
    """Bring a deal's points to the account.

    Shape:  the carry is a new match's once this one is won.
    Source: rules.md 8.3 to 8.7.
    """
    lead = account.lead + points[0] - points[1]
    under = next((team for team in (0, 1) if points[team] < POINTS_MIN), None)
    winner: int | None = None
    if under is not None:
        winner = 1 - under
    elif abs(lead) >= LEAD_TO_WIN:
        winner = 0 if lead > 0 else 1
    following = next_dealer(dealer, lead)
    if winner is not None:
        return Outcome(lead, under, winner, Carry(dealer=Seat((following + 2) % 4)))
    memo = Account(lead, account.deals + 1).memo
    return Outcome(lead, under, None, Carry(dealer=following, memo=memo))


def next_dealer(dealer: Seat, lead: int) -> Seat:
    """Derive who deals next: the same if his pair is behind or level, else the seat on the right.

    Source: rules.md 8.6.
    """
    own = lead if team_of(dealer) == 0 else -lead
    return dealer if own <= 0 else Seat((dealer + 1) % 4)
