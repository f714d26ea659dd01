"""For the machine that watches this one: alive, ready, figures."""

import asyncio
from dataclasses import asdict
from http import HTTPStatus
from typing import Final

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from sqlalchemy.exc import SQLAlchemyError

from server.ledger import audit
from server.ledger import service as ledger
from server.observability.standing import LedgerStanding, Standing
from server.web.auth import Anybody, TheParts
from server.web.parts import Parts, Probe

PROBE_MAX_S: Final = 3

router = APIRouter(tags=["health"], dependencies=[Anybody])


@router.get("/healthz", summary="Alive")
async def alive() -> dict[str, bool]:
    """Say that the process answers."""
    return {"ok": True}


@router.get(
    "/readyz",
    summary="Ready: database, messenger, leases",
    response_model=dict[str, bool],
    responses={503: {"model": dict[str, bool], "description": "A part is not ready"}},
)
async def ready(parts: TheParts) -> JSONResponse:
    """Say of each part whether it is ready; 503 if one isn't."""
    answers = await asyncio.gather(*(_is_good(probe) for probe in parts.probes.values()))
    body = dict(zip(parts.probes, answers, strict=True))
    status = HTTPStatus.OK if all(answers) else HTTPStatus.SERVICE_UNAVAILABLE
    return JSONResponse(body, status_code=status)


@router.get("/metrics", summary="Figures in Prometheus' form", response_class=PlainTextResponse)
async def metrics(parts: TheParts) -> Response:
    """Write the figures. A database that is down is one of them, and hides no other."""
    in_use = parts.database.in_use  # before we take one ourselves
    ledger_standing = await _ledger_standing(parts)
    tables = parts.host.summaries()
    text = parts.metrics.text(
        Standing(
            sockets=parts.gateway.open_count,
            outbox_frames=parts.gateway.depth,
            tables=len(tables),
            seats_taken=sum(seat is not None for table in tables for seat in table.seats),
            connections=in_use,
            connections_max=parts.database.pool_size,
            messenger=asdict(parts.carried),
            ledger=ledger_standing,
        )
    )
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


async def _ledger_standing(parts: Parts) -> LedgerStanding | None:
    """Ask the ledger, for as long as whoever asks us has patience; None if it can't be asked."""
    try:
        async with asyncio.timeout(PROBE_MAX_S), parts.database.transaction() as tx:
            holds = len(await ledger.open_holds(tx))
            checked = await audit.find_last(tx)
    except (SQLAlchemyError, OSError, TimeoutError):
        return None
    return LedgerStanding(
        holds=holds,
        invariants={one.name: one.holds for one in checked.invariants} if checked else {},
        checked_at_s=checked.at.timestamp() if checked else None,
    )


async def _is_good(probe: Probe) -> bool:
    try:
        async with asyncio.timeout(PROBE_MAX_S):
            return bool(await probe())
    except Exception:
        return False
