"""From a frame to the table's command, and from the table's reply to a frame."""

from collections.abc import Mapping

from server.cards.game import IllegalMove, Seat, SeatKind
from server.errors import Refusal
from server.tables import commands
from server.tables.commands import PlayerCommand, Reply
from server.web import messages
from server.web.messages import DealFrame, PlayMove, TableFrame, WithSeed
from server.web.moves import MoveReader

CommandFrame = TableFrame | DealFrame | PlayMove


def command_of(
    frame: CommandFrame, reader: MoveReader, *, name: str, kind: SeatKind
) -> PlayerCommand:
    """Translate a frame that a table must answer.

    Errors: Refusal if a `play` isn't a move of that table's game.
    """
    match frame:
        case messages.SitDown(d=wish):
            seat = None if wish.seat is None else Seat(wish.seat)
            return commands.Sit(seat, name, kind)
        case messages.LeaveTable():
            return commands.Leave()
        case messages.SitOutHands():
            return commands.SitOut()
        case messages.ComeBack():
            return commands.Back()
        case messages.DealCommit(d=WithSeed() as d):
            return commands.Commit(frame.hand, d.attempt, d.commit, d.pub, d.sig)
        case messages.DealCommit(d=d):
            return commands.Commit(frame.hand, d.attempt, None)
        case messages.DealReveal(d=d):
            return commands.Reveal(frame.hand, d.attempt, d.x, d.sig)
        case messages.DealRevealAgain(d=d):
            return commands.RevealAgain(frame.hand, d.epoch, d.x, d.sig)
        case messages.PlayMove(d=d):
            return commands.Play(frame.hand, frame.turn, reader.read(d))
    raise AssertionError(f"no table answers {frame.t}")


def ok_frame(re: str, seq: int | None = None) -> dict[str, object]:
    """Write the reply that says it is done."""
    return {"t": "ok", "re": re} if seq is None else {"t": "ok", "re": re, "seq": seq}


def reply_frame(re: str, reply: Reply) -> dict[str, object]:
    """Write a table's reply."""
    if reply.ok:
        return ok_frame(re, reply.seq)
    refusal = Refusal(reply.code or "fault", reply.text or "", reply.field)
    return refused_frame(re, refusal, seq=reply.seq)


def refused_frame(
    re: str | None, refusal: Refusal | IllegalMove, *, seq: int | None = None
) -> dict[str, object]:
    """Write a refusal; `re` is None if the frame had no id that can be repeated."""
    frame: dict[str, object] = {"t": "refused", "re": re, **body_of(refusal)}
    if frame["field"] is None:
        del frame["field"]
    if seq is not None:
        frame["seq"] = seq
    return frame


def body_of(refusal: Refusal | IllegalMove) -> Mapping[str, str | None]:
    """Write a refusal's three parts, as HTTP and the socket both have them."""
    return {"code": refusal.code, "text": refusal.text, "field": refusal.field}
