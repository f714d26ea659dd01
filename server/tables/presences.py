"""Who is here, whichever process their socket is on: each tells the others, and all its tables."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Annotated, Final

from pydantic import Field, TypeAdapter
from pydantic.dataclasses import dataclass

from server.database import PlayerId
from server.errors import Refusal
from server.messenger import Lost, Messenger
from server.tables.actor import Actor
from server.tables.attendance import Attendance
from server.tables.commands import Presence
from server.tables.moment import Moment

TOPIC: Final = "presence"
READY_MAX_S: Final = 1
"""The wait for a sign that the processes hear each other."""

Actors = Callable[[], Iterable[Actor]]
"""Lists the actors of the tables that this process runs."""


@dataclass(frozen=True, slots=True)
class _News:
    """What a process tells the others: of whom it hears traffic, and who has gone."""

    owner: str
    here: Annotated[list[int], Field(max_length=100_000)]
    gone: Annotated[list[int], Field(max_length=100_000)]


_NEWS: Final = TypeAdapter(_News)


class Presences:
    """Attendance of the whole house, as this process knows it, told to the tables it runs."""

    def __init__(
        self, presence_ms: int, moment: Moment, messenger: Messenger, actors: Actors
    ) -> None:
        self._attendance = Attendance(presence_ms)
        self._moment = moment
        self._messenger = messenger
        self._actors = actors
        self._here: set[PlayerId] = set()
        self._heard_by: dict[PlayerId, str] = {}

    def start(self) -> None:
        """Hear from now on what the other processes tell."""
        self._messenger.subscribe(TOPIC, self._hear)

    def here(self, player: PlayerId) -> None:
        """Note a player's traffic on a socket of this process."""
        is_new = player not in self._here
        self._here.add(player)
        self._heard_by[player] = self._messenger.owner
        if self._attendance.heard(player, self._moment.now_ms()):
            self._tell(player, True)
        if is_new:
            self._publish(here=[player])

    def gone(self, player: PlayerId) -> None:
        """Note that a player's last socket, which was one of this process, is closed."""
        self._here.discard(player)
        if self._heard_by.get(player, self._messenger.owner) == self._messenger.owner:
            self._lost(player)
            self._publish(gone=[player])

    def passed_on(self, player: PlayerId) -> None:
        """Note that a player has a newer socket on another process: it is not gone."""
        self._here.discard(player)

    def gone_since_ms(self, player: PlayerId) -> int | None:
        """Tell since when a player is away; None if it is here, or was never heard of."""
        return self._attendance.away_since_ms(player)

    def heard_by(self, player: PlayerId) -> str | None:
        """Tell which process hears a player's socket; None if none does."""
        return self._heard_by.get(player)

    def expect(self, players: Iterable[PlayerId]) -> None:
        """Give the owners of a rebuilt table's seats their time to come back."""
        self._attendance.expect(players, self._moment.now_ms())

    async def look(self) -> None:
        """Tell the other processes who is here; find those who were silent for too long."""
        now_ms = self._moment.now_ms()
        if not await self._are_others_heard():
            # Who is on another process can't be heard just now, which is no fault of theirs.
            elsewhere = [one for one, by in self._heard_by.items() if by != self._messenger.owner]
            self._attendance.extend(elsewhere, now_ms)
        silent = self._attendance.silent(now_ms)
        for player in silent:
            self._heard_by.pop(player, None)
            self._tell(player, False)
        gone = [player for player in silent if player in self._here]
        self._here.difference_update(gone)
        self._publish(here=sorted(self._here), gone=gone)
        self._tell_again()

    async def _are_others_heard(self) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(READY_MAX_S):
                return await self._messenger.is_ready()
        return False

    def _publish(self, *, here: Iterable[PlayerId] = (), gone: Iterable[PlayerId] = ()) -> None:
        news = _News(self._messenger.owner, list(here), list(gone))
        self._messenger.publish(TOPIC, _NEWS.dump_json(news))

    async def _hear(self, heard: bytes | Lost) -> None:
        if isinstance(heard, Lost):
            return  # each process tells again who is here, every few seconds
        news = _NEWS.validate_json(heard)
        if news.owner == self._messenger.owner:
            return
        for player in map(PlayerId, news.here):
            self._heard_by[player] = news.owner
            if self._attendance.heard(player, self._moment.now_ms()):
                self._tell(player, True)
        for player in map(PlayerId, news.gone):
            if self._heard_by.get(player) != news.owner:
                continue  # it is heard from another one since
            if player in self._here:  # by a socket of ours, besides the one that has gone there
                self._heard_by[player] = self._messenger.owner
            else:
                self._lost(player)

    def _lost(self, player: PlayerId) -> None:
        self._heard_by.pop(player, None)
        self._attendance.lost(player, self._moment.now_ms())
        self._tell(player, False)

    def _tell(self, player: PlayerId, is_here: bool) -> None:
        for actor in self._actors():
            # What the state says is no reason to be silent: other news may still be in the inbox.
            if actor.state.seat_of(player) is not None:
                with suppress(Refusal):
                    actor.tell(player, Presence(is_here))

    def _tell_again(self) -> None:
        """Tell the presence that a full inbox, or a table that nobody served, did not take."""
        for actor in self._actors():
            for _, chair in actor.state.taken():
                is_here = self._attendance.is_here(chair.player)
                if is_here is not None and chair.away == is_here:
                    with suppress(Refusal):
                        actor.tell(chair.player, Presence(is_here))
