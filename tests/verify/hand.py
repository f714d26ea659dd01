"""The hand itself: the seats listed, the moves chosen, the cards ordered, the transcript signed."""

from typing import Any

from server.cards.game import DEALER, Carry, Deal, Left, Scored, Seat, SeatInfo, SeatKind, TimedOut
from server.cards.options import options_fields
from server.fairness import commitment, entries, transcript
from server.fairness.encoding import ZERO_HASH
from server.fairness.record import RecordEvent, RecordHead
from server.fairness.shoe import Shoe, deal
from server.games.rummy.moves import Declare, Draw, Drop
from tests.verify.promises import SERVER, Promises


class Hand(Promises):
    """A hand as far as it has been played. Shape: as `Promises`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.events: list[RecordEvent] = []
        self.heads: list[RecordHead] = []
        self.x: dict[int, list[bytes | None]] = {seat: [] for seat in self.committed}
        self.value = b""
        self.scored: Scored | None = None

    def list_seats(self) -> None:
        self.rules = self.told("rules", self.game.rules_version)
        self.listed = commitment.Listed(
            hand=self.hand,
            server_commit=self.server_commit,
            game=self.game.name,
            rules=self.rules,
            options=commitment.options_text(options_fields(self.options)),
            dealer=self.told("listed dealer", self.dealer),
            log_size=self.log_size,
            log_root=self.log_root,
            seats=tuple(
                commitment.ListedSeat(
                    seat=seat,
                    kind=1 + seat % 2,
                    player=bytes([seat]) * 16,
                    pub=self.pub_of(seat),
                    status=int(seat in self.committed),
                    commit=self.commit_of(seat) if seat in self.committed else ZERO_HASH,
                )
                for seat in self.players
            ),
        )
        self.listing = commitment.list_hash(self.listed)

    def fold(self) -> Any:
        game = self.game
        seats = tuple(SeatInfo(Seat(row.seat), SeatKind(row.kind)) for row in self.listed.seats)
        dealer = None if self.dealer is None else Seat(self.dealer)
        state = game.start(self.options, seats, Carry(dealer=dealer, memo=self.memo))
        while acting := game.to_act(state):
            if acting == {DEALER}:
                shoe = self.shoe(game.undealt(state))
                order = tuple(map(self.pack.card_of, shoe.order))
                step = game.apply(state, DEALER, Deal(order, shoe.toss(game.draws(state))))
            else:
                (seat,) = acting
                step = game.apply(state, *self.move(state, seat))
            for event in step.events:
                line = game.notation.line_of(event)
                if line is not None:
                    self.tell(self.told(f"line {len(self.events)}", line))
                if isinstance(event, Scored):
                    self.scored = event
            state = step.state
        return state

    def move(self, state: Any, seat: Seat) -> tuple[Seat, Any]:
        """Choose a move: closed draws until the reshuffles are done, then everybody goes."""
        others = [player.seat for player in state.in_play if player.seat != seat]
        roll = self.chance.random()
        moves = list(self.game.legal_moves(state, seat))
        if len(self.heads) <= self.reshuffles and len(others) > 2:
            if roll < 0.02:
                return others[0], Left(others[0])
            if roll < 0.1:
                return seat, TimedOut(seat)
        if len(self.heads) <= self.reshuffles:
            if Draw("closed") in moves:
                return seat, Draw("open" if Draw("open") in moves and roll > 0.9 else "closed")
            return seat, self.chance.choice([m for m in moves if not isinstance(m, Declare)])
        if Drop() in moves:
            return seat, Draw("closed") if roll < 0.2 else Drop()
        return seat, self.chance.choice(moves)

    def shoe(self, cards: tuple[Any, ...]) -> Shoe:
        """Order cards: reveals, entropy, the shoe, HEAD, DEAL and the transcript's next value."""
        epoch = len(self.heads)
        before = self.value
        numbers = tuple(self.pack.number_of(card) for card in cards)
        if epoch:
            numbers = tuple(self.told("D", numbers))
        dh = commitment.discards_hash(hand=self.hand, epoch=epoch, numbers=numbers)
        call = (
            commitment.again_call(hand=self.hand, epoch=epoch, before=before, discards=dh)
            if (epoch)
            else b""
        )
        for seat in self.committed:
            value: bytes | None = self.chain_of(seat)[epoch]
            if (seat, epoch) in self.absences:
                value = None
            self.x[seat].append(self.told(f"x{epoch} {seat}", value))
        reveals = [
            (seat, self.x[seat][epoch] if seat in self.committed else None) for seat in self.players
        ]
        made = (
            commitment.entropy_again(before, dh, reveals)
            if epoch
            else commitment.entropy(self.listing, reveals)
        )
        entropy = self.told(f"R{epoch}", made)
        shoe = deal(
            self.seed,
            hand=self.hand,
            listing=self.listing,
            entropy=entropy,
            epoch=epoch,
            numbers=numbers,
        )
        size = self.told(f"n{epoch}", len(numbers))
        root = self.told(f"root{epoch}", shoe.root)
        head = commitment.header(
            hand=self.hand, listing=self.listing, entropy=entropy, epoch=epoch, size=size, root=root
        )
        self.log(
            f"deal{epoch}",
            entries.log_deal(
                hand=self.hand,
                epoch=epoch,
                listing=self.listing,
                entropy=entropy,
                size=size,
                root=root,
            ),
        )
        self.heads.append(
            RecordHead(
                epoch=epoch,
                R=entropy,
                n=size,
                root=root,
                sig=SERVER.sign("head", head),
                discards=numbers if epoch else None,
                call_sig=SERVER.sign("call", call) if epoch else None,
                present=tuple(int(value is not None) for _, value in reveals),
                again_sigs=tuple(
                    self.signed_by(seat, "again", commitment.again(call, value))
                    if epoch and value is not None
                    else None
                    for seat, value in reveals
                ),
            )
        )
        self.tell(None, head)
        return shoe

    def tell(self, line: str | None, head: bytes = b"") -> None:
        """Append to the transcript."""
        k = len(self.events)
        if line is not None:
            value = transcript.extend(self.value, k, line)
        elif k == 0:
            value = transcript.begin(self.hand, head)
        else:
            value = transcript.reshuffled(self.value, k, head)
        self.value = self.told(f"T {k}", value)
        signature = SERVER.sign("event", transcript.digest_to_sign(self.hand, k, self.value))
        self.events.append(RecordEvent(k=k, line=line, T=self.value, sig=signature))
