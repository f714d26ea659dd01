"""Who is here, as one process knows it from its own sockets and from what the others say."""

from collections.abc import Sequence

import pytest

from server.database import Database, PlayerId
from server.messenger import LocalMessenger
from server.tables.attendance import FORGOTTEN_MS, Attendance
from server.tables.moment import Moment
from server.tables.presences import _NEWS, TOPIC, Presences, _News
from tests.several.conftest import until

PLAYER = PlayerId(7)


class Process:
    """A process, and what it hears from `two`, which has a socket of the same player."""

    def __init__(self, moment: Moment) -> None:
        self.messenger = LocalMessenger(owner="one")
        self.presences = Presences(30_000, moment, self.messenger, lambda: ())
        self.presences.start()
        self._last = 100

    async def hears(self, *, here: Sequence[int] = (), gone: Sequence[int] = ()) -> None:
        """Hear what another process says: messages come in order, and a later one has come."""
        self._last += 1
        for said in (_News("two", list(here), list(gone)), _News("three", [self._last], [])):
            self.messenger.publish(TOPIC, _NEWS.dump_json(said))
        await until(lambda: self.presences.heard_by(PlayerId(self._last)) == "three")


@pytest.fixture
async def process(database: Database) -> Process:
    moment = Moment()
    await moment.set_by(database)
    return Process(moment)


async def test_who_has_a_socket_here_stays_here_when_an_older_one_elsewhere_closes(
    process: Process,
) -> None:
    process.presences.here(PLAYER)
    await process.hears(here=[PLAYER])
    assert process.presences.heard_by(PLAYER) == "two"
    await process.hears(gone=[PLAYER])
    assert process.presences.gone_since_ms(PLAYER) is None
    assert process.presences.heard_by(PLAYER) == "one"
    process.presences.gone(PLAYER)
    assert process.presences.gone_since_ms(PLAYER) is not None


async def test_who_goes_where_it_was_heard_last_is_away(process: Process) -> None:
    await process.hears(here=[PLAYER])
    await process.hears(gone=[PLAYER])
    assert process.presences.gone_since_ms(PLAYER) is not None


def test_who_is_away_for_a_day_is_remembered_no_more() -> None:
    attendance = Attendance(1_000)
    first, second = PlayerId(1), PlayerId(2)
    for player, at_ms in ((first, 0), (second, 500), (first, 700)):
        attendance.heard(player, at_ms)
        attendance.lost(player, at_ms)
    attendance.silent(FORGOTTEN_MS + 499)
    assert attendance.away_since_ms(second) == 500
    attendance.silent(FORGOTTEN_MS + 500)
    assert attendance.away_since_ms(second) is None
    assert attendance.away_since_ms(first) == 700
    attendance.silent(FORGOTTEN_MS + 700)
    assert (attendance.is_here(first), attendance.is_here(second)) == (None, None)
    assert attendance.heard(first, FORGOTTEN_MS + 800), "it is news again"
