"""Amounts as the wire has them: micro-HT as a decimal string, and HT as people read them."""

from typing import Annotated

from pydantic import BaseModel, StringConstraints

from server.ledger.transfers import ht_text

Micro = Annotated[str, StringConstraints(pattern=r"^-?(0|[1-9][0-9]{0,18})$")]
PositiveMicro = Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]{0,15}$")]


class AmountBody(BaseModel):
    """An amount of house tokens; they can be neither bought nor cashed in."""

    micro: Micro
    ht: str


def amount_of(micro: int) -> AmountBody:
    """Write an amount."""
    return AmountBody(micro=str(micro), ht=ht_text(micro))
