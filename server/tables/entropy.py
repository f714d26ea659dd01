"""What the seats give to the shuffle: commits and reveals, checked before they are stored."""

from server.cards.game import Seat
from server.database import PlayerId
from server.fairness.commitment import again, link, reveal, seat_commit
from server.fairness.encoding import ZERO_HASH
from server.fairness.signing import is_acceptable_key, is_signed
from server.tables.commands import Commit, Reveal, RevealAgain
from server.tables.facts import Committed, Revealed
from server.tables.listing import ABSENT, COMMITTED, NO_COMMIT, NO_KEY, Contribution
from server.tables.seating import seat_to_play
from server.tables.state import Committing, Reshuffling, Revealing
from server.tables.work import Work, refuse


def give(work: Work, player: PlayerId, command: Commit | Reveal | RevealAgain) -> None:
    """Take what a seat gives to the shuffle."""
    match command:
        case Commit():
            commit(work, player, command)
        case Reveal():
            reveal_first(work, player, command)
        case RevealAgain():
            reveal_again(work, player, command)


def commit(work: Work, player: PlayerId, command: Commit) -> None:
    """Take a seat's commitment, or its choice to play without a seed of its own."""
    seat = seat_to_play(work.state, player)
    phase = work.state.phase
    if not isinstance(phase, Committing) or not _is_now(work, command, phase.attempt):
        refuse("not_called", "no commitment is asked for that hand and attempt")
    if seat not in phase.invited:
        refuse("not_invited", "the seat is not asked to commit")
    if seat not in phase.waiting:
        refuse("already_committed", "the seat has answered")
    if command.commit is None:
        fact = Committed(
            seat=seat, status=ABSENT, pub=NO_KEY, commit=NO_COMMIT, sig=None, at_ms=work.now_ms
        )
        work.add(fact)
        return
    pub = command.pub or NO_KEY
    if command.commit == ZERO_HASH:
        refuse("bad_commit", "32 zero bytes commit to nothing", "commit")
    _check_signature(pub, "commit", command.commit, command.sig)
    work.add(
        Committed(
            seat=seat,
            status=COMMITTED,
            pub=pub,
            commit=command.commit,
            sig=command.sig,
            at_ms=work.now_ms,
        )
    )


def reveal_first(work: Work, player: PlayerId, command: Reveal) -> None:
    """Take a seat's reveal for the signed list."""
    seat = seat_to_play(work.state, player)
    phase = work.state.phase
    if not isinstance(phase, Revealing) or not _is_now(work, command, phase.attempt):
        refuse("not_called", "no reveal is asked for that hand and attempt")
    one = phase.listing.of(seat)
    if one is None or one.status != COMMITTED:
        refuse("not_committed", "the seat has committed to nothing")
    if seat not in phase.waiting:
        refuse("already_revealed", "the seat has revealed")
    opened = work.opened
    made = seat_commit(
        hand=opened.hands[phase.attempt],
        server_commit=opened.commits[phase.attempt],
        seat=seat,
        pub=one.pub,
        first=command.x,
    )
    if made != one.commit:
        refuse("reveal_mismatch", "the value is not the one committed to", "x")
    _check_signature(one.pub, "reveal", reveal(phase.listing.digest, command.x), command.sig)
    work.add(Revealed(seat=seat, epoch=0, x=command.x, sig=command.sig, at_ms=work.now_ms))


def reveal_again(work: Work, player: PlayerId, command: RevealAgain) -> None:
    """Take a seat's fresh entropy for a reshuffle."""
    seat = seat_to_play(work.state, player)
    phase = work.state.phase
    if (
        not isinstance(phase, Reshuffling)
        or command.hand_no != work.opened.hand_no
        or command.epoch != phase.hand.epoch + 1
    ):
        refuse("not_called", "no reveal is asked for that epoch")
    hand = phase.hand
    one = hand.listing.of(seat)
    if one is None or one.status != COMMITTED:
        refuse("not_committed", "the seat has committed to nothing")
    if one.x_of(command.epoch) is not None:
        refuse("already_revealed", "the seat has revealed")
    if not _is_of_chain(one, command, work.opened.hands[hand.attempt], seat):
        refuse("reveal_mismatch", "the value does not lead to the seat's last one", "x")
    _check_signature(one.pub, "again", again(phase.call, command.x), command.sig)
    work.add(
        Revealed(seat=seat, epoch=command.epoch, x=command.x, sig=command.sig, at_ms=work.now_ms)
    )


def _is_of_chain(one: Contribution, command: RevealAgain, hand: bytes, seat: Seat) -> bool:
    """Hash down to the last value that the seat revealed."""
    value = command.x
    for epoch in range(command.epoch, 0, -1):
        value = link(value, hand=hand, seat=seat, epoch=epoch)
        known = one.x_of(epoch - 1)
        if known is not None:
            return value == known
    return False


def _is_now(work: Work, command: Commit | Reveal, attempt: int) -> bool:
    return command.hand_no == work.opened.hand_no and command.attempt == attempt


def _check_signature(pub: bytes, role: str, digest: bytes, sig: bytes | None) -> None:
    if pub == NO_KEY:
        if sig is not None:
            refuse("bad_signature", "a seat without a key signs nothing", "sig")
        return
    if not is_acceptable_key(pub):
        refuse("bad_key", "the key is none that may sign", "pub")
    if sig is None or not is_signed(pub, role, digest, sig):
        refuse("bad_signature", "the signature does not hold", "sig")
