"""What seats have to say about hands that are over, and what operators answered."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Row, text

from server.database import HandId, PlayerId, TableId, Transaction
from server.errors import Refusal
from server.tables import hands, service

TEXT_MAX: Final = 1_000
"""Characters of a complaint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """A complaint; `answer` is None while nobody has answered."""

    id: int
    hand_id: HandId
    hand_no: int
    table_id: TableId
    table_name: str
    has_record: bool
    player_id: PlayerId
    text: str
    made_at: datetime
    answered_at: datetime | None
    answered_by: str | None
    answer: str | None


async def complain(
    tx: Transaction, hand: HandId, player: PlayerId, words: str, *, was_held: bool
) -> int:
    """Report a hand, once for each of its seats; the same words again are the same complaint.

    Shape:  `was_held` says that tokens of the player were held for the hand: of one that was
            cancelled no seats are kept.
    Errors: Refusal("no_such_hand", "complain_later" while it is played, "not_in_hand",
            "bad_text", "complained_already" in other words).
    """
    about = await service.find_hand(tx, hand)
    if about is None:
        raise Refusal("no_such_hand", "there is no such hand", "hand")
    if about.state not in {hands.CLOSED, hands.CANCELLED}:
        raise Refusal("complain_later", "the hand is not over", "hand")
    values = {"hand": hand, "player": player}
    if not was_held and (await tx.execute(_SEAT, values)).one_or_none() is None:
        raise Refusal("not_in_hand", "the player was not in this hand", "hand")
    words = clean_text(words)
    made = (await tx.execute(_INSERT, {**values, "text": words})).scalar_one_or_none()
    if made is None:
        row = (await tx.execute(_OWN, values)).one()
        if row.text != words:
            raise Refusal("complained_already", "one complaint for a hand and a seat", "text")
        made = row.complaint_id
    return int(made)


async def complaints(
    tx: Transaction, *, answered: bool | None, after: int, limit: int
) -> list[Complaint]:
    """List complaints by their id, the oldest first, those above `after`."""
    values = {"answered": answered, "after": after, "limit": limit}
    return [_complaint(row) for row in await tx.execute(_LIST, values)]


async def own_complaints(
    tx: Transaction, player: PlayerId, about: Collection[HandId]
) -> Mapping[HandId, Complaint]:
    """Map those of some hands that a player complained of to what it said, and was answered."""
    rows = await tx.execute(_OF_PLAYER, {"player": player, "hands": list(about)})
    return {HandId(row.hand_id): _complaint(row) for row in rows}


async def answer(tx: Transaction, complaint: int, *, operator: str, words: str) -> None:
    """Mark a complaint as answered.

    Errors: Refusal("no_such_complaint", "answered_already").
    """
    values = {"complaint": complaint, "operator": operator, "answer": words}
    if (await tx.execute(_ANSWER, values)).rowcount == 1:
        return
    if (await tx.execute(_FIND, {"complaint": complaint})).one_or_none() is None:
        raise Refusal("no_such_complaint", "there is no such complaint", "complaint")
    raise Refusal("answered_already", "the complaint has an answer", "complaint")


def clean_text(words: str) -> str:
    """Read the words of a complaint.

    Errors: Refusal("bad_text").
    """
    words = "\n".join(" ".join(line.split()) for line in words.splitlines()).strip()
    if not 1 <= len(words) <= TEXT_MAX or not words.replace("\n", " ").isprintable():
        raise Refusal("bad_text", f"a complaint has 1 to {TEXT_MAX} characters", "text")
    return words


def _complaint(row: Row[Any]) -> Complaint:
    return Complaint(
        id=row.complaint_id,
        hand_id=HandId(row.hand_id),
        hand_no=row.hand_no,
        table_id=TableId(row.table_id),
        table_name=row.name,
        has_record=row.state == hands.CLOSED,
        player_id=PlayerId(row.player_id),
        text=row.text,
        made_at=row.made_at,
        answered_at=row.answered_at,
        answered_by=row.answered_by,
        answer=row.answer,
    )


_SEAT = text("select seat from tables.hand_seat where hand_id = :hand and player_id = :player")
_INSERT = text("""
    insert into tables.complaint (hand_id, player_id, text) values (:hand, :player, :text)
    on conflict (hand_id, player_id) do nothing returning complaint_id
""")
_OWN = text("""
    select complaint_id, text from tables.complaint where hand_id = :hand and player_id = :player
""")
_FIND = text("select complaint_id from tables.complaint where complaint_id = :complaint")
_ANSWER = text("""
    update tables.complaint
       set answered_at = clock_timestamp(), answered_by = :operator, answer = :answer
     where complaint_id = :complaint and answered_at is null
""")
_ABOUT: Final = """
    select c.*, h.hand_no, h.state, h.table_id, t.name
      from tables.complaint c join tables.hand h using (hand_id)
      join tables.game_table t using (table_id)
"""
_LIST = text(f"""
    {_ABOUT}
     where c.complaint_id > :after
       and (cast(:answered as boolean) is null or (c.answered_at is not null) = :answered)
     order by c.complaint_id limit :limit
""")
_OF_PLAYER = text(f"{_ABOUT} where c.hand_id = any(:hands) and c.player_id = :player")
