"""Court Piece as its public lines tell it: the choice of trump, batches, tricks, one's holding."""

from collections.abc import Sequence
from random import Random
from typing import Final

from server.bots.court_piece import TrumpSight, choose_trump, play
from server.bots.evidence import Cheated, demand
from server.bots.opening_checks import Place
from server.bots.public import Begun, Gift, Program
from server.bots.trick_table import PACK, TrickTable
from server.bots.tricks import TrickSight
from server.cards.card import Card, suit_of
from server.cards.game import Seat
from server.cards.tricks import SEATS, following, seat_after
from server.games.court_piece.batches import DRAWS, LUCK, chooser_of, drawn_cards, positions_of
from server.games.court_piece.moves import Move
from server.games.court_piece.notation import read
from server.games.court_piece.options import Options
from server.games.court_piece.scoring import find_result, partner_of, team_of

TOSS: Final = 17
RULES: Final = 18


class CourtPieceHand:
    """One hand, from the seat `me` or from a spectator's place (None)."""

    def __init__(
        self, options: Options, seats: Sequence[int], dealer: int | None, me: int | None
    ) -> None:
        self.options = options
        self.seats = tuple(seats)
        self.dealer = dealer
        self.me = me
        self.table = TrickTable(me)
        self.has_passed = False
        self.luck: Card | None = None
        self.acting: int | None = None

    @property
    def chooser(self) -> Seat:
        """Derive who chooses trump."""
        assert self.dealer is not None
        return seat_after(Seat(self.dealer))

    # --- what the deal's checks ask (PublicHand)

    def deal(self, toss: tuple[int, ...]) -> tuple[Gift, ...]:
        """Draw for the first choice if need be, and deal five cards each. Errors: Cheated(17)."""
        demand(self.seats == tuple(range(SEATS)), TOSS, "not every seat is dealt in")
        if self.dealer is None:
            fits = len(toss) == SEATS and all(
                type(number) is int and number in range(modulus)
                for number, modulus in zip(toss, DRAWS, strict=True)
            )
            demand(fits, TOSS, "the toss is not four cards of a pack")
            self.dealer = (chooser_of(drawn_cards(PACK, toss)) - 1) % SEATS
        else:
            demand(toss == (), TOSS, "a toss where the dealer was fixed")
        self.acting = self.chooser
        return self._batch(1)

    def seen(self, gift: Gift, card: Card) -> None:
        """Learn a card that was given to this seat, or the card of luck."""
        if gift.seat is not None:
            self.table.holding.append(card)
            return
        demand(card == self.luck, RULES, f"the card of luck is {card}, not {self.luck}")
        self.table.show(self.chooser, card)
        if self.me == self.chooser:
            self.table.holding.append(card)

    def line(self, line: str) -> tuple[Gift, ...]:
        """Follow a line. Errors: Cheated (13, 18)."""
        try:
            seat, _ = read(line)
        except ValueError:
            raise Cheated(RULES, f"not a line of court piece: {line[:40]!r}") from None
        words = line.removeprefix("auto ").split(" ")[1:]
        demand(self.acting is not None, RULES, f"a line after the last card: {line!r}")
        if words in (["leave"], ["back"]):
            self.table.comes_or_goes(seat, words[0])
            return ()
        demand(seat == self.acting, RULES, f"out of turn: {line!r}")
        if words[:1] == ["play"]:
            demand(bool(self.table.trump), RULES, f"a card before trump: {line!r}")
            self._play(seat, Card(words[1]))
            return ()
        demand(not self.table.trump, RULES, f"trump is fixed already: {line!r}")
        match words:
            case ["pass"]:
                demand(not self.has_passed, RULES, f"the partner passes: {line!r}")
                self.has_passed, self.acting = True, partner_of(Seat(seat))
                return ()
            case ["trump", suit]:
                leads = seat if self.options.namer_leads else self.chooser
                return self._fix_trump(suit, leads)
            case ["luck", text]:
                demand(self.has_passed, RULES, f"a card of luck for the chooser: {line!r}")
                self.luck = Card(text)
                text = f"{self.luck} is turned, which this seat holds"
                demand(self.luck not in self.table.holding, 13, text)
                return self._fix_trump(suit_of(self.luck), self.chooser)
        raise Cheated(RULES, f"a line that says nothing: {line!r}")

    def may_act(self, seat: int) -> bool:
        """Tell whether the seat has a decision to make, by what is public."""
        return self.acting == seat

    def call(self) -> tuple[Card, ...]:
        """Refuse a reshuffle: nothing is ever shuffled again. Errors: Cheated(14)."""
        raise Cheated(14, "a reshuffle in a game without one")

    def reshuffled(self, epoch: int) -> None:
        """Refuse a reshuffle. Errors: Cheated(14)."""
        self.call()

    # --- what the policy asks

    def sight(self) -> TrumpSight | TrickSight:
        """Describe the decision that this seat has to make."""
        if self.table.trump:
            return self.table.sight(following)
        return TrumpSight(hand=tuple(self.table.holding), may_pass=not self.has_passed)

    # --- moves

    def _batch(self, batch: int) -> tuple[Gift, ...]:
        turned = self.luck is not None
        return tuple(
            Gift(seat, Place(0, position))
            for seat, positions in positions_of(batch, self.chooser)
            for position in positions
            if not (turned and position == LUCK)
        )

    def _fix_trump(self, suit: str, leads: int) -> tuple[Gift, ...]:
        self.table.trump, self.acting = suit, leads
        turned = (Gift(None, Place(0, LUCK)),) if self.luck is not None else ()
        return (*turned, *self._batch(2), *self._batch(3))

    def _play(self, seat: int, card: Card) -> None:
        self.acting = self.table.play(seat, card, following)
        teams = [team_of(trick.winner) for trick in self.table.tricks]
        if find_result(team_of(self.chooser), teams) is not None:
            self.acting = None


def _follow(begun: Begun) -> CourtPieceHand:
    return CourtPieceHand(begun.options, begun.seats, begun.dealer, begun.me)


def _play(public: CourtPieceHand, random: Random, is_careless: bool) -> Move:
    sight = public.sight()
    if isinstance(sight, TrickSight):
        return play(sight, random, is_careless=is_careless)
    return choose_trump(sight, random, is_careless=is_careless)


COURT_PIECE: Final = Program(_follow, _play)
