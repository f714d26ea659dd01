"""What the wire says of a hand's public parts; events and snapshots both write them here."""

from collections.abc import Sequence

from server.cards.carry import brought_memo
from server.cards.game import Scored
from server.cards.options import options_fields
from server.tables.chairs import Chair, Pilot
from server.tables.facts import HandCancelled, HandClosed, LogPlace
from server.tables.listing import Contribution, Listing
from server.tables.state import Hand, Head, Opened, TableState, Voided


def log_body(log: LogPlace) -> dict[str, object]:
    """Write an entry's place in the public log, with its proof and the signed checkpoint."""
    return {
        "index": log.index,
        "size": log.size,
        "root": log.root.hex(),
        "entry": log.entry.hex(),
        "path": None if log.path is None else [node.hex() for node in log.path],
        "checkpoint": log.checkpoint,
    }


def opened_body(state: TableState, opened: Opened, sig: bytes) -> dict[str, object]:
    """Write a hand's opening: what a client checks before it commits."""
    pack = state.game.pack(state.options)
    return {
        "hand": opened.hand_no,
        "hand_id": str(opened.hand_id),
        "packs": pack.packs,
        "printed_jokers": pack.printed_jokers,
        "spec": opened.spec.hex(),
        "commits": [commit.hex() for commit in opened.commits],
        "log": log_body(opened.log),
        "sig": sig.hex(),
    }


def phase_body(
    *, phase: str, hand_no: int, attempt: int, epoch: int, deadline_ms: int, waiting: Sequence[int]
) -> dict[str, object]:
    """Write a phase of the deal, its deadline, and whom it waits for."""
    return {
        "phase": phase,
        "hand": hand_no,
        "attempt": attempt,
        "epoch": epoch,
        "deadline": deadline_ms,
        "waiting": list(waiting),
    }


def match_body(state: TableState) -> dict[str, object] | None:
    """Write the match in progress; None between two matches."""
    match = state.match
    if match is None:
        return None
    return {"number": match.number, "first_hand": match.first_hand, "seats": list(match.seats)}


def listed_body(state: TableState, opened: Opened, listing: Listing) -> dict[str, object]:
    """Write the whole signed list."""
    return {
        "hand": opened.hand_no,
        "attempt": listing.attempt,
        "game": state.game.name,
        "rules": state.game.rules_version,
        "options": options_fields(state.options),
        "dealer": listing.dealer,
        "memo": brought_memo(state.carry.memo, listing.infos),
        "seats": [_contribution_body(one) for one in listing.seats],
        "log_size": opened.log.size,
        "log_root": opened.log.root.hex(),
        "L": listing.digest.hex(),
        "sig": listing.sig.hex(),
        "server_only": listing.is_server_only,
    }


def revealed_body(
    *, seat: int, attempt: int, epoch: int, x: bytes, sig: bytes | None
) -> dict[str, object]:
    """Write a seat's reveal as it is relayed to all."""
    return {
        "seat": seat,
        "attempt": attempt,
        "epoch": epoch,
        "x": x.hex(),
        "sig": _hex(sig),
    }


def dealt_body(opened: Opened, attempt: int, head: Head, toss: Sequence[int]) -> dict[str, object]:
    """Write a deal's HEAD."""
    return {
        "hand": opened.hand_no,
        "attempt": attempt,
        "R": head.shoe.entropy.hex(),
        **_head_body(head),
        "toss": list(toss),
    }


def reshuffled_body(opened: Opened, listing: Listing, head: Head) -> dict[str, object]:
    """Write a reshuffle's HEAD_e and who contributed to it."""
    epoch = head.shoe.epoch
    return {
        "hand": opened.hand_no,
        "epoch": epoch,
        "R": head.shoe.entropy.hex(),
        **_head_body(head),
        "present": [_present_body(one, epoch) for one in listing.seats],
    }


def voided_body(opened: Opened, voided: Voided) -> dict[str, object]:
    """Write an attempt that was given up, with its seed and the reveals received."""
    return {
        "hand": opened.hand_no,
        "attempt": voided.attempt,
        "reason": voided.reason,
        "S": voided.seed.hex(),
        "seats": [
            {
                "seat": one.seat,
                "status": one.status,
                "present": one.x_of(0) is not None,
                "x": _hex(one.x_of(0)),
            }
            for one in voided.listing.seats
        ],
        "log": log_body(voided.log),
    }


def cancelled_body(opened: Opened, fact: HandCancelled) -> dict[str, object]:
    """Write a hand number that was given up."""
    return {"hand": opened.hand_no, "reason": fact.reason, "log": log_body(fact.log)}


def closed_body(
    state: TableState, opened: Opened, fact: HandClosed, *, hand: Hand, scored: Scored, sig: bytes
) -> dict[str, object]:
    """Write the end of a hand: seeds, result, tokens, and where its record is."""
    options = options_fields(state.options)
    settlement = None
    if fact.journal is not None:
        settlement = {
            "rate": str(options["rate"]),
            "gross": str(fact.gross),
            "commission_bps": options["commission_bps"],
            "commission": str(fact.commission),
            "journal": str(fact.journal),
        }
    return {
        "hand": opened.hand_no,
        "hand_id": str(opened.hand_id),
        "attempt": hand.attempt,
        "S": [{"attempt": i, "S": seed.hex()} for i, seed in enumerate(fact.seeds)],
        "T": hand.transcript.hex(),
        "result": [
            {"seat": seat, "points": points, "amount": str(amount)}
            for seat, points, amount in fact.result
        ],
        "winner": fact.winner,
        "match": {
            "number": state.matches + 1 if state.match is None else state.match.number,
            "over": scored.match_over,
            "winners": list(scored.champions),
        },
        "settlement": settlement,
        "log": log_body(fact.log),
        "sig": sig.hex(),
        "record": f"/api/v1/hands/{opened.hand_id}/record",
        "shown_until": fact.shown_until_ms,
    }


def seat_body(seat: int, chair: Chair, why: str) -> dict[str, object]:
    """Write what changed about a seat."""
    return {"seat": seat, "away": chair.away, "sits_out": chair.sits_out, "why": why}


def player_body(pilot: Pilot) -> dict[str, object]:
    """Write who sits in a seat, or plays it."""
    return {
        "name": pilot.name,
        "kind": pilot.kind.name.lower(),
        "pseudonym": pilot.pseudonym.hex(),
    }


def substitute_body(chair: Chair) -> dict[str, object] | None:
    """Write the bot that plays a seat in its owner's place, and why; None if the owner does."""
    if chair.substitute is None:
        return None
    return {**player_body(chair.substitute), "why": chair.substitute.why}


def pilot_body(seat: int, chair: Chair) -> dict[str, object]:
    """Write who plays a seat from now on."""
    return {"seat": seat, "player": player_body(chair), "substitute": substitute_body(chair)}


def _contribution_body(one: Contribution) -> dict[str, object]:
    return {
        "seat": one.seat,
        "kind": int(one.kind),
        "player": one.pseudonym.hex(),
        "pub": one.pub.hex(),
        "status": one.status,
        "commit": one.commit.hex(),
        "commit_sig": _hex(one.commit_sig),
    }


def _present_body(one: Contribution, epoch: int) -> dict[str, object]:
    x = one.x_of(epoch)
    sig = one.x_sigs[epoch] if epoch < len(one.x_sigs) else None
    return {"seat": one.seat, "present": x is not None, "x": _hex(x), "sig": _hex(sig)}


def _head_body(head: Head) -> dict[str, object]:
    return {
        "n": len(head.shoe.order),
        "root": head.shoe.root.hex(),
        "head": head.shoe.head.hex(),
        "sig_head": head.sig.hex(),
        "log": log_body(head.log),
    }


def _hex(value: bytes | None) -> str | None:
    return None if value is None else value.hex()
