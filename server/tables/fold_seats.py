"""The fold of seats: taken, left, changed, played by a substitute, taken back."""

from collections.abc import Mapping
from dataclasses import replace

from server.cards.game import Seat, SeatKind
from server.database import PlayerId
from server.tables.bodies import pilot_body, player_body, seat_body
from server.tables.chairs import Chair, Substitute
from server.tables.facts import (
    SatChair,
    SatSubstitute,
    SeatChanged,
    SeatLeft,
    SeatReturned,
    SeatSubstituted,
    SeatTaken,
)
from server.tables.state import Committing, TableState
from server.tables.told import Told

NOBODY = "?"
"""The name of a player that is not known any more."""

SeatFact = SeatTaken | SeatLeft | SeatChanged | SeatSubstituted | SeatReturned
Folded = tuple[TableState, tuple[Told, ...]]


def fold(state: TableState, fact: SeatFact) -> Folded:
    """Fold a fact of one seat."""
    match fact:
        case SeatTaken():
            chair = Chair(
                player=PlayerId(fact.player),
                name=state.names.get(PlayerId(fact.player), NOBODY),
                kind=SeatKind(fact.kind),
                pseudonym=fact.pseudonym,
            )
            body = {"seat": fact.seat, "player": player_body(chair)}
            return with_chair(state, fact.seat, chair), (Told(name="seat.taken", body=body),)
        case SeatLeft():
            body = {"seat": fact.seat, "why": fact.why}
            after = _uninvited(with_chair(state, fact.seat, None), Seat(fact.seat))
            return after, (Told(name="seat.left", body=body),)
        case SeatChanged():
            return _changed(state, fact)
        case SeatSubstituted():
            return _substituted(state, fact)
        case SeatReturned():
            chair = taken_back(state.chair(Seat(fact.seat)))
            told = Told(name="seat.returned", body=pilot_body(fact.seat, chair))
            return with_chair(state, fact.seat, chair), (told,)


def chair_of(sat: SatChair, names: Mapping[PlayerId, str]) -> Chair:
    """Read a seat's owner from a checkpoint."""
    return Chair(
        player=PlayerId(sat.player),
        name=names.get(PlayerId(sat.player), NOBODY),
        kind=SeatKind(sat.kind),
        pseudonym=sat.pseudonym,
        away=sat.away,
        sits_out=sat.sits_out,
        out_since_ms=sat.out_since_ms,
        out_hands=sat.out_hands,
        leaving=sat.leaving,
        hands_played=sat.hands_played,
        substitute=None if sat.substitute is None else _substitute_of(sat.substitute, names),
        returning=sat.returning,
    )


def sat_of(seat: Seat, chair: Chair) -> SatChair:
    """Write a seat's owner into a checkpoint; between hands a leaver is there by substitute."""
    kept = chair.substitute
    assert not chair.leaving or kept, "a leaver's seat is freed before the next hand opens"
    assert chair.handed is None, "a seat that is handed over has its substitute"
    return SatChair(
        seat=seat,
        player=chair.player,
        kind=chair.kind,
        pseudonym=chair.pseudonym,
        away=chair.away,
        sits_out=chair.sits_out,
        out_since_ms=chair.out_since_ms,
        out_hands=chair.out_hands,
        hands_played=chair.hands_played,
        leaving=chair.leaving,
        returning=chair.returning,
        substitute=None
        if kept is None
        else SatSubstitute(player=kept.player, pseudonym=kept.pseudonym, why=kept.why),
    )


def with_chair(state: TableState, seat: int, chair: Chair | None) -> TableState:
    """Derive the state with another owner in a seat; an empty table is fresh again."""
    chairs = tuple(chair if i == seat else old for i, old in enumerate(state.chairs))
    return replace(state, chairs=chairs, fresh=state.fresh or not any(chairs))


def taken_back(chair: Chair) -> Chair:
    """Derive a chair that its owner has taken back, and keeps."""
    return replace(
        chair,
        handed=None,
        substitute=None,
        returning=False,
        leaving=False,
        sits_out=None,
        out_since_ms=chair.out_since_ms if chair.away else None,
        out_hands=0,
    )


def _substitute_of(
    sat: SatSubstitute | SeatSubstituted, names: Mapping[PlayerId, str]
) -> Substitute:
    player = PlayerId(sat.player)
    return Substitute(
        player=player,
        name=names.get(player, NOBODY),
        kind=SeatKind.BOT,
        pseudonym=sat.pseudonym,
        why=sat.why,
    )


def _substituted(state: TableState, fact: SeatSubstituted) -> Folded:
    """Whatever its owner has given to the deal before the list is asked of the substitute anew.

    What the substitute itself has given stands: it holds a signed receipt for it.
    """
    seat = Seat(fact.seat)
    substitute = _substitute_of(fact, state.names)
    chair = replace(state.chair(seat), substitute=substitute, handed=None, returning=False)
    phase = state.phase
    if isinstance(phase, Committing):
        gave = tuple(
            one for one in phase.gave if one.seat != seat or one.pseudonym == substitute.pseudonym
        )
        state = replace(state, phase=replace(phase, gave=gave))
    told = Told(name="seat.substituted", body=pilot_body(seat, chair))
    return with_chair(state, seat, chair), (told,)


def _uninvited(state: TableState, seat: Seat) -> TableState:
    """Derive the state in which the deal no longer asks a seat that got up before the list."""
    phase = state.phase
    if not isinstance(phase, Committing):
        return state
    invited = tuple(one for one in phase.invited if one != seat)
    gave = tuple(one for one in phase.gave if one.seat != seat)
    return replace(state, phase=replace(phase, invited=invited, gave=gave))


def _changed(state: TableState, fact: SeatChanged) -> Folded:
    before = state.chair(Seat(fact.seat))
    is_out = fact.away or fact.sits_out is not None
    since = (before.out_since_ms or fact.at_ms) if is_out else None
    chair = replace(
        before,
        away=fact.away,
        sits_out=fact.sits_out,
        leaving=fact.leaving,
        returning=fact.returning,
        out_since_ms=since,
        out_hands=before.out_hands if is_out else 0,
    )
    name = "seat.back"
    if (fact.sits_out is not None and before.sits_out is None) or fact.leaving:
        name = "seat.sits_out"
    elif fact.away and not before.away:
        name = "seat.away"
    body = seat_body(fact.seat, chair, fact.why)
    return with_chair(state, fact.seat, chair), (Told(name=name, body=body),)
