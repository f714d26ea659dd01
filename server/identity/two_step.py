"""The operators' second step: a code of an authenticator app (TOTP, RFC 6238), or a recovery code.

The secret rests sealed, each recovery code as its hash. A code is good once: the step of time that
it belongs to is kept. The database's clock says which codes are good now.
"""

import base64
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

import pyotp
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import delete, insert, select, update

from server.database import Transaction, now_ms
from server.errors import Fault, Refusal
from server.identity.models import (
    RecoveryCodeRow,
    SecondStepRow,
    SignInLinkRow,
)
from server.identity.operators import TRIES_MAX, Operator, end_operator_sessions, record_act
from server.identity.passwords import hash_of_token

KEY_PURPOSE: Final = "operators' second step"
"""What the sealing keys derive the keys of this room for."""

ISSUER: Final = "Pakka"
CODE_MAX: Final = 40
"""Characters of a code as somebody types it, blanks and dashes too."""

WINDOW_STEPS: Final = 1
"""Steps of 30 s before and after this one whose codes are good, for phones whose clock is off."""

RECOVERY_CODES: Final = 8
RECOVERY_BYTES: Final = 10
_NONCE_BYTES: Final = 12


class DerivesKeys(Protocol):
    """What keys are derived from: the house's sealer, which this room does not know."""

    def derive(self, purpose: str) -> bytes:
        """Derive a key from the sealing key."""

    def derive_old(self, purpose: str) -> tuple[bytes, ...]:
        """Derive keys from those that it replaced."""


@dataclass(frozen=True, slots=True, repr=False)
class SecretBox:
    """Seals secrets under keys derived from the sealing keys; a seal opens for its operator alone.

    Shape: `key` seals, `old` open what was sealed before a rotation.
    """

    key: bytes
    old: Sequence[bytes] = ()

    @classmethod
    def of(cls, keys: DerivesKeys) -> "SecretBox":
        """Make the box of a house."""
        return cls(keys.derive(KEY_PURPOSE), keys.derive_old(KEY_PURPOSE))

    def seal(self, secret: str, *, operator_id: int) -> bytes:
        """Seal a secret."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + AESGCM(self.key).encrypt(nonce, secret.encode(), _place(operator_id))

    def open(self, sealed: bytes, *, operator_id: int) -> str:
        """Open a seal. Errors: Fault if no key of the house's opens it."""
        nonce, rest = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        for key in (self.key, *self.old):
            with suppress(InvalidTag, ValueError):
                return AESGCM(key).decrypt(nonce, rest, _place(operator_id)).decode()
        raise Fault(f"the second step of operator {operator_id} does not open with this key")


def new_secret() -> str:
    """Draw a secret, in the form that apps take."""
    return pyotp.random_base32()


def uri_of(secret: str, name: str) -> str:
    """Write what an authenticator app reads from a QR code."""
    return pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=ISSUER)


async def enrol(
    tx: Transaction, operator: Operator, secret: str, code: str, *, box: SecretBox, actor: str
) -> list[str]:
    """Demand the codes of `secret` from now on; its recovery codes, which are told once.

    An earlier secret and its recovery codes are worth nothing from now on, and sign-ins end.

    Errors: Refusal `bad_code` if `code` is not one of this secret's just now.
    """
    step = await _step_of(tx, secret, code)
    if step is None:
        raise Refusal("bad_code", "that is not the code of this moment", "code")
    await _forget(tx, operator)
    sealed = box.seal(secret, operator_id=operator.id)
    values = {"operator_id": operator.id, "sealed": sealed, "last_step": step}
    await tx.execute(insert(SecondStepRow).values(values))
    codes = [_recovery_code() for _ in range(RECOVERY_CODES)]
    rows = [{"operator_id": operator.id, "code_hash": _hash_of(code)} for code in codes]
    await tx.execute(insert(RecoveryCodeRow).values(rows))
    await _record(tx, operator, actor, "second step enrolled")
    return codes


async def disable(tx: Transaction, operator: Operator, *, actor: str, reason: str) -> bool:
    """Demand no code any more, and end the operator's sign-ins; False if none was demanded.

    Errors: Refusal `bad_reason`.
    """
    if not await _forget(tx, operator):
        return False
    await _record(tx, operator, actor, reason, act="operator.two_step_off")
    return True


async def count_try(tx: Transaction, link_token: str) -> None:
    """Count a code that is tried with a link. It commits before the code is looked at."""
    query = update(SignInLinkRow).where(
        SignInLinkRow.token_hash == hash_of_token(link_token),
        SignInLinkRow.used_at.is_(None),
        SignInLinkRow.tries <= TRIES_MAX,
    )
    await tx.execute(query.values(tries=SignInLinkRow.tries + 1))


async def demand_code(
    tx: Transaction, operator: Operator, code: str | None, *, box: SecretBox, of_all: bool
) -> None:
    """Let an operator in who has enrolled only with a code; one who hasn't, unless `of_all` must.

    Errors: Refusal `code_needed`, `bad_code`, `two_step_needed`.
    """
    query = select(SecondStepRow.sealed).where(SecondStepRow.operator_id == operator.id)
    sealed = (await tx.execute(query)).scalar_one_or_none()
    if sealed is None:
        if of_all:
            raise Refusal("two_step_needed", "this house lets nobody in without a second step")
        return
    if code is None:
        raise Refusal("code_needed", "this operator signs in with a code, too", "code")
    if await _takes(tx, operator, box.open(sealed, operator_id=operator.id), code):
        return
    if await _recovers(tx, operator, code):
        await _record(tx, operator, operator.name, "signed in by a recovery code")
        return
    raise Refusal("bad_code", "the code is wrong, over or used", "code")


async def seal_anew(tx: Transaction, box: SecretBox) -> int:
    """Seal every secret under the box's own key; tells how many.

    Errors: Fault if one opens with none of the box's keys.
    """
    rows = (await tx.execute(select(SecondStepRow.operator_id, SecondStepRow.sealed))).all()
    for operator_id, sealed in rows:
        secret = box.open(sealed, operator_id=operator_id)
        query = update(SecondStepRow).where(SecondStepRow.operator_id == operator_id)
        await tx.execute(query.values(sealed=box.seal(secret, operator_id=operator_id)))
    return len(rows)


async def _takes(tx: Transaction, operator: Operator, secret: str, code: str) -> bool:
    """Use a code of the app's up; each step of time is good once, and none before it after it."""
    step = await _step_of(tx, secret, code)
    if step is None:
        return False
    query = update(SecondStepRow).where(
        SecondStepRow.operator_id == operator.id, SecondStepRow.last_step < step
    )
    return (await tx.execute(query.values(last_step=step))).rowcount == 1


async def _recovers(tx: Transaction, operator: Operator, code: str) -> bool:
    """Use a recovery code up."""
    query = delete(RecoveryCodeRow).where(
        RecoveryCodeRow.operator_id == operator.id, RecoveryCodeRow.code_hash == _hash_of(code)
    )
    return (await tx.execute(query)).rowcount == 1


async def _step_of(tx: Transaction, secret: str, code: str) -> int | None:
    """Find the step of time that a code belongs to, None if it is no good one just now."""
    digits = "".join(code.split())
    if not (digits.isascii() and digits.isdigit()):
        return None
    now_s = await now_ms(tx) // 1_000
    with suppress(pyotp.OTPVerificationError):
        return pyotp.TOTP(secret).verify_and_get_timecode(
            digits, for_time=now_s, valid_window=WINDOW_STEPS
        )
    return None


async def _forget(tx: Transaction, operator: Operator) -> bool:
    await tx.execute(delete(RecoveryCodeRow).where(RecoveryCodeRow.operator_id == operator.id))
    query = delete(SecondStepRow).where(SecondStepRow.operator_id == operator.id)
    has_one = (await tx.execute(query)).rowcount == 1
    await end_operator_sessions(tx, operator)
    return has_one


async def _record(
    tx: Transaction, operator: Operator, actor: str, reason: str, act: str = "operator.two_step"
) -> None:
    await record_act(tx, operator=actor, act=act, subject=f"operator:{operator.id}", reason=reason)


def _recovery_code() -> str:
    text = base64.b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode().lower()
    return "-".join(text[at : at + 4] for at in range(0, len(text), 4))


def _hash_of(code: str) -> bytes:
    """A recovery code has 80 bits of chance: one plain hash is enough. Case and dashes are free."""
    return hash_of_token("".join(code.lower().replace("-", "").split()))


def _place(operator_id: int) -> bytes:
    return f"operator {operator_id}".encode()
