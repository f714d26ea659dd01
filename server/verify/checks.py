"""The checks of fairdeal/1 by their numbers, and the order in which they are made."""

from collections.abc import Callable, Iterator, Mapping

from server.cards.game import AnyGame
from server.fairness.canonical import RefusedRecord
from server.fairness.note import NoteKey
from server.fairness.record import read_record
from server.games import GAMES
from server.verify import deal_checks, list_checks, log_checks, play_checks
from server.verify.evidence import Evidence
from server.verify.report import Line, Report, Verdict

Check = Callable[[Evidence], Iterator[str]]

CHECKS: Mapping[int, tuple[str, Check]] = {
    1: ("the server's key is the pinned one, and signed this record", list_checks.server_key),
    2: ("C_S was signed and logged before any seat's commit", log_checks.opening),
    3: ("each seat's own commit and the right status are in L", list_checks.commits),
    4: ("each seat revealed once for each hand and attempt", list_checks.reveals_once),
    5: ("the seats signed the same L", list_checks.reveals_signed),
    6: ("HEAD is over that L", list_checks.heads_signed),
    7: ("R recomputes from the reveals", deal_checks.entropy_recomputes),
    8: ("deck-spec and n are the game's", deal_checks.deck),
    9: ("each HEAD has its log entry", log_checks.deals),
    10: ("the log is consistent", log_checks.consistency),
    11: ("every opening leads to HEAD's root", deal_checks.openings),
    12: ("each position is the next one", play_checks.positions),
    13: ("no card is there twice", deal_checks.no_card_twice),
    14: ("every chain, and the call at each reshuffle", deal_checks.chains_and_calls),
    15: ("each reshuffle is of exactly the public discards", play_checks.discards),
    16: ("C_S matches S; PRK, pack and root match HEAD", deal_checks.seeds_and_roots),
    17: ("seats, game, options, dealer and toss", play_checks.seats_and_game),
    18: ("moves and result by the rules", play_checks.moves_and_result),
    19: ("every hash is 32 bytes, every proof has its exact length", log_checks.lengths),
}

LIVE_ONLY = frozenset({2, 3, 4, 10, 12})
"""Checks that only a client which was there can make fully."""

NO_KEY_GIVEN = "no pinned key was given to compare with"


def verify_record(
    data: bytes,
    server_key: bytes | None = None,
    games: Mapping[str, AnyGame] = GAMES,
    *,
    log_key: NoteKey | None = None,
) -> Report:
    """Check the record of a hand.

    Shape:  `data` are the bytes of the file, `server_key` and `log_key` the pinned keys if they are
            known. Whatever `data` is, the answer is a report; nothing is raised.
    Source: fairdeal/1 sections 6 and 9.
    """
    try:
        signed = read_record(data)
    except RefusedRecord as refusal:
        return _refused(refusal)
    evidence = Evidence(signed, games, server_key, log_key)
    lines = tuple(_line(number, evidence) for number in CHECKS)
    notes = (*list_checks.notes(evidence), *log_checks.notes(evidence))
    return Report(lines, notes=notes)


def _refused(refusal: RefusedRecord) -> Report:
    lines: tuple[Line, ...] = ()
    if refusal.check is not None:
        title = CHECKS[refusal.check][0]
        lines = (Line(refusal.check, title, Verdict.FAILS, (refusal.text,)),)
    return Report(lines, refused=(refusal.code, refusal.text))


def _line(number: int, evidence: Evidence) -> Line:
    title, check = CHECKS[number]
    problems = tuple(check(evidence))
    if problems:
        return Line(number, title, Verdict.FAILS, problems)
    if number == 1 and evidence.server_key is None:
        return Line(number, title, Verdict.LIVE_ONLY, (NO_KEY_GIVEN,))
    return Line(number, title, Verdict.LIVE_ONLY if number in LIVE_ONLY else Verdict.HOLDS)
