"""Seats that are programs: they do a client's part of fairdeal/1 at the host's own door."""

import asyncio
import hashlib
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from server.cards.game import Seat, SeatKind
from server.database import PlayerId, TableId
from server.errors import Refusal
from server.fairness.commitment import again, chain, hand_hash, reveal, seat_commit
from server.fairness.signing import SigningKey
from server.games.rummy.moves import Discard
from server.tables.commands import (
    Command,
    Commit,
    Play,
    Reply,
    Request,
    Reveal,
    RevealAgain,
    Sit,
)
from server.tables.host import TableHost

Frame = dict[str, Any]


class Program:
    """One player with a key and a policy; keeps every frame that it was sent."""

    def __init__(
        self,
        host: TableHost,
        table: TableId,
        player: PlayerId,
        policy: "Policy",
        *,
        commits: bool = True,
        reveals: bool = True,
        with_key: bool = True,
    ) -> None:
        self.host = host
        self.table = table
        self.player: PlayerId | None = player
        self.id = player
        self.policy = policy
        self.commits = commits
        self.reveals = reveals
        self.key = SigningKey(secrets.token_bytes(32)) if with_key else None
        self.frames: list[Frame] = []
        self.replies: list[tuple[Command, Reply]] = []
        self.seat: Seat | None = None
        self.holding: set[str] = set()
        self.opened: Frame = {}
        self.listed: Frame = {}
        self.dealt: Frame = {}
        self.turn = 0
        self.chain: tuple[bytes, ...] = ()
        self.attempt = 0
        self.discards = True
        self.call: Frame = {}
        self._queue: asyncio.Queue[Frame] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    def take(self, frame: Frame) -> None:
        """Hear a frame."""
        self.frames.append(frame)
        self._queue.put_nowait(frame)

    def request(self, command: Command, id_: str | None = None) -> Request:
        """Wrap a command as the gateway does."""
        digest = hashlib.sha256(repr(command).encode()).digest()
        return Request(self.id, id_ or secrets.token_hex(8), digest, command)

    async def send(self, command: Command, id_: str | None = None) -> Reply:
        """Send a command; the same again, under the same id, while the table is elsewhere."""
        request = self.request(command, id_)
        while True:
            try:
                reply = await self.host.send(self.table, request)
                break
            except Refusal as refusal:
                if refusal.code != "busy":
                    raise
                await asyncio.sleep(0.05)
        self.replies.append((command, reply))
        return reply

    async def sit(self, seat: int | None = None, kind: SeatKind = SeatKind.HUMAN) -> Reply:
        """Sit down and begin to live."""
        self.begin()
        wanted = None if seat is None else Seat(seat)
        return await self.send(Sit(wanted, f"player {self.id}", kind))

    def begin(self) -> None:
        """Look at the table and react to it from now on."""
        self.host.here(self.id)
        self.host.watch(self.table, self, None)
        self._task = asyncio.create_task(self.live())

    @property
    def is_live(self) -> bool:
        """Tell whether it reacts to what it hears."""
        return self._task is not None and not self._task.done()

    async def live(self) -> None:
        """React to frames as a client does."""
        while True:
            frame = await self._queue.get()
            if frame["t"] == "snapshot":
                await self.snapshot(frame["d"])
            elif frame["d"] is not None:
                await self.react(frame["d"])

    async def stop(self) -> None:
        """Stop reacting; the seat stays."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self.host.forget(self)

    async def snapshot(self, d: Frame) -> None:
        """Take the table as it stands; a commit that it waits for is given."""
        self.seat = None if d["you"] is None else Seat(d["you"])
        self.opened = d["open"] or {}
        if d["phase"] == "commit" and self.seat in d["waiting"]:
            await self.contribute({**d, "hand": self.opened["hand"]})
        elif d["phase"] == "play" and self.seat in d["waiting"] and d["pilot"]:
            self.turn = d["hand"]["turn"]
            await self.policy(self)

    async def react(self, d: Frame) -> None:
        """Do a client's part for one event."""
        if d["e"] in ("dealt", "drawn"):  # what is turned up for all is opened too
            self.holding |= {opening["card"] for opening in d.get("openings", ())}
        name = d["e"]
        if name == "seat.taken" and d["player"]["name"] == f"player {self.id}":
            self.seat = Seat(d["seat"])
        elif name == "hand.opened":
            self.opened = d
        elif name == "deal.phase" and self.seat in d["waiting"]:
            await self.contribute(d)
        elif name == "hand.listed":
            self.listed = d
        elif name == "hand.dealt":
            self.dealt = d
        elif name == "hand.again_called":
            self.call = d
        elif name == "turn":
            self.turn = d["turn"]
            if self.seat in d["seats"]:
                await self.policy(self)
        elif name == "drawn" and d.get("openings") and self.discards and not d["auto"]:
            await self.play(Discard(d["openings"][0]["card"]))

    async def contribute(self, d: Frame) -> None:
        """Commit, reveal, or reveal again."""
        assert self.seat is not None
        hand = self.hand_hash(d["attempt"])
        pub = self.key.public if self.key else bytes(32)
        if d["phase"] == "commit" and self.commits:
            self.attempt = d["attempt"]
            self.chain = chain(secrets.token_bytes(32), hand=hand, seat=self.seat)
            value = seat_commit(
                hand=hand,
                server_commit=bytes.fromhex(self.opened["commits"][d["attempt"]]),
                seat=self.seat,
                pub=pub,
                first=self.chain[0],
            )
            await self.send(Commit(d["hand"], d["attempt"], value, pub, self.sign("commit", value)))
        elif d["phase"] == "reveal" and self.reveals:
            digest = reveal(bytes.fromhex(self.listed["L"]), self.chain[0])
            await self.send(
                Reveal(d["hand"], d["attempt"], self.chain[0], self.sign("reveal", digest))
            )
        elif d["phase"] == "reshuffle" and self.reveals:
            x = self.chain[d["epoch"]]
            digest = again(bytes.fromhex(self.call["call"]), x)
            await self.send(RevealAgain(d["hand"], d["epoch"], x, self.sign("again", digest)))

    def hand_hash(self, attempt: int) -> bytes:
        """Compute `hand` as fairdeal/1 names it."""
        return hand_hash(
            server_pub=self.host._parts.signer.public,
            table=self.table.bytes,
            hand_no=self.opened["hand"],
            attempt=attempt,
            spec=bytes.fromhex(self.opened["spec"]),
        )

    def sign(self, role: str, digest: bytes) -> bytes | None:
        """Sign with the seat's key, if it has one."""
        return self.key.sign(role, digest) if self.key else None

    async def play(self, move: object) -> Reply:
        """Play a move for the turn that was heard last."""
        return await self.send(Play(self.opened["hand"], self.turn, move))

    async def play_as(self, id_: str, move: object) -> Reply:
        """Play a move under an id of the test's choice, always for the same turn."""
        turn = self.heard("turn")[0]["turn"]
        return await self.send(Play(self.opened["hand"], turn, move), id_)

    def heard(self, name: str) -> list[Frame]:
        """List the events of a name that were heard."""
        return [f["d"] for f in self.frames if f["t"] == "event" and f["d"] and f["d"]["e"] == name]

    async def until(self, name: str, count: int = 1, timeout_s: float = 60) -> Frame:
        """Wait until an event was heard `count` times; give the last."""
        async with asyncio.timeout(timeout_s):
            while len(self.heard(name)) < count:
                await asyncio.sleep(0.01)
        return self.heard(name)[count - 1]


Policy = Callable[[Program], Awaitable[None]]
