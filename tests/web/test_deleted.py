"""Who deletes its account leaves nothing behind but its number."""

import httpx
from sqlalchemy import text

from server.main import House
from tests.web.wire import API, bearer, guest, refused, signed_in


async def test_a_deleted_player_loses_name_sign_in_and_seat_and_keeps_its_number(
    house: House, http: httpx.AsyncClient
) -> None:
    token, table = await guest(house, "Kiran"), str(house.tables["open"])
    player = (await http.get(f"{API}/me", headers=bearer(token))).json()["player"]
    async with signed_in(house, token) as line:
        assert (await line.ask("table.sit", table=table))["t"] == "ok"
        headers = {**bearer(token), "Idempotency-Key": "delete-me-please-once"}
        answer = await http.delete(f"{API}/me", headers=headers)
        assert answer.status_code == 200
        assert await line.close_code() == 4401
    lobby = (await http.get(f"{API}/tables/{table}")).json()
    assert lobby["seats"] == []
    again = await http.get(f"{API}/me", headers=bearer(token))
    assert await refused(again) == (401, "not_signed_in", None)
    async with house.database.transaction() as tx:
        query = text("select name from identity.player where id = :id")
        name = (await tx.execute(query, {"id": int(player["id"])})).scalar_one()
        journalled = await tx.execute(text("select string_agg(fact::text, '') from tables.journal"))
    assert "Kiran" not in name
    assert "Kiran" not in journalled.scalar_one()


async def test_a_deleted_player_gets_up_also_from_a_table_that_is_between_two_processes(
    house: House, http: httpx.AsyncClient
) -> None:
    token, table = await guest(house, "Lata"), house.tables["open"]
    async with signed_in(house, token) as line:
        assert (await line.ask("table.sit", table=str(table)))["t"] == "ok"
        await house.host._own.release([table])
        headers = {**bearer(token), "Idempotency-Key": "delete-me-meanwhile"}
        answer = await http.delete(f"{API}/me", headers=headers)
        assert answer.status_code == 200
    lobby = (await http.get(f"{API}/tables/{table}")).json()
    assert lobby["seats"] == []
