"""Accounts: which there are, and what a balance says. Pure."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NewType

AccountId = NewType("AccountId", int)

HOUSE: Final = AccountId(2)
ISSUER: Final = AccountId(3)
PROMO: Final = AccountId(4)
SUSPENSE: Final = AccountId(5)


class AccountKind(IntEnum):
    """Whose an account is; the house's own accounts have their kind as id."""

    PLAYER = 1
    HOUSE = 2
    """Commission."""
    ISSUER = 3
    """Below zero by what is in circulation."""
    PROMO = 4
    """What newcomers and bots are given passes through it; the issuer funds each such entry."""
    SUSPENSE = 5


@dataclass(frozen=True, slots=True)
class Balance:
    """What a player has.

    Units: micro-HT; `available_micro` is what isn't held for hands that are being played;
    `version` counts the postings, so the statement's last page begins after `version - limit`.
    """

    posted_micro: int
    held_micro: int
    version: int
    is_frozen: bool = False

    @property
    def available_micro(self) -> int:
        """What may be held for another hand or withdrawn."""
        return self.posted_micro - self.held_micro
