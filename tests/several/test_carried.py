"""What a command is when it arrives is what it was when it left."""

import random
import uuid

import pytest

from server.cards.game import Seat, SeatKind
from server.database import HandId, PlayerId, TableId
from server.games import GAMES
from server.tables import commands
from server.tables.carried import decode_reply, decode_request, encode_reply, encode_request
from server.tables.commands import Command, Play, Presence, Reply, Request
from tests.games.match import random_hand

TABLE = TableId(uuid.UUID(int=7))
COMMANDS: list[Command] = [
    commands.Sit(None, "अनु", SeatKind.HUMAN),
    commands.Sit(Seat(3), "a bot", SeatKind.BOT),
    commands.Leave(),
    commands.SitOut(),
    commands.Back(),
    commands.Commit(4, 1, bytes(range(32)), b"\xff" * 32, bytes(64)),
    commands.Commit(4, 0, None),
    commands.Reveal(4, 1, b"\x00" * 32, None),
    commands.RevealAgain(4, 2, b"\x01" * 32, b"\x02" * 64),
    commands.CloseTable(drain=True),
    commands.VoidHand(HandId(9), "asha", "a complaint: «why»"),
]


def carried(command: Command, game: str = "rummy") -> Request:
    request = Request(PlayerId(12), "c1", b"\x00\xff" * 16, command, (b"\x01" * 32,))
    table, read = decode_request(encode_request(TABLE, request), lambda _: GAMES[game])
    assert table == TABLE
    assert (read.player, read.id, read.digests) == (12, "c1", request.digests)
    return read


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: type(one).__name__)
def test_a_command_arrives_as_it_left(command: Command) -> None:
    read = carried(command).command
    assert read == command
    assert type(read) is type(command)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_move_of_a_game_arrives_as_it_left(game: str) -> None:
    hand = random_hand(game, random.Random(f"carried {game}"))
    moves = [step.move for step in hand.steps if type(step.move) in GAMES[game].move_types]
    assert len(moves) > 3
    for move in moves:
        read = carried(Play(3, 17, move), game).command
        assert read == Play(3, 17, move)
        assert isinstance(read, Play)
        assert type(read.move) is type(move)
        assert hash(read.move) == hash(move)


@pytest.mark.parametrize("reply", [Reply(True, 7), Reply(False, 0, "not_your_turn", "no", "turn")])
def test_an_answer_arrives_as_it_left(reply: Reply) -> None:
    assert decode_reply(encode_reply(reply)) == reply


def test_what_nobody_waits_for_is_not_carried() -> None:
    with pytest.raises(AssertionError):
        encode_request(TABLE, Request(PlayerId(1), "", b"", commands.Leave()))
    with pytest.raises(AssertionError):
        encode_request(TABLE, Request(PlayerId(1), "c1", b"", Presence(True)))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[1]",
        encode_request(TABLE, Request(PlayerId(1), "c1", b"x", commands.Leave())).replace(
            b'"Leave"', b'"Enter"'
        ),
        encode_request(TABLE, Request(PlayerId(1), "c1", b"x", commands.Leave())).replace(
            b'"command":{}', b'"command":{"now":1}'
        ),
        encode_request(TABLE, Request(PlayerId(1), "c1", b"x", commands.Leave())).replace(
            b'"id"', b'"of"'
        ),
    ],
)
def test_what_another_version_says_is_refused_whole(body: bytes) -> None:
    with pytest.raises((ValueError, LookupError, TypeError)):
        decode_request(body, lambda _: GAMES["rummy"])
