"""What the house does with tokens, one function a use case, each inside the caller's transaction.

A hand's hold, its settlement and its voiding go with the journal of its table, one transaction
each. A refusal breaks the transaction; everything may be repeated with the same arguments.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from server.database import HandId, PlayerId, TableId, Transaction
from server.errors import Refusal
from server.ledger import repository
from server.ledger.accounts import ISSUER, PROMO, AccountId, Balance
from server.ledger.refusals import named
from server.ledger.transfers import Commission, EntryKind, checked

HOLD_LIFE: Final = timedelta(hours=24)
"""Far longer than a hand: the sweeper voids what its table has lost, never what is played."""

SWEEP_HORIZON: Final = timedelta(days=3)
KEY_MAX: Final = 200
REASON_MAX: Final = 500
HOUSE_ACTOR: Final = "house"
OWNER: Final = "player:"
"""What the actor of a welcome grant begins with: the account is of that player."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a hand was paid.

    Units: micro-HT; `net_micro` has every seat of the hold: losers below zero, the winner with
    gross less commission, and sums to minus the commission.
    """

    journal_id: int
    pot: Commission
    net_micro: Mapping[PlayerId, int]


class Voided(Enum):
    """What became of the wish to void a hand; the first outcome stays."""

    VOIDED = "voided"
    ALREADY_VOIDED = "already voided"
    ALREADY_SETTLED = "already settled"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a held hand ended: settled by an entry, or voided for a reason."""

    journal_id: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class OpenHold:
    """A hand that is held and has no outcome yet."""

    hand_id: HandId
    table_id: TableId
    is_expired: bool
    created_at: datetime


async def open_player_account(
    tx: Transaction, player_id: PlayerId, *, welcome_micro: int
) -> Balance:
    """Open a player's account with the welcome grant, which a second call does not give again.

    Errors: Refusal `bad_amount`.
    """
    with named():
        account, is_new = await repository.open_player_account(tx, player_id)
        if is_new and welcome_micro:
            # who the account is of is in its first entry, and so under the first seal over it
            key, owner = f"welcome:{player_id}", f"{OWNER}{player_id}"
            await _grant(tx, account, welcome_micro, key, "welcome", owner)
    return await balance_of(tx, player_id)


async def balance_of(tx: Transaction, player_id: PlayerId) -> Balance:
    """Tell what a player has.

    Errors: Refusal `unknown_account`.
    """
    row = await repository.find_account(tx, player_id)
    if row is None:
        raise Refusal("unknown_account", f"player {player_id} has no account")
    return Balance(row.posted, row.held, row.version, row.frozen)


async def account_of(tx: Transaction, player_id: PlayerId) -> AccountId:
    """Derive the account of a player.

    Errors: Refusal `unknown_account`.
    """
    row = await repository.find_account(tx, player_id)
    if row is None:
        raise Refusal("unknown_account", f"player {player_id} has no account")
    return AccountId(row.id)


async def available_of(tx: Transaction, players: Sequence[PlayerId]) -> Mapping[PlayerId, int]:
    """Map players to what may be held of each, in micro-HT; 0 without an account, or if frozen.

    An answer for the moment: `hold_hand` alone decides.
    """
    known = await repository.available(tx, players)
    return {player: known.get(player, 0) for player in players}


async def hold_hand(
    tx: Transaction,
    *,
    hand_id: HandId,
    table_id: TableId,
    seats: Mapping[PlayerId, int],
    commission_bps: int,
    practice: bool = False,
    life: timedelta = HOLD_LIFE,
) -> bool:
    """Hold what each seat may lose, for all attempts of the hand; False if it is held already.

    The commission's rate is fixed here; a settlement can't bring another.

    Shape:  `seats` maps 2 to 8 players to micro-HT above zero.
    Errors: NotCovered (`not_covered`) with the players that can't; `unknown_account`,
            `account_frozen`, `bad_amount`, `hand_held_otherwise`, `hand_voided`.
    """
    with named():
        said = await repository.hold_hand(
            tx,
            hand_id=hand_id,
            table_id=table_id,
            practice=practice,
            amounts=seats,
            commission_bps=commission_bps,
            life=life,
        )
    return said == "held"


async def settle_hand(
    tx: Transaction, *, hand_id: HandId, winner: PlayerId, payments: Mapping[PlayerId, int]
) -> Settlement:
    """Pay a hand out, once; the same call again brings the same settlement.

    Shape:  `payments` maps every held player but the winner to what it pays, 0 for a seat that sat
            out after a void attempt. The gross is their sum.
    Units:  micro-HT, zero or above, no more than was held of the player.
    Errors: `hand_voided`, `hand_settled_otherwise`, `unknown_hand`, `bad_amount`; `hold_mismatch`
            if the players are others than were held, or one pays more.
    """
    with named():
        row = await repository.settle_hand(tx, hand_id=hand_id, winner=winner, payments=payments)
    pot = Commission(row.gross, row.commission)
    net = {player: -pay for player, pay in payments.items()} | {winner: pot.net_micro}
    return Settlement(row.journal_id, pot, net)


async def void_hand(tx: Transaction, *, hand_id: HandId, reason: str) -> Voided:
    """Release all that is held for a hand; nothing is posted. The first outcome stays.

    Errors: Refusal `unknown_hand`, `bad_reason`.
    """
    with named():
        return Voided(await repository.void_hand(tx, hand_id, _reason(reason)))


async def find_outcome(tx: Transaction, hand_id: HandId) -> Outcome | None:
    """Find how a held hand ended; None while it is open, and for a hand that was never held."""
    row = await repository.find_outcome(tx, hand_id)
    return Outcome(row.journal_id, row.reason) if row is not None else None


async def held_of(tx: Transaction, hand_id: HandId) -> Mapping[PlayerId, int]:
    """Map the players of a hand to what was held of each; empty if it was never held."""
    return await repository.held_of(tx, hand_id)


async def open_holds(tx: Transaction, *, since_ever: bool = False) -> list[OpenHold]:
    """List the held hands without an outcome, for the sweeper.

    Those that expired more than `SWEEP_HORIZON` ago only with `since_ever`, which reads every
    hand: for the start and the nightly job.
    """
    within = None if since_ever else SWEEP_HORIZON
    rows = await repository.open_holds(tx, expiring_within=within)
    return [OpenHold(HandId(r.hand_id), TableId(r.table_id), r.expired, r.created_at) for r in rows]


async def issue(
    tx: Transaction, player_id: PlayerId, *, amount_micro: int, key: str, reason: str, actor: str
) -> int:
    """Give new tokens to a player; returns the entry. The same key again moves nothing.

    Errors: Refusal `unknown_account`, `account_frozen`, `bad_amount`, `bad_reason`, `bad_key`,
            `key_reused`.
    """
    account = await account_of(tx, player_id)
    with named():
        return await repository.transfer(
            tx,
            key=_key("issue", key),
            kind=EntryKind.ISSUE,
            debit=ISSUER,
            credit=account,
            amount_micro=checked(amount_micro),
            reason=_reason(reason),
            actor=actor,
        )


async def withdraw(
    tx: Transaction, player_id: PlayerId, *, amount_micro: int, key: str, reason: str, actor: str
) -> int:
    """Take tokens of a player out of circulation; returns the entry.

    Errors: as `issue`, and `not_covered` if less is available.
    """
    account = await account_of(tx, player_id)
    with named():
        return await repository.transfer(
            tx,
            key=_key("withdraw", key),
            kind=EntryKind.WITHDRAW,
            debit=account,
            credit=ISSUER,
            amount_micro=checked(amount_micro),
            reason=_reason(reason),
            actor=actor,
        )


async def fund_bot(tx: Transaction, player_id: PlayerId, *, amount_micro: int, key: str) -> int:
    """Give a practice bot more from promo; returns the entry. The same key again moves nothing.

    Errors: Refusal `unknown_account`, `account_frozen`, `bad_amount`, `bad_key`, `key_reused`.
    """
    account = await account_of(tx, player_id)
    with named():
        return await _grant(tx, account, checked(amount_micro), _key("bot", key), "practice bot")


async def reverse(tx: Transaction, entry_id: int, *, reason: str, actor: str) -> int:
    """Undo an entry by its opposite, once; returns the reversal, the same one every time.

    Errors: Refusal `unknown_entry`, `not_reversible` (a reversal), `not_covered`, `bad_reason`.
    """
    with named():
        return await repository.reverse(tx, entry_id=entry_id, reason=_reason(reason), actor=actor)


async def freeze_account(tx: Transaction, player_id: PlayerId, *, frozen: bool) -> None:
    """Let a player's tokens rest: no hold and no transfer; a hand in play is still settled.

    Errors: Refusal `unknown_account`.
    """
    with named():
        await repository.freeze(tx, player_id, frozen=frozen)


async def _grant(
    tx: Transaction,
    account: AccountId,
    amount_micro: int,
    key: str,
    reason: str,
    actor: str = HOUSE_ACTOR,
) -> int:
    """Give from promo, which the issuer funds in the same entry: it never falls below zero."""
    return await repository.transfer(
        tx,
        key=key,
        kind=EntryKind.GRANT,
        debit=ISSUER,
        via=PROMO,
        credit=account,
        amount_micro=amount_micro,
        reason=reason,
        actor=actor,
    )


def _key(prefix: str, key: str) -> str:
    if not 1 <= len(key) <= KEY_MAX or not key.isprintable():
        raise Refusal("bad_key", f"a key is 1 to {KEY_MAX} printable characters", "key")
    return f"{prefix}:{key}"


def _reason(reason: str) -> str:
    if not reason.strip() or len(reason) > REASON_MAX or not reason.isprintable():
        raise Refusal("bad_reason", f"a reason has 1 to {REASON_MAX} characters", "reason")
    return reason
