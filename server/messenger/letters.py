"""What is written inside of the envelopes: a topic's bodies, calls and their replies."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from server.messenger.answers import Answer, Done, Failed, Refused
from server.messenger.envelope import Unreadable
from server.messenger.heard import LOST, Heard, Lost

_BODY: Final = b"\x00"
_LOST: Final = b"\x01"
_LENGTH_BYTES: Final = 4


class Call(BaseModel):
    """A call; its reply goes to `sender` and carries `id`."""

    model_config = ConfigDict(frozen=True)

    t: Literal["call"] = "call"
    id: str
    kind: str
    sender: str


class Reply(BaseModel):
    """How the call of that id ended."""

    model_config = ConfigDict(frozen=True)

    t: Literal["reply"] = "reply"
    id: str
    outcome: Literal["done", "refused", "failed"]
    code: str = ""
    text: str = ""
    field: str | None = None


Letter = Call | Reply

_LETTER: Final = TypeAdapter[Letter](Annotated[Letter, Field(discriminator="t")])


def write_heard(heard: Heard) -> bytes:
    """Write what a topic's subscribers are to hear."""
    return _LOST if isinstance(heard, Lost) else _BODY + heard


def read_heard(written: bytes) -> Heard:
    """Read it. What another version wrote, and we can't read, is lost."""
    return written[1:] if written[:1] == _BODY else LOST


def write_letter(letter: Letter, body: bytes) -> bytes:
    """Write a call or a reply with its body behind."""
    head = letter.model_dump_json().encode()
    return len(head).to_bytes(_LENGTH_BYTES, "big") + head + body


def read_letter(written: bytes) -> tuple[Letter, bytes]:
    """Read a call or a reply. Errors: Unreadable, if another version has written it."""
    end = _LENGTH_BYTES + int.from_bytes(written[:_LENGTH_BYTES], "big")
    try:
        return _LETTER.validate_json(written[_LENGTH_BYTES:end]), written[end:]
    except ValidationError:
        raise Unreadable from None


def reply_of(call_id: str, answer: Answer) -> tuple[Reply, bytes]:
    """Put an answer into a reply and its body."""
    match answer:
        case Done(body):
            return Reply(id=call_id, outcome="done"), body
        case Refused(code, text, field):
            return Reply(id=call_id, outcome="refused", code=code, text=text, field=field), b""
        case Failed(text):
            return Reply(id=call_id, outcome="failed", text=text), b""


def answer_of(reply: Reply, body: bytes) -> Answer:
    """Take an answer out of a reply and its body."""
    if reply.outcome == "done":
        return Done(body)
    if reply.outcome == "refused":
        return Refused(reply.code, reply.text, reply.field)
    return Failed(reply.text)
