"""What holds for any deal and any choice of cards."""

from hypothesis import given, settings
from hypothesis import strategies as st

from server.cards.card import Card
from server.cards.game import DEALER, AnyGame, Carry, Deal, Scored, Seat, SeatInfo, SeatKind
from server.games.sevens import BADAM_SATTI, SEVENS
from server.games.sevens.lines import Lines, fitting, length_of, with_card
from server.games.sevens.moves import Pass, Play
from server.games.sevens.options import PACK

DEALS = st.permutations(PACK.cards)
CHOICES = st.lists(st.integers(0, 51), min_size=52, max_size=52)
TABLES = st.tuples(
    st.sampled_from([BADAM_SATTI, SEVENS]), st.integers(3, 7), st.integers(0, 6)
).filter(lambda table: table[2] < table[1])


@settings(derandomize=True, max_examples=120, deadline=None)
@given(DEALS, CHOICES, TABLES)
def test_never_a_full_round_of_passes_and_every_hand_ends_with_a_winner(
    order: list[Card], choices: list[int], table: tuple[AnyGame, int, int]
) -> None:
    game, size, dealer = table
    seats = tuple(SeatInfo(Seat(seat), SeatKind.HUMAN) for seat in range(size))
    state = game.start(game.options_type(seats=size), seats, Carry(Seat(dealer)))
    step = game.apply(state, DEALER, Deal(tuple(order)))
    laid: list[Card] = []
    passes, silent = [0] * size, 0
    while acting := game.to_act(step.state):
        (seat,) = acting
        moves = list(game.legal_moves(step.state, seat))
        move = moves[choices[len(laid)] % len(moves)]
        if isinstance(move, Pass):
            assert moves == [Pass()]
            silent, passes[seat] = silent + 1, passes[seat] + 1
            assert silent < size
        else:
            assert isinstance(move, Play)
            silent = 0
            laid.append(move.card)
        step = game.apply(step.state, seat, move)
    scored = step.events[-1]
    assert isinstance(scored, Scored)
    assert laid[0] == step.state.options.opener
    out = [player.seat for player in step.state.seats if not player.cards]
    assert out == [scored.winner]
    held = {card for player in step.state.seats for card in player.cards}
    assert len(laid) == len(set(laid)) == length_of(step.state.lines)
    assert held | set(laid) == set(PACK.cards)
    points = {int(seat): own for seat, own in scored.points}
    if step.state.options.has_chips:
        assert sum(points.values()) == 0
        assert points[out[0]] > 0
        assert all(points[seat] <= -2 - passes[seat] for seat in range(size) if seat != out[0])
    else:
        assert points[out[0]] == 0
        assert all(points[seat] > 0 for seat in range(size) if seat != out[0])


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 51), min_size=52, max_size=52))
def test_lines_take_every_card_once_and_there_is_always_a_next(choices: list[int]) -> None:
    lines: Lines = ()
    laid: set[Card] = set()
    for choice in choices:
        cards = sorted(fitting(lines))
        assert cards
        assert not laid & set(cards)
        card = cards[choice % len(cards)]
        lines = with_card(lines, card)
        laid.add(card)
    assert laid == set(PACK.cards)
    assert fitting(lines) == frozenset()
