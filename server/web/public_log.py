"""The public log of fairdeal/1, for everybody: how long it is, what is in it, that it only grew."""

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


class Consistency(BaseModel):
    """The proof that the first `new` entries begin with the first `old` (RFC 6962, 2.1.2)."""

    old: int
    new: int
    proof: list[str]


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


@router.get("/consistency", summary="Proof that the log has only grown")
async def consistency(
    parts: TheParts,
    old: Annotated[int, Query(ge=1, le=SIZE_MAX)],
    new: Annotated[int, Query(ge=1, le=SIZE_MAX)],
) -> Consistency:
    """Prove that the log of size `new` begins with the log of size `old`."""
    async with parts.database.transaction() as tx:
        if old > new or new > await log.size(tx):
            raise Refusal("no_such_entry", "the log is not that long", "new")
        proof = await log.consistency(tx, old, new)
    return Consistency(old=old, new=new, proof=[node.hex() for node in proof])
