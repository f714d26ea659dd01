"""Catching up from a snapshot: the same checks, over the same parts, in the same order."""

from collections.abc import Mapping, Sequence
from typing import Any

from server.bots.deal_watch import DealWatch
from server.bots.evidence import demand, found
from server.bots.form import bytes_of, number_of, part_of, parts_of

Part = Mapping[str, Any]


def follow(deal: DealWatch, hand: Part) -> None:
    """Bring `deal`, fresh or known in part, to where a snapshot's `hand` stands.

    Errors: Cheated, as each frame that is made up for would have.
    """
    reveals = parts_of(hand, "revealed")
    for row in reveals:
        if number_of(row, "epoch") == 0:
            deal.revealed(row)
    if hand.get("heads") is None:
        return
    heads = parts_of(hand, "heads")
    openings = parts_of(hand, "openings")
    _open(deal, openings)
    for row in parts_of(hand, "lines"):
        k = number_of(row, "k")
        if deal.transcript is not None and k <= deal.transcript.k:
            continue
        if row.get("line") is not None:
            deal.line(row, row)
            continue
        _take_head(deal, heads, openings, row)
    transcript = found(deal.transcript, 18, "a snapshot of a dealt hand lacks the deal")
    demand(bytes_of(hand, "T") == transcript.value, 18, "the snapshot's T is not of its lines")
    if hand.get("call") is not None:
        call = deal.again_called(part_of(hand, "call"))
        for row in reveals:
            if number_of(row, "epoch") == call.epoch:
                deal.revealed(row)
    deal.nothing_owed()
    deal.no_strays()


def _open(deal: DealWatch, openings: Sequence[Part]) -> None:
    """Check the cards of every epoch whose HEAD is known, before the lines that give them."""
    known = [row for row in openings if number_of(row, "epoch") < len(deal.heads)]
    deal.openings({"openings": known})


def _take_head(deal: DealWatch, heads: Sequence[Part], openings: Sequence[Part], row: Part) -> None:
    """Take the next epoch's HEAD, with the cards of that epoch that were opened so far."""
    epoch = len(deal.heads)
    demand(epoch < len(heads), 6, f"the snapshot lacks the HEAD of epoch {epoch}")
    own = [one for one in openings if one.get("epoch") == epoch]
    part = {**heads[epoch], "openings": own}
    if epoch == 0:
        deal.dealt(part, row)
    else:
        deal.call = deal.own_call()
        deal.reshuffled(part, row)
