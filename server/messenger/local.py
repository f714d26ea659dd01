"""The messenger of a house of one process: nothing leaves it, and all else is as by Redis."""

from server.errors import Fault, Refusal
from server.messenger.counts import Counts
from server.messenger.heard import BODY_MAX_BYTES, LOST, Handler, Service
from server.messenger.services import Services
from server.messenger.subscriptions import Subscription, Subscriptions


class LocalMessenger:
    """Topics and calls within this process."""

    def __init__(self, *, owner: str) -> None:
        self.owner = owner
        self.counts = Counts()
        self._services = Services(owner, self.counts)
        self._subscriptions = Subscriptions(self.counts)

    @property
    def reaches_others(self) -> bool:
        """It does not."""
        return False

    async def connect(self) -> None:
        """There is nothing to wait for."""

    async def is_ready(self) -> bool:
        """Always: nothing can be lost on the way."""
        return True

    async def close(self) -> None:
        """End all handlers."""
        await self._services.close()
        await self._subscriptions.close()

    def publish(self, topic: str, body: bytes) -> None:
        """See `Messenger.publish`."""
        self.counts.published += 1
        self._subscriptions.tell(topic, body if len(body) <= BODY_MAX_BYTES else LOST)

    def subscribe(self, topic: str, handler: Handler) -> Subscription:
        """See `Messenger.subscribe`."""
        subscription = self._subscriptions.add(topic, handler)
        subscription.tell(LOST)
        return subscription

    async def call(self, owner: str, kind: str, body: bytes, *, timeout_s: float) -> bytes:
        """See `Messenger.call`."""
        demand_size(kind, body)
        self.counts.calls += 1
        if owner != self.owner:
            raise Refusal("busy", "the other process is not there")
        return await self._services.ask(kind, body, timeout_s)

    def serve(self, kind: str, service: Service) -> None:
        """See `Messenger.serve`."""
        self._services.add(kind, service)


def demand_size(kind: str, body: bytes) -> None:
    """Refuse to carry what is too large. Errors: Fault."""
    if len(body) > BODY_MAX_BYTES:
        raise Fault(f"a call of the kind {kind} is too large: {len(body)} bytes")
