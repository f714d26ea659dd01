"""What every messenger does, whether its messages leave the process or not."""

from typing import Protocol

from server.messenger.counts import Counts
from server.messenger.heard import Handler, Service
from server.messenger.subscriptions import Subscription


class Messenger(Protocol):
    """Topics that many may hear, and calls that one process answers.

    Nothing here waits for the other side but `call`: who tells of a commit must not be held up, nor
    cancelled half way.
    """

    @property
    def owner(self) -> str:
        """This process's name: others call it by that."""

    @property
    def counts(self) -> Counts:
        """What was carried and dropped so far."""

    @property
    def reaches_others(self) -> bool:
        """Tell whether it leads to other processes at all."""

    async def connect(self) -> None:
        """Begin to carry messages.

        Errors: Fault if that is not possible now.
        """

    async def is_ready(self) -> bool:
        """Tell whether messages would go through just now, both ways."""

    async def close(self) -> None:
        """Send what still waits, for a short time, and end all that runs here."""

    def publish(self, topic: str, body: bytes) -> None:
        """Tell all subscribers of a topic, in every process.

        What can't be carried, or is too large, is told as `LOST` as soon as that can be.
        """

    def subscribe(self, topic: str, handler: Handler) -> Subscription:
        """Have a handler hear a topic until the subscription is closed.

        It hears `LOST` first, when nothing published from then on is missed; and again whenever
        something may have been, by a broken connection or because the handler was too slow.
        """

    async def call(self, owner: str, kind: str, body: bytes, *, timeout_s: float) -> bytes:
        """Ask a process and wait for its answer. Cancelled, it leaves nothing behind here; whether
        the other side does the work is open then, as after a time-out.

        Errors: Refusal as the service's own; Refusal("busy") if nobody is there, or no answer comes
                in time: the same call may be made again; Fault if the service is broken.
        """

    def serve(self, kind: str, service: Service) -> None:
        """Answer calls of a kind, each in a task of its own, a bounded number at once."""
