"""Who is here: a player's presence is inbound traffic, not an open socket."""

from collections.abc import Iterable
from typing import Final

from server.database import PlayerId

FORGOTTEN_MS: Final = 24 * 3_600_000
"""Time after which who is away is forgotten: nobody has waited for it for so long."""


class Attendance:
    """When each player was last heard; a silent one is away after `presence_ms`."""

    def __init__(self, presence_ms: int) -> None:
        self._presence_ms = presence_ms
        self._heard_ms: dict[PlayerId, int] = {}
        self._away_since_ms: dict[PlayerId, int] = {}

    def heard(self, player: PlayerId, now_ms: int) -> bool:
        """Note traffic; True if the player was away or unknown until now."""
        is_news = player in self._away_since_ms or player not in self._heard_ms
        self._heard_ms[player] = now_ms
        self._away_since_ms.pop(player, None)
        return is_news

    def lost(self, player: PlayerId, now_ms: int) -> None:
        """Note that the player's last socket is closed, or silent for too long."""
        self._heard_ms.pop(player, None)
        self._away_since_ms.setdefault(player, now_ms)

    def away_since_ms(self, player: PlayerId) -> int | None:
        """Tell since when a player is away; None if it is here, or nobody has heard of it."""
        return self._away_since_ms.get(player)

    def is_here(self, player: PlayerId) -> bool | None:
        """Tell whether a player is here; None if nobody has heard of it."""
        if player in self._heard_ms:
            return True
        return False if player in self._away_since_ms else None

    def expect(self, players: Iterable[PlayerId], now_ms: int) -> None:
        """Give the owners of a rebuilt table's seats their time to come back."""
        for player in players:
            if player not in self._heard_ms and player not in self._away_since_ms:
                self._heard_ms[player] = now_ms

    def extend(self, players: Iterable[PlayerId], now_ms: int) -> None:
        """Take those who are here as heard just now: there is no way to hear them."""
        for player in players:
            if player in self._heard_ms:
                self._heard_ms[player] = now_ms

    def silent(self, now_ms: int) -> tuple[PlayerId, ...]:
        """List players that have just been silent for too long."""
        found = tuple(
            player
            for player, heard_ms in self._heard_ms.items()
            if now_ms - heard_ms >= self._presence_ms
        )
        for player in found:
            self.lost(player, now_ms)
        self._forget(now_ms)
        return found

    def _forget(self, now_ms: int) -> None:
        while self._away_since_ms:
            longest = next(iter(self._away_since_ms))  # they are in the order in which they went
            if now_ms - self._away_since_ms[longest] < FORGOTTEN_MS:
                return
            del self._away_since_ms[longest]
