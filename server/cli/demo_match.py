"""A match of a demo: its standing after each hand, and its result as the house keeps it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import httpx

from server.bots.close_checks import HandOver
from server.bots.run import NAMES, make_bot, name_of
from server.cli.demo_house import DemoHouse
from server.secret_files import BOT_TOKEN_FILE, read_or_make_token

OWN_MATCHES: Final = "/api/v1/me/matches"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A match after one of its hands.

    Shape: `points` has (seat, points of all its hands together), ascending; `winners` are none
           while it goes on, several if a team has won it or if it is shared.
    """

    match: int
    hands: int
    points: tuple[tuple[int, int], ...]
    is_over: bool
    winners: tuple[int, ...]

    def document(self) -> dict[str, Any]:
        """Write a match that is over as JSON has it."""
        return {
            "match": self.match,
            "hands": self.hands,
            "points": [points for _, points in self.points],
            "winners": list(self.winners),
        }

    def line(self) -> str:
        """Write a match that is over as one line for people."""
        who = " and ".join(map(str, self.winners))
        seats = "seat" if len(self.winners) == 1 else "seats"
        verb = "wins" if len(self.winners) == 1 else "win"
        hands = "1 hand" if self.hands == 1 else f"{self.hands} hands"
        return f"match {self.match}: {seats} {who} {verb} after {hands}, points {self}"

    def __str__(self) -> str:
        """Write the points alone."""
        return " ".join(str(points) for _, points in self.points)


def standing_after(before: Standing | None, over: HandOver) -> Standing | None:
    """Derive the standing after a hand; one that did not close changes nothing."""
    if over.match is None:
        return before
    goes_on = before is not None and not before.is_over
    sums = dict(before.points) if before is not None and goes_on else {}
    return Standing(
        match=over.match.number,
        hands=before.hands + 1 if before is not None and goes_on else 1,
        points=tuple((seat, sums.get(seat, 0) + points) for seat, points, _ in over.result),
        is_over=over.match.is_over,
        winners=over.match.winners,
    )


async def is_kept(house: DemoHouse, ended: Sequence[Standing]) -> bool:
    """Ask as the first bot for its matches: the house keeps exactly these, each as it ended."""
    secret = read_or_make_token(house.home, BOT_TOKEN_FILE)
    token = await make_bot(house.url, name_of(0, NAMES), secret=secret)
    headers = {"Authorization": f"Bearer {token}"}
    kept: list[dict[str, Any]] = []
    after: dict[str, Any] = {}
    async with httpx.AsyncClient(base_url=house.url, trust_env=False, headers=headers) as http:
        while True:
            answer = await http.get(OWN_MATCHES, params=after)
            page = answer.raise_for_status().json()
            kept += page["matches"]
            if page["next"] is None:
                return [_told(one) for one in ended] == [_kept(row) for row in reversed(kept)]
            after = {"after": page["next"]}


def _told(one: Standing) -> tuple[int, int, list[tuple[int, int, bool]]]:
    seats = [(seat, points, seat in one.winners) for seat, points in one.points]
    return one.match, one.hands, seats


def _kept(row: dict[str, Any]) -> tuple[int, int, list[tuple[int, int, bool]]]:
    seats = [(seat["seat"], seat["points"], seat["won"]) for seat in row["seats"]]
    return row["number"], row["last_hand"] - row["first_hand"] + 1, seats
