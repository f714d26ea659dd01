"""The public log of fairdeal/1, for everybody: how long it is, and that an entry is in it."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import BaseModel

from server.errors import Refusal
from server.fairness import log
from server.web.auth import TheParts

SIZE_MAX: Final = 2**53 - 1

router = APIRouter(prefix="/log", tags=["log"])


class LogHead(BaseModel):
    """How long the log is, and the root of its tree (None while it is empty)."""

    size: int
    root: str | None


class Inclusion(BaseModel):
    """The siblings from entry `index` up to the root of the first `size` entries."""

    index: int
    size: int
    root: str
    path: list[str]


@router.get("/head", summary="Size and root of the log")
async def head(parts: TheParts) -> LogHead:
    """Tell the log's present head."""
    async with parts.database.transaction() as tx:
        size = await log.size(tx)
        root = await log.root_at(tx, size) if size else None
    return LogHead(size=size, root=None if root is None else root.hex())


@router.get("/inclusion", summary="Proof that an entry is in the log")
async def inclusion(
    parts: TheParts,
    index: Annotated[int, Query(ge=0, le=SIZE_MAX)],
    size: Annotated[int, Query(ge=1, le=SIZE_MAX)],
) -> Inclusion:
    """Prove an entry, at a size that the log has or has had."""
    async with parts.database.transaction() as tx:
        if index >= size or size > await log.size(tx):
            raise Refusal("no_such_entry", "the log is not that long", "size")
        path = await log.inclusion(tx, index, size)
        root = await log.root_at(tx, size)
    return Inclusion(index=index, size=size, root=root.hex(), path=[node.hex() for node in path])
