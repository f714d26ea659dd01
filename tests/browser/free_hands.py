"""Whole matches of the free games as Python's followers follow them, for JavaScript to follow too.

At each line some followers are lied to: a copy of each says which check refuses the lie, if any.
"""

from copy import deepcopy
from random import Random
from typing import Any

from server.bots.batak import BidSight
from server.bots.court_piece import TrumpSight
from server.bots.evidence import Cheated
from server.bots.public import Gift, PublicHand
from server.bots.seep import Sight as SeepSight
from server.cards.card import Card
from server.cards.game import Carry, Scored, Seat, dealer_of
from server.cards.options import options_fields
from server.cards.pack import Pack
from server.games import GAMES
from server.games.seep.moves import Build, Play, Raise, Throw
from server.games.seep.turns import plays
from tests.bots.matches import Company, Match

MATCHES: dict[str, tuple[dict[str, Any], ...]] = {
    "seep": ({}, {"partner_may_raise": True}),
    "court_piece": ({"target": 3}, {"counting": "courts", "target": 1, "namer_leads": True}),
    "batak": ({}, {"single_round": True, "beat_trump_led": False}),
    "badam_satti": ({"hands": 3}, {"seats": 3, "hands": 3}, {"seats": 7, "hands": 3}),
    "sevens": ({"seats": 5, "hands": 3},),
}
"""The options of the matches that are played, each by its number as the seed."""

HANDS_MAX = 2
PACK = Pack(1, 0).cards
LIES = 3
LIES_EVERY = 6
"""Lines between two that are lied about."""

Row = dict[str, Any]


def followed() -> list[Row]:
    """Play the matches; what each follower of each hand hears and answers."""
    hands = []
    for name, chosen in MATCHES.items():
        for number, options in enumerate(chosen):
            table = Heard(GAMES[name], GAMES[name].options_type(**options), number)
            table.play()
            hands += table.heard[:HANDS_MAX]
    return hands


class Heard(Company):
    """A table whose followers' answers are noted, with how each hand ended."""

    def __init__(self, game: Any, options: Any, seed: int) -> None:
        super().__init__(game, options, seed)
        self.heard: list[Row] = []

    def _hand(self, match: Match, carry: Carry) -> Scored:
        hand: Row = {
            "game": self.game.name,
            "options": options_fields(self.options),
            "seats": [int(info.seat) for info in self.seats],
            "kinds": [int(info.kind) for info in self.seats],
            "dealer": dealer_of(carry, [info.seat for info in self.seats]),
            "memo": carry.memo,
            "followers": [],
        }
        self.heard.append(hand)
        scored = super()._hand(match, carry)
        hand["lines"] = match.lines[-1]
        hand["end"] = {
            "points": [points for _, points in scored.points],
            "winner": scored.winner,
            "champions": list(scored.champions),
            "carry": {"dealer": scored.carry.dealer, "memo": scored.carry.memo},
        }
        return scored

    def _follower(self, dealer: Seat | None, me: int | None) -> PublicHand:
        inner: Any = super()._follower(dealer, me)
        notes = Noted(inner, me, Random(f"{len(self.heard)} {me}"))
        self.heard[-1]["followers"].append({"me": me, "steps": notes.steps})
        return notes

    def _deal(self, state: Any, orders: list[tuple[Any, ...]]) -> Any:
        deal = super()._deal(state, orders)
        self.heard[-1] |= {"pack": list(deal.order), "toss": list(deal.draws)}
        return deal


class Noted:
    """A follower, with what it heard and answered."""

    def __init__(self, inner: Any, me: int | None, chance: Random) -> None:
        self.inner = inner
        self.me = me
        self.chance = chance
        self.steps: list[Row] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def deal(self, toss: tuple[int, ...]) -> tuple[Gift, ...]:
        """Deal."""
        gifts: tuple[Gift, ...] = self.inner.deal(toss)
        self._note({"toss": list(toss), "gifts": _written(gifts)})
        return gifts

    def line(self, line: str) -> tuple[Gift, ...]:
        """Follow a line, and say what of some lies would be caught."""
        lies = (
            [[lie, self._caught(lie)] for lie in self._lies(line)] if self.me in (None, 0) else []
        )
        gifts: tuple[Gift, ...] = self.inner.line(line)
        self._note({"line": line, "gifts": _written(gifts), "lies": lies})
        return gifts

    def seen(self, gift: Gift, card: Card) -> None:
        """Learn a card."""
        self.inner.seen(gift, card)
        self._note({"seen": [gift.seat, str(gift.place), card]})

    def _note(self, step: Row) -> None:
        seats = range(len(self.inner.seats))
        table = getattr(self.inner, "table", self.inner)
        acts = [self.inner.may_act(seat) for seat in seats]
        may = self.me is not None and acts[self.me]
        self.steps.append(
            step
            | {
                "acting": self.inner.acting,
                "holding": list(table.holding),
                "may_act": acts,
                "legal": _legal(self.inner.sight()) if may and table.holding else None,
            }
        )

    def _caught(self, lie: str) -> int | None:
        try:
            deepcopy(self.inner).line(lie)
        except Cheated as cheated:
            return cheated.check
        return None

    def _lies(self, line: str) -> list[str]:
        """Change a word of the line, or say something else altogether."""
        words = line.split(" ")
        seats = len(self.inner.seats)
        holding = list(getattr(self.inner, "table", self.inner).holding)
        others = [
            str(self.chance.randrange(seats + 1)), self.chance.choice(PACK),
            self.chance.choice(holding or PACK), *("pass", "leave", "back", "play", "7", "trump H"),
        ]  # fmt: skip
        lies = [f"auto {line}", line.removeprefix("auto "), f"{words[0]} pass"]
        for _ in range(LIES):
            at = self.chance.randrange(len(words))
            lies.append(" ".join([*words[:at], self.chance.choice(others), *words[at + 1 :]]))
        return lies


def _written(gifts: tuple[Gift, ...]) -> list[Any]:
    return [[gift.seat, str(gift.place)] for gift in gifts]


def _legal(sight: Any) -> list[Any]:
    """List what the seat may do: cards, or whatever else its game has it choose from."""
    match sight:
        case TrumpSight():
            return ["trump or pass" if sight.may_pass else "trump"]
        case SeepSight() if sight.play_no == 1 and not sight.position.due:
            return list(sight.bids)
        case SeepSight():
            return sorted(map(_play_text, plays(sight.position)))
        case BidSight():
            return [sight.is_naming, *sight.may_bid]
        case _:
            return sorted(sight.may_play)


def _play_text(play: Play) -> str:
    words: list[str] = [play.name]
    if isinstance(play, Build | Raise):
        words.append(str(play.value if isinstance(play, Build) else play.house))
    words.append(play.card)
    if not isinstance(play, Throw) and play.cards:
        words.append(",".join(play.cards))
    return " ".join(words)
