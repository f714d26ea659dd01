"""The messenger of a house of several processes: topics and calls through Redis' pub/sub.

Each process has an inbox, a channel by its name, for the calls that it is to answer and for the
answers to its own. All that crosses is sealed (`envelope.py`).
"""

import asyncio
import secrets
from typing import Final

import structlog

from server.errors import Fault, Refusal
from server.messenger.answers import Answer, Awaited, Refused, answer_in_time, settle
from server.messenger.counts import Counts
from server.messenger.envelope import HEAD_BYTES, TAG_BYTES, Envelope, Unreadable
from server.messenger.heard import BODY_MAX_BYTES, LOST, Handler, Heard, Service
from server.messenger.incoming import Incoming
from server.messenger.letters import (
    Call,
    answer_of,
    read_heard,
    read_letter,
    reply_of,
    write_heard,
    write_letter,
)
from server.messenger.line import ANSWER_MAX_S, Address
from server.messenger.local import demand_size
from server.messenger.outgoing import Outgoing, Waiting
from server.messenger.services import Services
from server.messenger.subscriptions import Subscription, Subscriptions

TOPIC: Final = "topic"
INBOX: Final = "inbox"
ID_BYTES: Final = 16

PENDING_MAX: Final = 1_024
"""Calls whose answers this process awaits at once."""

FRAME_MAX_BYTES: Final = BODY_MAX_BYTES + HEAD_BYTES + TAG_BYTES + 4_096
"""The largest message that is opened: a body with its letter's head, sealed."""

_log = structlog.get_logger(__name__)


class RedisMessenger:
    """Topics and calls through Redis."""

    def __init__(self, url: str, *, owner: str, key: bytes) -> None:
        """Take the address, this process's name, and the key that the house's processes share.

        Errors: Fault if it is no address; ValueError if it is no key.
        """
        self.owner = owner
        self.counts = Counts()
        self._envelope = Envelope(key)
        address = Address(url)
        self._incoming = Incoming(
            address, heard=self._heard, confirmed=self._confirmed, counts=self.counts
        )
        self._outgoing = Outgoing(
            address, lambda topic: self._of_topic(topic, LOST), counts=self.counts
        )
        self._services = Services(owner, self.counts)
        self._subscriptions = Subscriptions(self.counts, self._unwanted)
        self._inbox = self._envelope.channel_of(INBOX, owner)
        self._topics: dict[bytes, str] = {}
        self._pending: dict[str, Awaited] = {}
        self._is_heard = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._is_closed = False

    @property
    def reaches_others(self) -> bool:
        """It does, by Redis."""
        return True

    async def connect(self) -> None:
        """Connect and listen; from here on the connections are looked after.

        Errors: Fault if Redis does not answer, or does not let us listen.
        """
        self._incoming.want(self._inbox)
        for work in (self._incoming.run(), self._outgoing.run()):
            self._tasks.append(asyncio.create_task(work, name="redis"))
        if not await self._outgoing.ping():
            raise Fault("REDIS_URL: there is no Redis that answers at that address")
        try:
            async with asyncio.timeout(ANSWER_MAX_S):
                await self._is_heard.wait()
        except TimeoutError:
            raise Fault("REDIS_URL: the Redis at that address lets nobody subscribe") from None

    async def is_ready(self) -> bool:
        """Tell whether Redis takes what we say, and passes on what is said to us."""
        return await self._outgoing.ping() and self._incoming.is_live(self._inbox)

    async def close(self) -> None:
        """Send what waits, for a short time; then end all handlers and both connections."""
        self._is_closed = True
        for awaited in self._pending.values():
            settle(awaited, Refused("busy", "this process is stopping"))
        await self._services.close()
        await self._subscriptions.close()
        if not self._tasks:
            return
        await self._outgoing.finish()
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)

    def publish(self, topic: str, body: bytes) -> None:
        """See `Messenger.publish`."""
        self.counts.published += 1
        if len(body) > BODY_MAX_BYTES:
            _log.warning("too_large_to_publish", topic=topic, size=len(body))
            self._outgoing.lose(topic)
        else:
            self._outgoing.put(self._of_topic(topic, body))

    def subscribe(self, topic: str, handler: Handler) -> Subscription:
        """See `Messenger.subscribe`."""
        channel = self._envelope.channel_of(TOPIC, topic)
        subscription = self._subscriptions.add(topic, handler)
        self._topics[channel] = topic
        self._incoming.want(channel)
        if self._incoming.is_live(channel):
            subscription.tell(LOST)
        return subscription

    async def call(self, owner: str, kind: str, body: bytes, *, timeout_s: float) -> bytes:
        """See `Messenger.call`. A call to ourselves needs no Redis."""
        demand_size(kind, body)
        self.counts.calls += 1
        if owner == self.owner:
            return await self._services.ask(kind, body, timeout_s)
        if self._is_closed or len(self._pending) >= PENDING_MAX:
            raise Refusal("busy", "the process awaits too many answers, or is stopping")
        call = Call(id=secrets.token_hex(ID_BYTES), kind=kind, sender=self.owner)
        awaited: Awaited = asyncio.get_running_loop().create_future()
        self._pending[call.id] = awaited
        try:
            self._outgoing.put(self._to_process(owner, write_letter(call, body), awaited))
            return await answer_in_time(awaited, timeout_s, self.counts)
        finally:
            del self._pending[call.id]

    def serve(self, kind: str, service: Service) -> None:
        """See `Messenger.serve`."""
        self._services.add(kind, service)

    def _of_topic(self, topic: str, heard: Heard) -> Waiting:
        channel = self._envelope.channel_of(TOPIC, topic)
        return Waiting(channel, self._envelope.seal(write_heard(heard), TOPIC, topic), topic)

    def _to_process(self, owner: str, written: bytes, awaited: Awaited | None = None) -> Waiting:
        channel = self._envelope.channel_of(INBOX, owner)
        return Waiting(channel, self._envelope.seal(written, INBOX, owner), awaited=awaited)

    def _unwanted(self, topic: str) -> None:
        channel = self._envelope.channel_of(TOPIC, topic)
        self._incoming.unwant(channel)
        del self._topics[channel]

    def _confirmed(self, channel: bytes) -> None:
        if channel == self._inbox:
            self._is_heard.set()
        elif channel in self._topics:
            self._subscriptions.tell(self._topics[channel], LOST)

    def _heard(self, channel: bytes, frame: bytes) -> None:
        try:
            if len(frame) > FRAME_MAX_BYTES:
                raise Unreadable
            if channel == self._inbox:
                self._read_letter(self._envelope.open(frame, INBOX, self.owner))
            elif channel in self._topics:  # or its last subscription has just been closed
                topic = self._topics[channel]
                self._subscriptions.tell(
                    topic, read_heard(self._envelope.open(frame, TOPIC, topic))
                )
        except Unreadable:
            self._count_unreadable()

    def _read_letter(self, written: bytes) -> None:
        letter, body = read_letter(written)
        if isinstance(letter, Call):
            self._services.take(letter.kind, body, lambda answer: self._reply(letter, answer))
        elif letter.id in self._pending:
            settle(self._pending[letter.id], answer_of(letter, body))
        else:
            self.counts.unknown += 1

    def _reply(self, call: Call, answer: Answer) -> None:
        self._outgoing.put(self._to_process(call.sender, write_letter(*reply_of(call.id, answer))))

    def _count_unreadable(self) -> None:
        self.counts.unreadable += 1
        if self.counts.unreadable.bit_count() == 1:  # the first, the second, the fourth ...
            _log.warning("unreadable_message", so_far=self.counts.unreadable)
