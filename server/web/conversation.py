"""One player's conversation on a socket: a text comes in, its one reply goes out.

To the tables it is a viewer. It knows nothing of the transport: that is socket.py's.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import monotonic
from typing import Final

from server.cards.game import IllegalMove
from server.database import PlayerId, TableId
from server.errors import Refusal
from server.observability.traces import span
from server.tables.commands import Request
from server.tables.seat_tokens import SeatPass
from server.web import messages
from server.web.closing import (
    CLOSE_ABUSE,
    CLOSE_OVERLOAD,
    CLOSE_RATE,
    CLOSE_SIGNED_OUT,
    Closing,
)
from server.web.dispatch import CommandFrame, command_of, ok_frame, refused_frame, reply_frame
from server.web.limits import Bucket
from server.web.messages import ClientFrame, Hello
from server.web.outbox import Outbox
from server.web.parts import Parts
from server.web.person import Person
from server.web.reading import digest_of, id_of, read_frame, read_json

SUBSTITUTES_FRAMES: Final = (
    messages.Ping,
    messages.Pong,
    messages.Watch,
    messages.Unwatch,
    messages.DealCommit,
    messages.DealReveal,
    messages.DealRevealAgain,
    messages.PlayMove,
)
"""All that a substitute may say after its `hello`."""


class Conversation:
    """Reads a player's frames in order; `take` and `close` are what tables and gateway call."""

    def __init__(self, parts: Parts, person: Person) -> None:
        limits = parts.limits
        self.player: PlayerId = person.player
        self.token = person.token
        self.outbox = Outbox(limits.outbox)
        self._person = person
        self._parts = parts
        self._held: list[dict[str, object]] | None = None
        self._moves = Bucket(limits.moves)
        self._rest = Bucket(limits.rest)
        self._strikes = Bucket(limits.strikes)
        self._bad_left = limits.bad_frames
        self._watched: set[TableId] = set()

    def take(self, frame: dict[str, object]) -> None:
        """Take a frame of a table; never blocks. A substitute's last is its seat's return."""
        if self._held is not None:
            self._held.append(frame)
        else:
            self.outbox.put(frame)
        if self._person.seat is not None and _gives_back(frame, self._person.seat):
            self.close(CLOSE_SIGNED_OUT)

    def close(self, code: int) -> None:
        """Close after the frames that are waiting."""
        self.outbox.close(code)

    def depth(self) -> int:
        """Count the frames that are waiting."""
        return len(self.outbox)

    def rename(self, name: str) -> None:
        """Take the player's new name, for the next seat."""
        self._person = replace(self._person, name=name)

    async def welcome(self, hello: Hello) -> None:
        """Answer `hello`, then bring each resumed table up to date.

        Each has a whole replay's room in the outbox, or resuming two would overflow it.
        """
        person = self._person
        player = {"id": str(person.player), "name": person.name, "kind": person.kind.name.lower()}
        self.outbox.put(
            {
                "t": "welcome",
                "re": hello.id,
                "player": player,
                "now": self._parts.host.now_ms(),
                "heartbeat_ms": self._parts.limits.heartbeat_ms,
                "server_key": self._parts.server_pub.hex(),
                "log_key": self._parts.log_key.vkey,
            }
        )
        for place, one in enumerate(hello.resume):
            await self.outbox.room(self._parts.limits.replay)
            try:
                await self._parts.host.settle_at_head(TableId(one.table))
                self._watch(TableId(one.table), (one.seq, one.stream))
            except Refusal as refusal:
                where = Refusal(refusal.code, refusal.text, f"resume.{place}.table")
                self._refuse(hello.id, where)

    async def hear(self, text: str | None) -> None:
        """Carry out one frame (None: it was binary) and put its reply into the outbox.

        Errors: Closing, when the client has gone too far.
        """
        re: str | None = None
        try:
            raw = _read(text)
            re = id_of(raw)
            if self._is_within_rate(raw):
                await self._carry_out(read_frame(raw), raw)
        except (Refusal, IllegalMove) as refusal:
            self._refuse(re, refusal)

    def _is_within_rate(self, raw: dict[str, object]) -> bool:
        """Take the frame's tokens. Raises `slow_down`, then Closing; False drops a pong."""
        if raw.get("t") == "play":
            own, of_player = self._moves, self._parts.gateway.moves
        else:
            own, of_player = self._rest, self._parts.gateway.rest
        if own.take() and of_player.take(self.player):
            return True
        if not self._strikes.take():
            raise Closing(CLOSE_RATE)
        if raw.get("t") == "pong":
            return False
        raise Refusal("slow_down", "too many commands")

    def _refuse(self, re: str | None, refusal: Refusal | IllegalMove) -> None:
        self._parts.metrics.refused(refusal.code)
        self.outbox.put(refused_frame(re, refusal))
        if refusal.code == "bad_frame":
            self._bad_left -= 1
            if self._bad_left <= 0:
                raise Closing(CLOSE_ABUSE)

    async def _carry_out(self, frame: ClientFrame, raw: dict[str, object]) -> None:
        if self._person.seat is not None:
            if not self._parts.host.is_substituted(self._person.seat):
                raise Closing(CLOSE_SIGNED_OUT)  # it heard nothing of the return: it didn't watch
            _refuse_beyond(frame, self._person.seat)
        match frame:
            case messages.Pong():
                return
            case messages.Ping():
                self.outbox.put(ok_frame(frame.id))
            case messages.Watch():
                await self._parts.host.settle_at_head(TableId(frame.table))
                self._answer_watch(frame.id, TableId(frame.table))
            case messages.Unwatch():
                self._parts.host.unwatch(TableId(frame.table), self)
                self._watched.discard(TableId(frame.table))
                self.outbox.put(ok_frame(frame.id))
            case messages.Hello():
                raise Refusal("already_signed_in", "hello is the first frame only", "t")
            case _:
                await self._command(frame, raw)

    async def _command(self, frame: CommandFrame, raw: dict[str, object]) -> None:
        table, host = TableId(frame.table), self._parts.host
        await host.settle(table)
        reader = self._parts.moves_of(host.game_of(table))
        person = self._person
        command = command_of(frame, reader, name=person.name, kind=person.kind)
        sealer, plain = self._parts.table_parts.sealer, digest_of(raw)
        digest, old = sealer.mark(plain), sealer.old_marks(plain)
        request = Request(person.player, frame.id, digest, command, old)
        began = monotonic()
        try:
            with span("command", table=table, kind=frame.t) as traced:
                async with asyncio.timeout(self._parts.limits.command_ms / 1000):
                    with self._parts.strain.command():
                        reply = await host.send(table, request)
                traced.tell(seq=reply.seq, code=reply.code)
        except TimeoutError:
            # Nobody knows whether it took place: the same id, sent again, will be told.
            raise Closing(CLOSE_OVERLOAD) from None
        self._parts.metrics.answered(frame.t, monotonic() - began)
        if not reply.ok:
            self._parts.metrics.refused(reply.code or "fault")
        self.outbox.put(reply_frame(frame.id, reply))
        if reply.ok and isinstance(frame, messages.SitDown):
            self._watch(table, None)

    def _answer_watch(self, re: str, table: TableId) -> None:
        """Watch; the reply, which needs the table's number, goes before what the table shows."""
        held: list[dict[str, object]] = []
        self._held = held
        try:
            self._watch(table, None)
        finally:
            self._held = None
        self.outbox.put(ok_frame(re, _seq_of(held)))
        for frame in held:
            self.outbox.put(frame)

    def _watch(self, table: TableId, resume: tuple[int, int] | None) -> None:
        if table not in self._watched and len(self._watched) >= self._parts.limits.tables:
            raise Refusal("too_many_tables", "one socket watches only so many tables", "table")
        seat = self._person.seat
        if seat is not None and table != seat.table:
            raise Refusal("one_seat_only", "a substitute watches its own table", "table")
        self._parts.host.watch(table, self, resume)
        self._watched.add(table)


def _read(text: str | None) -> dict[str, object]:
    if text is None:
        raise Refusal("bad_frame", "frames are text")
    return read_json(text)


def _refuse_beyond(frame: ClientFrame, seat: SeatPass) -> None:
    """Refuse a substitute all but its part in its seat's hands."""
    if not isinstance(frame, SUBSTITUTES_FRAMES):
        raise Refusal("one_seat_only", "a substitute watches, commits, reveals and plays", "t")


def _gives_back(frame: Mapping[str, object], seat: SeatPass) -> bool:
    told = frame.get("d")
    if frame.get("t") != "event" or not isinstance(told, Mapping):
        return False
    is_return = told.get("e") == "seat.returned" and told.get("seat") == seat.seat
    return is_return and frame.get("table") == str(seat.table)


def _seq_of(held: Sequence[dict[str, object]]) -> int | None:
    seq = held[0].get("seq") if held else None
    return seq if isinstance(seq, int) else None
