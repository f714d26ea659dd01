"""Checks of the signed list and of what seats reveal for it (fairdeal/1 checks 3, 5, 7, 17)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from server.bots.evidence import Cheated, demand, found
from server.bots.form import (
    NO_KEY,
    SIG_BYTES,
    bytes_of,
    find_bytes,
    number_of,
    part_of,
    parts_of,
    text_of,
)
from server.bots.keys import demand_signed
from server.bots.opening_checks import OpenHand
from server.cards.carry import read_brought
from server.cards.game import Seat
from server.fairness.commitment import (
    PLAYER_BYTES,
    Listed,
    ListedSeat,
    list_hash,
    options_text,
    receipt,
    reveal,
    seat_commit,
)
from server.fairness.encoding import ZERO_HASH


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCommit:
    """What this client sent for an attempt; `commit` None is "play without my seed".

    Shape: `must_be_listed` once the server's receipt is here and nothing has put the seat out.
    """

    attempt: int
    seat: int
    pub: bytes
    commit: bytes | None
    must_be_listed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What the list must say, as this client knows it.

    Shape: `seats` are (kind, pseudonym) by seat number, of those who may play; `dealer` is None for
           the toss, a seat, or `UNKNOWN` if this client has not seen the hand before, `memo` then
           None.
    """

    game: str
    rules: str
    options: Mapping[str, Any]
    seats: Mapping[int, tuple[tuple[int, bytes], ...]]
    dealer: int | str | None
    memo: str | None


UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedList:
    """A list that holds: its hash L, and who is on it.

    Shape: `memo` is the game's own of the match so far, `played` the matches that seats finished.
    """

    attempt: int
    listed: Listed
    digest: bytes
    memo: str = ""
    played: Mapping[Seat, int] = field(default_factory=dict)

    @property
    def hand(self) -> bytes:
        """Give the hash that names the attempt."""
        return self.listed.hand

    def find(self, seat: int) -> ListedSeat | None:
        """Find a listed seat."""
        return next((one for one in self.listed.seats if one.seat == seat), None)


def check_list(
    part: Mapping[str, Any], opened: OpenHand, *, own: OwnCommit | None, expected: Expected
) -> SignedList:
    """Check `hand.listed` against the open, this client's commit and what it knows of the table.

    Errors: Cheated (2, 3, 5, 17, 19).
    """
    attempt = number_of(part, "attempt")
    hand = opened.hand(attempt)
    dealer = None if part.get("dealer") is None else number_of(part, "dealer")
    listed = Listed(
        hand=hand,
        server_commit=opened.commits[attempt],
        game=text_of(part, "game"),
        rules=text_of(part, "rules"),
        options=options_text(part_of(part, "options")),
        dealer=dealer,
        log_size=number_of(part, "log_size"),
        log_root=bytes_of(part, "log_root"),
        seats=tuple(_seat_of(one) for one in parts_of(part, "seats")),
    )
    numbers = [one.seat for one in listed.seats]
    demand(numbers == sorted(set(numbers)), 17, "the list's seats do not ascend")
    digest = list_hash(listed)
    demand(bytes_of(part, "L") == digest, 5, "L is not the hash of the list that came with it")
    sig = bytes_of(part, "sig", SIG_BYTES)
    demand_signed(opened.server_pub, "list", digest, sig, check=5, what="the list")
    log = (listed.log_size, listed.log_root)
    demand(log == (opened.log.size, opened.log.root), 2, "the list names another log than the open")
    _check_own(listed, own)
    _check_commits(part, listed, server_commit=opened.commits[attempt])
    _check_expected(listed, expected)
    memo, played = _brought_of(part)
    text = "the match goes on from another standing than the last hand's"
    demand(expected.memo in (None, memo), 17, text)
    demand(played.keys() <= set(numbers), 17, "seats have played before that are not listed")
    return SignedList(attempt=attempt, listed=listed, digest=digest, memo=memo, played=played)


def _brought_of(part: Mapping[str, Any]) -> tuple[str, Mapping[Seat, int]]:
    try:
        return read_brought(text_of(part, "memo"))
    except ValueError as error:
        raise Cheated(17, str(error)) from None


def _seat_of(part: Mapping[str, Any]) -> ListedSeat:
    status = number_of(part, "status")
    return ListedSeat(
        seat=number_of(part, "seat"),
        kind=number_of(part, "kind"),
        player=bytes_of(part, "player", PLAYER_BYTES),
        pub=bytes_of(part, "pub"),
        status=status,
        commit=bytes_of(part, "commit") if status else ZERO_HASH,
    )


def _check_own(listed: Listed, own: OwnCommit | None) -> None:
    if own is None:
        return
    mine = next((one for one in listed.seats if one.seat == own.seat), None)
    if mine is None:
        demand(not own.must_be_listed, 3, "this seat holds a receipt and is not on the list")
        return
    status = 0 if own.commit is None else 1
    demand(mine.status == status, 3, f"this seat is listed with status {mine.status}, not {status}")
    said = (mine.commit, mine.pub)
    sent = (own.commit or ZERO_HASH, own.pub)
    demand(said == sent, 3, "the list holds another commit or key for this seat")


def _check_commits(part: Mapping[str, Any], listed: Listed, *, server_commit: bytes) -> None:
    for row, one in zip(parts_of(part, "seats"), listed.seats, strict=True):
        sig = find_bytes(row, "commit_sig", SIG_BYTES)
        signs = one.status == 1 and one.pub != NO_KEY
        demand((sig is not None) == signs, 5, f"seat {one.seat}: a signature where none may be")
        if sig is not None:
            what = f"the commit of seat {one.seat}"
            demand_signed(one.pub, "commit", one.commit, sig, check=5, what=what)


def _check_expected(listed: Listed, expected: Expected) -> None:
    game = (listed.game, listed.rules)
    demand(game == (expected.game, expected.rules), 17, f"the list says {game}, not what is played")
    options = options_text(expected.options)
    demand(listed.options == options, 17, "the list's options are not those of the table")
    if expected.dealer != UNKNOWN:
        text = f"the list's dealer is {listed.dealer}, not {expected.dealer}"
        demand(listed.dealer == expected.dealer, 17, text)
    for one in listed.seats:
        text = f"seat {one.seat} is listed as another than who sits there"
        demand((one.kind, one.player) in expected.seats.get(one.seat, ()), 17, text)


def check_receipt(
    part: Mapping[str, Any], opened: OpenHand, *, seat: int, kind: int, value: bytes, check: int
) -> None:
    """Check the server's signed receipt for what this client sent. Errors: Cheated(check, 19)."""
    said = (number_of(part, "seat"), number_of(part, "kind"), bytes_of(part, "value"))
    demand(said == (seat, kind, value), check, "the receipt is not for what was sent")
    digest = receipt(
        hand=opened.hand(number_of(part, "attempt")),
        seat=seat,
        kind=kind,
        value=value,
        ms=number_of(part, "ms"),
    )
    sig = bytes_of(part, "sig", SIG_BYTES)
    demand_signed(opened.server_pub, "receipt", digest, sig, check=check, what="a receipt")


def check_reveal(part: Mapping[str, Any], signed: SignedList) -> tuple[int, bytes]:
    """Check a seat's relayed reveal of x[0]: it opens the listed commit, signed over the same L.

    Errors: Cheated (5, 7, 19).
    """
    seat, value = number_of(part, "seat"), bytes_of(part, "x")
    one = found(signed.find(seat), 7, f"seat {seat} reveals and is not listed")
    demand(one.status == 1, 7, f"seat {seat} reveals and did not commit")
    commit = seat_commit(
        hand=signed.hand,
        server_commit=signed.listed.server_commit,
        seat=seat,
        pub=one.pub,
        first=value,
    )
    demand(commit == one.commit, 7, f"what seat {seat} reveals is not what it committed to")
    sig = find_bytes(part, "sig", SIG_BYTES)
    demand((sig is not None) == (one.pub != NO_KEY), 5, f"seat {seat}: a reveal's signature")
    if sig is not None:
        what = f"the reveal of seat {seat}"
        digest = reveal(signed.digest, value)
        demand_signed(one.pub, "reveal", digest, sig, check=5, what=what)
    return seat, value
