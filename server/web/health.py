"""For the machine that watches this one: alive, ready, figures."""

import asyncio
from http import HTTPStatus
from typing import Final

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from server.web.auth import Anybody, TheParts
from server.web.figures import figures_of_the_house
from server.web.parts import Probe

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
    """Write the figures of every process of the house."""
    text = await figures_of_the_house(parts)
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


async def _is_good(probe: Probe) -> bool:
    try:
        async with asyncio.timeout(PROBE_MAX_S):
            return bool(await probe())
    except Exception:
        return False
