"""A person at a terminal: shows the hand, reads the moves, one a line."""

import asyncio
import sys
from collections.abc import Mapping
from random import Random
from threading import Thread
from typing import Any, Final

import typer

from server.bots.client import Move
from server.bots.games import wire_of
from server.bots.rummy import Sight, choose
from server.bots.rummy_hand import RummyHand
from server.bots.table_watch import TableWatch
from server.cards.card import Card, parse_card
from server.cli.output import emit
from server.errors import Refusal
from server.games.rummy.moves import Declare, Discard, Draw, Drop
from server.games.rummy.scoring import count
from server.ledger.transfers import ht_text

HELP: Final = (
    "d draw closed | o draw open | x CARD discard | declare CARD | drop | a play the hint | "
    "? this | quit"
)
LINE_LOST: Final = "the line is lost: looking for it again"
LINE_BACK: Final = "the line is back"
QUIT: Final = frozenset({"quit", "q"})
WIRE: Final = frozenset({"e", "openings", "k", "line", "sig", "log"})


class Keyboard:
    """Lines of standard input; a thread reads them, so that a pipe and a terminal are alike."""

    def __init__(self) -> None:
        self.quit = asyncio.Event()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()

    def start(self) -> None:
        """Begin to read."""
        Thread(target=self._read, name="keyboard", daemon=True).start()

    async def line(self) -> str | None:
        """Wait for the next line; None, again and again, when there will be no more."""
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        return line

    def _read(self) -> None:
        for line in sys.stdin:
            if line.strip() in QUIT and sys.stdin.isatty():
                break  # a person means now; a pipe means after the lines before it
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line.strip())
        else:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, None)
            return
        self._loop.call_soon_threadsafe(self.quit.set)


class Terminal:
    """Chooses what the person types; ends when it is told to, or when the hands are played."""

    def __init__(self, keyboard: Keyboard, *, url: str, json_: bool, hands: int | None) -> None:
        self.done = keyboard.quit
        self._keyboard = keyboard
        self._url = url
        self._json = json_
        self._hands = hands
        self._overs = 0
        self._random = Random()  # noqa: S311 - it breaks ties between hints

    async def choose(self, watch: TableWatch) -> Move:
        """Show the decision and read lines until one is a move."""
        deal = watch.hand.deal
        assert deal is not None
        assert isinstance(deal.public, RummyHand)
        sight = deal.public.sight()
        self._show(sight)
        while True:
            line = await self._keyboard.line()
            if line is None or line in QUIT:
                self.done.set()
                await asyncio.Event().wait()  # until we are cancelled: the seat is given up
            if line in {"?", "help", ""}:
                self._say({"say": "help", "text": HELP}, HELP)
                continue
            try:
                return wire_of(self._read(line or "", sight))
            except ValueError as error:
                self._say({"say": "wrong", "text": str(error)}, f"{error} ({HELP})")

    def told(self, watch: TableWatch, frame: Mapping[str, Any]) -> None:
        """Tell what has happened."""
        part = frame.get("d")
        if frame["t"] == "event" and part is not None:
            told = {key: value for key, value in part.items() if key not in WIRE}
            self._say({"event": part["e"], **told}, _text_of(part, watch.seating.me))
            if part["e"] == "hand.closed":
                record = f"{self._url}{part['record']}"
                self._say({"say": "record", "url": record}, f"  to check it: pakka verify {record}")
        fresh = watch.hand.overs[self._overs :]
        self._overs += len(fresh)
        closed = sum(over.end == "closed" for over in watch.hand.overs)
        if watch.is_closed or (self._hands is not None and closed >= self._hands):
            self.done.set()

    def refused(self, watch: TableWatch, refusal: Refusal) -> None:
        """Say that the server refused a command."""
        self._say({"refused": refusal.code, "text": refusal.text}, f"refused: {refusal}")

    def line(self, is_back: bool) -> None:
        """Say that the line is lost, or back: each once, however often it was tried meanwhile."""
        text = LINE_BACK if is_back else LINE_LOST
        self._say({"say": "line_back" if is_back else "line_lost", "text": text}, text)

    def _read(self, line: str, sight: Sight) -> Draw | Discard | Declare | Drop:
        match line.split():
            case ["d"]:
                return Draw("closed")
            case ["o"]:
                return Draw("open")
            case ["x", text]:
                return Discard(_held(text, sight))
            case ["declare", text]:
                card = _held(text, sight)
                rest = [held for held in sight.hand if held != card]
                groups = count(rest, sight.wild_rank)
                loose = (groups.loose,) if groups.loose else ()
                return Declare(card, (*groups.groups, *loose))
            case ["drop"]:
                return Drop()
            case ["a"]:
                return choose(sight, self._random)
        raise ValueError(f"{line[:20]!r} is no move")

    def _show(self, sight: Sight) -> None:
        found = count(sight.hand, sight.wild_rank)
        document = {
            "turn": "discard" if sight.has_drawn else "draw",
            "groups": found.groups,
            "loose": found.loose,
            "points": found.points,
            "wild": sight.wild_rank,
            "open": sight.open_top,
        }
        groups = " | ".join(" ".join(group) for group in found.groups)
        loose = " ".join(sorted(found.loose, key=lambda card: (card[1], card[0])))
        what = "discard or declare" if sight.has_drawn else "draw"
        text = (
            f"\nwild {sight.wild_rank or 'printed jokers only'}, open {sight.open_top or 'empty'}"
            f"\n  groups  {groups or '-'}\n  loose   {loose or '-'}   ({found.points} points)"
            f"\nyour turn: {what}"
        )
        self._say(document, text)

    def _say(self, document: Mapping[str, Any], text: str | None) -> None:
        if self._json:
            emit(document)
        elif text is not None:
            typer.echo(text)


def _held(text: str, sight: Sight) -> Card:
    card = parse_card(text.upper())
    if card not in sight.hand:
        raise ValueError(f"{card} is not in your hand")
    return card


def _text_of(part: Mapping[str, Any], me: int | None) -> str | None:
    """Write an event for the person in seat `me`; None for one that a player need not read."""
    match part:
        case {"e": "hand.closed", "hand": hand, "result": result, "winner": winner}:
            rows = (
                f"\n  seat {row['seat']}: {row['points']} points, {ht_text(int(row['amount']))} HT"
                for row in result
            )
            return f"hand {hand}: seat {winner} wins{''.join(rows)}"
        case {"e": "hand.voided" | "hand.cancelled" as name, "hand": hand}:
            return f"hand {hand} is {name.removeprefix('hand.')}"
        case {"e": "hand.dealt", "hand": hand}:
            return f"hand {hand} is dealt; you are seat {me}"
        case {"e": "seat.taken", "seat": seat, "player": player}:
            return f"  seat {seat}: {player['name']} ({player['kind']}) sits down"
        case {"e": "seat.left" | "seat.away" | "seat.back" | "seat.sits_out" as name, "seat": seat}:
            return f"  seat {seat}: {name.removeprefix('seat.').replace('_', ' ')}"
        case {"e": "shown", "seat": seat, "groups": groups, "loose": loose, "points": points}:
            shown = " | ".join(" ".join(group) for group in (*groups, loose) if group)
            return f"  seat {seat} shows {shown}  ({points} points)"
        case {"e": "wrong_declare", "seat": seat, "points": points}:
            return f"  seat {seat} declared wrongly: {points} points"
        case {"line": str(line)}:
            return f"  {line}"
        case {"e": "hand.reshuffled", "n": cards}:
            return f"  {cards} cards are shuffled again"
        case {"e": "turn", "seats": seats}:
            return "  it is your turn" if seats[0] == me else f"  turn of seat {seats[0]}"
        case {"e": "table.closing" | "table.closed" as name}:
            return f"the table is {name.removeprefix('table.')}"
        case _:
            return None
