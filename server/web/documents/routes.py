"""Where the documents are: AsyncAPI and the list of refusals; OpenAPI has FastAPI's own route."""

import json
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from server.refusal_texts import REFUSALS
from server.web.auth import Anybody, TheParts
from server.web.documents.asyncapi import asyncapi

documents = APIRouter(tags=["documents"], dependencies=[Anybody])
refusals = APIRouter(tags=["documents"], dependencies=[Anybody])


class RefusalTexts(BaseModel):
    """What people are told of a refusal."""

    code: str
    en: str
    hi: str


class RefusalList(BaseModel):
    """Every refusal of HTTP and of the socket."""

    refusals: list[RefusalTexts]


@refusals.get("/refusals", summary="Every refusal, in English and Hindi")
async def list_refusals() -> RefusalList:
    """List the closed list of refusals: clients show their own language's text for a code."""
    return RefusalList(
        refusals=[
            RefusalTexts(code=code, en=texts.en, hi=texts.hi) for code, texts in REFUSALS.items()
        ]
    )


@documents.get(
    "/asyncapi.json", summary="The socket, as AsyncAPI 3.0", response_model=dict[str, Any]
)
async def get_asyncapi(request: Request, parts: TheParts) -> Response:
    """Describe the socket."""
    made: bytes | None = getattr(request.app.state, "asyncapi", None)
    if made is None:
        made = request.app.state.asyncapi = encoded(asyncapi(parts.games.values()))
    return Response(made, media_type="application/json")


def encoded(document: Mapping[str, Any]) -> bytes:
    """Write a document as it is sent: always the same bytes."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
