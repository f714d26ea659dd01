"""What is asked of tables in the database: opening, listing, hands. No function commits."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, text

from server.cards.game import AnyGame, InvalidOption, TableOptions
from server.cards.options import options_fields
from server.database import HandId, PlayerId, TableId, Transaction
from server.errors import Refusal
from server.games import GAMES

NAME_MAX = 40
"""Characters of a table's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """A table as its row says.

    Shape: `close_asked` is how an operator wants it closed, if so; `owner` is the process that
           holds its lease just now, None if nobody does.
    """

    table_id: TableId
    name: str
    game: AnyGame
    options: TableOptions
    close_asked: str | None
    stream: int
    owner: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRow:
    """A hand as the list of a player's hands shows it. Units: micro-HT."""

    hand_id: HandId
    table_id: TableId
    hand_no: int
    seat: int
    points: int
    amount_micro: int
    ended_at: datetime
    table_name: str
    game: str
    is_free: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HandAbout:
    """What is known of a hand by its id; `state` as in `hands.py`."""

    hand_id: HandId
    table_id: TableId
    hand_no: int
    state: int
    game: str
    table_name: str


async def open_table(
    tx: Transaction,
    *,
    game: str,
    options: Mapping[str, Any],
    name: str,
    catalogue_key: str | None = None,
) -> TableId:
    """Open a table; a process that runs tables takes it up. A catalogue's key opens it once.

    Errors: Refusal("no_such_game"), Refusal("bad_option") naming the option,
            Refusal("bad_name").
    """
    known = read_options(game, options)
    if not name.strip() or len(name) > NAME_MAX or not name.isprintable():
        raise Refusal("bad_name", f"a table's name has 1 to {NAME_MAX} printable signs", "name")
    values = {
        "table": uuid.uuid4(),
        "key": catalogue_key,
        "name": name,
        "game": game,
        "options": json.dumps(options_fields(known)),
    }
    made = (await tx.execute(_OPEN, values)).scalar_one_or_none()
    if made is None:
        made = (await tx.execute(_BY_KEY, {"key": catalogue_key})).scalar_one()
    return TableId(made)


def read_options(game: str, options: Mapping[str, Any]) -> TableOptions:
    """Read a game's options. Errors: Refusal as `open_table`."""
    if game not in GAMES:
        raise Refusal("no_such_game", f"there is no game {game[:32]!r}", "game")
    try:
        known: TableOptions = GAMES[game].options_type(**options)
    except InvalidOption as error:
        raise Refusal("bad_option", error.text, error.field) from error
    except TypeError as error:
        names = set(GAMES[game].options_type.__dataclass_fields__)
        strange = sorted(set(options) - names)
        field = strange[0] if strange else None
        raise Refusal("bad_option", "there is no such option", field) from error
    return known


async def open_tables(tx: Transaction) -> tuple[OpenTable, ...]:
    """List the tables that are not closed."""
    return tuple(_table_of(row) for row in await tx.execute(_OPEN_TABLES))


async def get_table(tx: Transaction, table: TableId) -> OpenTable:
    """Get a table, closed ones too. Errors: Refusal("no_such_table")."""
    row = (await tx.execute(_TABLE, {"table": table})).one_or_none()
    if row is None:
        raise Refusal("no_such_table", "there is no such table", "table")
    return _table_of(row)


async def ask_to_close(tx: Transaction, table: TableId, *, drain: bool) -> None:
    """Ask the process that runs a table to close it.

    Errors: Refusal("no_such_table") if it isn't open.
    """
    values = {"table": table, "how": "drain" if drain else "now"}
    if (await tx.execute(_ASK_TO_CLOSE, values)).rowcount == 0:
        raise Refusal("no_such_table", "no such table is open", "table")


async def hands_of(
    tx: Transaction, player: PlayerId, *, before: int | None, limit: int
) -> tuple[HandRow, ...]:
    """List a player's closed hands, newest first, those with ids below `before`."""
    values = {"player": player, "before": before, "limit": limit}
    return tuple(
        HandRow(
            hand_id=HandId(row.hand_id),
            table_id=TableId(row.table_id),
            hand_no=row.hand_no,
            seat=row.seat,
            points=row.points,
            amount_micro=row.amount_micro,
            ended_at=row.ended_at,
            table_name=row.name,
            game=row.game,
            is_free=_is_free(row),
        )
        for row in await tx.execute(_HANDS_OF, values)
    )


async def find_hand(tx: Transaction, hand: HandId) -> HandAbout | None:
    """Find a hand by its id."""
    row = (await tx.execute(_HAND, {"hand": hand})).one_or_none()
    if row is None:
        return None
    return HandAbout(
        hand_id=HandId(row.hand_id),
        table_id=TableId(row.table_id),
        hand_no=row.hand_no,
        state=row.state,
        game=row.game,
        table_name=row.name,
    )


async def tables_without_owner(tx: Transaction, *, for_ms: int) -> tuple[UUID, ...]:
    """List tables whose lease ran out longer than `for_ms` ago, for the sweeper."""
    rows = await tx.execute(_ORPHANS, {"for_ms": for_ms})
    return tuple(row.table_id for row in rows)


def _is_free(row: Row[Any]) -> bool:
    """Tell whether no tokens move at a table."""
    game = GAMES[row.game]
    return game.stake_points(game.options_type(**row.options)) is None


def _table_of(row: Row[Any]) -> OpenTable:
    return OpenTable(
        table_id=TableId(row.table_id),
        name=row.name,
        game=GAMES[row.game],
        options=GAMES[row.game].options_type(**row.options),
        close_asked=row.close_asked,
        stream=row.stream,
        owner=row.owner,
    )


_OPEN = text("""
    insert into tables.game_table (table_id, catalogue_key, name, game, options)
    values (:table, :key, :name, :game, cast(:options as jsonb))
    on conflict (catalogue_key) do nothing returning table_id
""")
_BY_KEY = text("select table_id from tables.game_table where catalogue_key = :key")
_OPEN_TABLES = text("""
    select t.table_id, t.name, t.game, t.options, t.close_asked, t.stream, l.owner
      from tables.game_table t
      left join tables.lease l on l.table_id = t.table_id and l.expires_at > clock_timestamp()
     where t.state < 3 order by t.opened_at, t.table_id
""")
_TABLE = text("""
    select t.table_id, t.name, t.game, t.options, t.close_asked, t.stream, l.owner
      from tables.game_table t
      left join tables.lease l on l.table_id = t.table_id and l.expires_at > clock_timestamp()
     where t.table_id = :table
""")
_ASK_TO_CLOSE = text("""
    update tables.game_table
       set close_asked = case when close_asked = 'now' then 'now' else :how end
     where table_id = :table and state < 3
""")
_HANDS_OF = text("""
    select s.hand_id, h.table_id, h.hand_no, s.seat, s.points, s.amount_micro, h.ended_at,
           t.name, t.game, t.options
      from tables.hand_seat s join tables.hand h using (hand_id)
      join tables.game_table t using (table_id)
     where s.player_id = :player and (cast(:before as bigint) is null or s.hand_id < :before)
     order by s.hand_id desc limit :limit
""")
_HAND = text("""
    select h.hand_id, h.table_id, h.hand_no, h.state, t.game, t.name
      from tables.hand h join tables.game_table t using (table_id) where h.hand_id = :hand
""")
_ORPHANS = text("""
    select table_id from tables.lease
     where expires_at < clock_timestamp() - :for_ms * interval '1 millisecond'
""")
