"""Matches over HTTP: a player's own, and the standings of a game."""

from collections.abc import Sequence

import httpx

from server.catalogue import CatalogueTable
from server.database import PlayerId, TableId
from server.main import House
from server.tables import matches
from server.tables.service import open_table
from tests.web.wire import API, Frame, bearer, guest, refused

SEVENS = CatalogueTable(key="m", name="Sevens", game="sevens", options={"seats": 3, "hands": 3})


async def newcomers(house: House, http: httpx.AsyncClient, count: int) -> list[tuple[str, int]]:
    """Let people come in: the token and the number of each."""
    tokens = [await guest(house) for _ in range(count)]
    bodies = [(await http.get(f"{API}/me", headers=bearer(one))).json() for one in tokens]
    return [(token, int(body["player"]["id"])) for token, body in zip(tokens, bodies, strict=True)]


async def ended(
    house: House,
    table: TableId,
    number: int,
    players: Sequence[int],
    *,
    winners: Sequence[int],
    game: str = "sevens",
    left: Sequence[int] = (),
    bots: Sequence[int] = (),
) -> None:
    """Keep a match in which these seats have won, or share it if they are several."""
    seats = [
        matches.EndedSeat(
            seat=seat,
            player=PlayerId(player),
            is_human=seat not in bots,
            has_won=seat in winners,
            by_substitute=seat in left,
        )
        for seat, player in enumerate(players)
    ]
    await house.database.run(
        lambda tx: matches.end(
            tx, table, game=game, match_no=number, hands=(3 * number - 2, 3 * number),
            seats=seats, is_shared=len(winners) > 1,
        )
    )  # fmt: skip


async def sevens_table(house: House) -> TableId:
    return await house.database.run(
        lambda tx: open_table(tx, game="sevens", options=SEVENS.options, name="Sevens")
    )


async def test_a_player_sees_its_own_matches_newest_first_page_by_page(
    house: House, http: httpx.AsyncClient
) -> None:
    people = await newcomers(house, http, 3)
    table, players = await sevens_table(house), [player for _, player in people]
    await ended(house, table, 1, players, winners=[1])
    await ended(house, table, 2, players, winners=[0, 2], left=[1])
    mine = bearer(people[0][0])
    page = (await http.get(f"{API}/me/matches", params={"limit": 1}, headers=mine)).json()
    (last,) = page["matches"]
    assert (last["number"], last["first_hand"], last["last_hand"]) == (2, 4, 6)
    assert (last["shared"], last["seat"], last["game"]) == (True, 0, "sevens")
    assert [seat["won"] for seat in last["seats"]] == [True, False, True]
    assert [seat["substituted"] for seat in last["seats"]] == [False, True, False]
    more = {"limit": 1, "after": page["next"]}
    rest = (await http.get(f"{API}/me/matches", params=more, headers=mine)).json()
    assert [one["number"] for one in rest["matches"]] == [1]
    assert rest["next"] is None


async def test_whoever_is_not_signed_in_has_no_matches(http: httpx.AsyncClient) -> None:
    assert (await refused(await http.get(f"{API}/me/matches")))[:2] == (401, "not_signed_in")


async def test_standings_count_people_who_played_to_the_end_and_nobody_else(
    house: House, http: httpx.AsyncClient
) -> None:
    people = await newcomers(house, http, 3)
    table = await sevens_table(house)
    a, b, c = (player for _, player in people)
    await ended(house, table, 1, (a, b, c), winners=[0], game="batak", bots=[2])
    await ended(house, table, 2, (a, b, c), winners=[0, 1], game="batak", bots=[2])
    await ended(house, table, 3, (a, b, c), winners=[1], game="batak", left=[1], bots=[2])
    answer = await http.get(f"{API}/games/batak/standings", params={"limit": 1})
    page = answer.json()
    next_page = {"limit": 1, "after": page["next"]}
    rest = (await http.get(f"{API}/games/batak/standings", params=next_page)).json()
    lines: list[Frame] = [*page["standings"], *rest["standings"]]
    first, second = lines
    counted = ("place", "matches", "finished", "wins", "shared")
    assert [first[name] for name in counted] == [1, 3, 3, 1, 1]
    assert [second[name] for name in counted] == [2, 3, 2, 0, 1]
    assert rest["next"] is None, "the bot has no standing"


async def test_a_game_that_is_not_there_has_no_standings(http: httpx.AsyncClient) -> None:
    answer = await refused(await http.get(f"{API}/games/whist/standings"))
    assert answer == (404, "no_such_game", "game")
    assert (await http.get(f"{API}/games/seep/standings")).json()["standings"] == []


async def test_the_standings_have_a_last_page(http: httpx.AsyncClient) -> None:
    answer = await http.get(f"{API}/games/sevens/standings", params={"after": 100_001})
    assert (await refused(answer))[:2] == (422, "bad_field")
