"""The public log of fairdeal/1, for everybody: how long it is, what is in it, that it only grew."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel

from server.database import Transaction
from server.errors import Refusal
from server.fairness import log
from server.web.auth import Anybody, TheParts
from server.web.errors import refuses
from server.web.pages import LIST_MAX, Limit

SIZE_MAX: Final = 2**53 - 1
KEYS_MAX: Final = 1_000

router = APIRouter(prefix="/log", tags=["log"], dependencies=[Anybody])


class LogAbout(BaseModel):
    """Whose log it is: its origin, and the key that signs its checkpoints, to be pinned."""

    origin: str
    vkey: str
    size: int
    root: str | None


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


class Entry(BaseModel):
    """An entry as it is hashed: the leaf is SHA-256 over a zero byte and these bytes."""

    index: int
    entry: str


class Entries(BaseModel):
    """Entries in order; `next` is where the next page goes on, None at the log's end."""

    entries: list[Entry]
    next: int | None


class Keys(BaseModel):
    """The entries by which a key of the house handed over to another one, in order."""

    keys: list[Entry]


@router.get("", summary="The log, and the key that signs its checkpoints")
async def about(parts: TheParts) -> LogAbout:
    """Say whose log it is."""
    async with parts.database.transaction() as tx:
        size, root = await head_of(tx)
    key = parts.log_key
    shown = None if root is None else root.hex()
    return LogAbout(origin=key.name, vkey=key.vkey, size=size, root=shown)


@router.get(
    "/checkpoint",
    summary="The latest checkpoint, a signed note",
    response_class=PlainTextResponse,
    openapi_extra=refuses("no_such_checkpoint"),
)
async def checkpoint(parts: TheParts) -> PlainTextResponse:
    """Sign what the log is now, in the form of C2SP's tlog-checkpoint."""
    async with parts.database.transaction() as tx:
        size, root = await head_of(tx)
    if root is None:
        raise Refusal("no_such_checkpoint", "the log is empty")
    note = parts.table_parts.log_signer.checkpoint(size=size, root=root)
    return PlainTextResponse(note, headers={"Cache-Control": "no-store"})


@router.get("/entries", summary="The entries, in order")
async def entries(
    parts: TheParts,
    limit: Limit = LIST_MAX,
    after: Annotated[int | None, Query(ge=0, le=SIZE_MAX, description="an entry's index")] = None,
) -> Entries:
    """List entries that come after one; without `after` from the first on."""
    first = 0 if after is None else after + 1
    async with parts.database.transaction() as tx:
        found = await log.entries(tx, first, limit)
        is_last = first + len(found) >= await log.size(tx)
    page = [Entry(index=first + at, entry=entry.hex()) for at, entry in enumerate(found)]
    return Entries(entries=page, next=None if is_last or not page else page[-1].index)


@router.get("/keys", summary="The rotations of the house's keys")
async def keys(parts: TheParts) -> Keys:
    """List the entries by which keys came into force, the newest `KEYS_MAX`, in order."""
    async with parts.database.transaction() as tx:
        found = await log.rotations(tx, KEYS_MAX)
    return Keys(keys=[Entry(index=index, entry=entry.hex()) for index, entry in found])


@router.get("/head", summary="Size and root of the log")
async def head(parts: TheParts) -> LogHead:
    """Tell the log's present head."""
    async with parts.database.transaction() as tx:
        size, root = await head_of(tx)
    return LogHead(size=size, root=None if root is None else root.hex())


@router.get(
    "/inclusion",
    summary="Proof that an entry is in the log",
    openapi_extra=refuses("no_such_entry"),
)
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


@router.get(
    "/consistency",
    summary="Proof that the log has only grown",
    openapi_extra=refuses("no_such_entry"),
)
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


async def head_of(tx: Transaction) -> tuple[int, bytes | None]:
    """Give the log's size and root, None while it is empty."""
    size = await log.size(tx)
    return size, await log.root_at(tx, size) if size else None
