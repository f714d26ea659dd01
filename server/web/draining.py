"""How a process stops that is asked to: in which order, and what is told of it.

The log gets one line when it begins and one when it is over; neither names a player.
"""

from time import monotonic

import structlog

from server.web.listening import Listener
from server.web.parts import Parts

log = structlog.get_logger("web.draining")


async def drain(parts: Parts, listener: Listener, wait_ms: int) -> None:
    """Finish the commands in hand, send every socket away with 1012, stop listening."""
    begun_s = monotonic()
    gateway, process = parts.gateway, parts.host.messenger.owner
    gateway.shut()
    tables, sockets = len(parts.host.summaries()), gateway.open_count
    log.info("draining", process=process, tables=tables, sockets=sockets)
    left = await parts.host.stop()
    await gateway.stop(wait_ms)
    sockets_cut = gateway.open_count
    await listener.stop()
    write = log.warning if left.cut or sockets_cut else log.info
    write(
        "drained",
        process=process,
        given_up=left.given_up,
        tables_cut=left.cut,
        sockets_cut=sockets_cut,
        took_ms=round((monotonic() - begun_s) * 1_000),
    )
