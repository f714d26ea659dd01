"""Bad input at a table: each gets its code, and neither state nor balance changes."""

import asyncio
import secrets
from dataclasses import replace

import pytest

from server.cards.card import Card
from server.cards.game import Seat, SeatKind
from server.database import Database, HandId
from server.fairness.commitment import chain, seat_commit
from server.games.rummy.moves import Declare, Discard, Draw, Drop
from server.tables.commands import (
    Back,
    CloseTable,
    Command,
    Commit,
    Leave,
    Play,
    Reveal,
    RevealAgain,
    Sit,
    SitOut,
    VoidHand,
)
from server.tables.host import TableHost
from tests.tables.company import Program
from tests.tables.conftest import NewPlayer, OpenTable
from tests.tables.policies import idle
from tests.tables.sessions import balances, seated, stop_all

pytestmark = pytest.mark.usefixtures("patient")


async def at_turn(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> tuple[list[Program], Program]:
    """Seat four programs that wait, and give them and the one to act."""
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, idle, idle, idle, idle)
    for program in programs:
        program.discards = False
        await program.until("turn")
        async with asyncio.timeout(60):
            while not program.turn:  # heard is not yet taken in
                await asyncio.sleep(0.01)
    return programs, programs[programs[0].heard("turn")[0]["seats"][0]]


@pytest.mark.parametrize(
    ("command", "code", "field"),
    [
        (Play(1, 1, Discard(Card("7H"))), "must_draw_first", None),
        (Play(1, 1, Declare(Card("7H"))), "must_draw_first", None),
        (Play(1, 2, Draw("closed")), "stale_turn", "turn"),
        (Play(1, 0, Draw("closed")), "stale_turn", "turn"),
        (Play(2, 1, Draw("closed")), "stale_hand", "hand"),
        (Play(0, 1, Draw("closed")), "stale_hand", "hand"),
        (Commit(1, 0, b"\x01" * 32), "not_called", None),
        (Reveal(1, 0, bytes(32), None), "not_called", None),
        (RevealAgain(1, 1, bytes(32), None), "not_called", None),
        (Sit(None, "again", SeatKind.HUMAN), "already_seated", None),
        (Back(), "not_out", None),
        (CloseTable(drain=True), "not_allowed", None),
        (VoidHand(HandId(1), "nobody", "because"), "not_allowed", None),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
async def test_a_command_that_does_not_fit_is_refused(
    host: TableHost,
    database: Database,
    open_table: OpenTable,
    new_player: NewPlayer,
    command: Command,
    code: str,
    field: str | None,
) -> None:
    programs, actor = await at_turn(host, open_table, new_player)
    before = host.state_of(actor.table)
    reply = await actor.send(command)
    assert (reply.ok, reply.code, reply.field, reply.seq) == (False, code, field, before.seq)
    assert host.state_of(actor.table) is before
    assert [held for _, held in await balances(database, programs)] == [130_000_000] * 4
    await stop_all(programs)


async def test_out_of_turn_not_held_and_twice(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    """Reports 18 to 20 at the table; mtgred/netrunner 5213, 468: a double draw under lag."""
    programs, actor = await at_turn(host, open_table, new_player)
    other = next(p for p in programs if p is not actor)
    assert (await other.play(Draw("closed"))).code == "not_your_turn"
    assert (await other.play(Drop())).code == "not_your_turn"
    assert (await actor.play(Draw("closed"))).ok
    assert (await actor.play(Draw("closed"))).code == "already_drawn"
    assert (await actor.play(Drop())).code == "must_discard"
    strange = next(c for c in host.game_of(actor.table).pack(
        host.state_of(actor.table).options).cards if c not in actor.holding)  # fmt: skip
    assert (await actor.play(Discard(strange))).code == "not_held"
    for text in ("nonsense", "", "7H\n", "7H 8H", "سات", "7H#0", "JK#99", "7h"):
        assert (await actor.play(Discard(Card(text)))).code == "not_held", text
        assert (await actor.play(Declare(Card(text)))).code == "not_held", text
        groups = ((Card(text),), tuple(Card(card) for card in sorted(actor.holding)[:12]))
        finish = Card(max(actor.holding))
        assert (await actor.play(Declare(finish, groups))).code == "bad_groups", text
    empty: tuple[tuple[Card, ...], ...]
    for empty in ((), ((),)):
        assert (await actor.play(Declare(Card(max(actor.holding)), empty))).code == "bad_groups"
    await stop_all(programs)


async def test_somebody_elses_table_and_after_the_end(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    programs, _ = await at_turn(host, open_table, new_player)
    stranger = Program(host, programs[0].table, await new_player(), idle)
    for command in (Play(1, 1, Drop()), Leave(), SitOut(), Back(), Commit(1, 0, None)):
        assert (await stranger.send(command)).code == "not_seated"
    assert (await stranger.send(Sit(None, "x", SeatKind.HUMAN))).code == "table_full"
    assert (await stranger.send(Sit(Seat(2), "x", SeatKind.HUMAN))).code == "seat_taken"
    assert (await stranger.send(Sit(Seat(4), "x", SeatKind.HUMAN))).code == "no_such_seat"
    assert (await stranger.send(Sit(Seat(-1), "x", SeatKind.HUMAN))).code == "no_such_seat"
    assert (await stranger.send(Sit(None, "x", SeatKind.BOT))).code == "no_bots"
    await stop_all(programs)


async def test_commits_and_reveals_are_checked_before_they_are_stored(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = [
        Program(host, table, await new_player(), idle, commits=bool(i), reveals=bool(i))
        for i in range(4)
    ]
    for program in programs:
        assert (await program.sit()).ok
    odd = programs[0]
    await odd.until("deal.phase")
    assert odd.key is not None
    assert odd.seat is not None
    pub = odd.key.public
    values = chain(secrets.token_bytes(32), hand=odd.hand_hash(0), seat=odd.seat)
    commit = seat_commit(
        hand=odd.hand_hash(0),
        server_commit=bytes.fromhex(odd.opened["commits"][0]),
        seat=odd.seat,
        pub=pub,
        first=values[0],
    )
    sig = odd.sign("commit", commit)
    good = Commit(1, 0, commit, pub, sig)
    for bad, code in (
        (replace(good, attempt=1), "not_called"),
        (replace(good, hand_no=2), "not_called"),
        (replace(good, sig=None), "bad_signature"),
        (replace(good, sig=odd.sign("reveal", commit)), "bad_signature"),
        (replace(good, commit=b"\x07" * 32), "bad_signature"),
        (replace(good, commit=bytes(32)), "bad_commit"),
        (replace(good, pub=bytes(32)), "bad_signature"),
        (replace(good, pub=b"\x01" + bytes(31)), "bad_key"),
    ):
        assert (await odd.send(bad)).code == code, bad
    assert (await odd.send(good)).ok
    assert (await odd.send(good)).code in ("already_committed", "not_called")
    await odd.until("hand.listed")
    other = values[1]
    assert (await odd.send(Reveal(1, 0, other, sig))).code == "reveal_mismatch"
    assert (await odd.send(Reveal(1, 0, values[0], sig))).code == "bad_signature"
    assert (await odd.send(Reveal(1, 1, values[0], sig))).code == "not_called"
    odd.chain, odd.reveals = values, True
    await odd.contribute({"phase": "reveal", "hand": 1, "attempt": 0})
    assert odd.replies[-1][1].ok
    await odd.until("hand.dealt")
    await odd.contribute({"phase": "reveal", "hand": 1, "attempt": 0})
    assert odd.replies[-1][1].code == "not_called"
    await stop_all(programs)
