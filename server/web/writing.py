"""A writing request: one transaction, and with an `Idempotency-Key` one answer for all repeats.

What is kept of the key, the request and the answer can't be read without the key itself: an answer
may hold a new sign-in's token, and no token is ever kept as such.
"""

import base64
import hmac
import json
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from fastapi import Depends, Header, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from server.database import Transaction
from server.errors import Refusal
from server.identity.answers import KEY_MAX, store_answer, stored_answer
from server.web.auth import TheParts
from server.web.parts import Parts

KEY_MIN: Final = 16
"""Characters: a key must not be guessed by others. A random UUID is 36."""

NONCE_BYTES: Final = 12
ANYONE: Final = "anyone"

KeyHeader = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="the same key with the same request gets the same answer and moves nothing",
    ),
]


@dataclass(frozen=True, slots=True)
class Answered:
    """What a request is answered, now as the first time."""

    status: int
    body: dict[str, Any]

    def response(self) -> JSONResponse:
        """Write the response."""
        return JSONResponse(self.body, status_code=self.status)


class Writing:
    """One writing request; `do` carries it out."""

    def __init__(self, parts: Parts, request: bytes, key: str | None) -> None:
        self._parts = parts
        self._request = request
        self._key = key

    def once(self, actor: str) -> str:
        """Derive what names this request in the ledger: the key's own name, or one of chance."""
        name = secrets.token_hex(32) if self._key is None else _Sealed(self._key).name
        return f"{actor}:{name}"

    async def do(
        self, actor: str, work: Callable[[Transaction], Awaitable[BaseModel]], *, status: int = 200
    ) -> Answered:
        """Do `work` in a transaction, or find what it answered the first time.

        Shape:  `actor` says whose key it is. The answer is sent after the commit.
        Errors: Refusal of `work`, `bad_key`, `key_reused`; nothing is stored then.
        """
        if self._key is None:
            # Nothing tells a repeat from a second request, so nothing is done twice here.
            async with self._parts.database.transaction() as tx:
                return Answered(status, _plain(await work(tx)))
        sealed = _Sealed(self._key)

        async def whole(tx: Transaction) -> Answered:
            request = sealed.mac(b"request", self._request)
            earlier = await stored_answer(tx, actor=actor, key=sealed.name, request=request)
            if earlier is not None:
                return Answered(earlier.status, sealed.open(earlier.body))
            body = _plain(await work(tx))
            await store_answer(
                tx, actor=actor, key=sealed.name, status=status, body=sealed.seal(body)
            )
            return Answered(status, body)

        return await self._parts.database.run(whole)


async def _writing(request: Request, parts: TheParts, key: KeyHeader = None) -> Writing:
    if key is not None and not (KEY_MIN <= len(key) <= KEY_MAX and key.isascii()):
        text = f"a key is {KEY_MIN} to {KEY_MAX} ASCII characters"
        raise Refusal("bad_key", text, "Idempotency-Key")
    path = f"{request.method} {request.url.path}\n".encode()
    return Writing(parts, path + await request.body(), key)


TheWriting = Annotated[Writing, Depends(_writing)]


@dataclass(frozen=True, slots=True, repr=False)
class _Sealed:
    """What is derived from a key; the key itself is kept nowhere."""

    key: str

    @property
    def name(self) -> str:
        return self.mac(b"name").hex()

    def mac(self, *parts: bytes) -> bytes:
        return hmac.digest(self.key.encode(), b"\n".join((b"pakka", *parts)), "sha256")

    def seal(self, body: object) -> str:
        nonce = secrets.token_bytes(NONCE_BYTES)
        text = json.dumps(body).encode()
        return base64.b64encode(nonce + self._cipher().encrypt(nonce, text, None)).decode()

    def open(self, sealed: str) -> dict[str, Any]:
        whole = base64.b64decode(sealed)
        nonce, text = whole[:NONCE_BYTES], whole[NONCE_BYTES:]
        try:
            body: dict[str, Any] = json.loads(self._cipher().decrypt(nonce, text, None))
        except InvalidTag:
            raise AssertionError("a stored answer was changed") from None
        return body

    def _cipher(self) -> AESGCM:
        return AESGCM(self.mac(b"seal"))


def _plain(body: BaseModel) -> dict[str, Any]:
    return body.model_dump(mode="json", by_alias=True)
