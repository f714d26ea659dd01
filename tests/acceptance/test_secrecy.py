"""Whole hands through real sockets: no byte, row or line holds what is not yet to be known."""

import json
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import text

from server.database import Database, Transaction
from server.fairness.seal import Sealer
from server.fairness.signing import SigningKey
from server.games.rummy.options import PACKS
from server.secret_files import BOT_TOKEN_FILE
from server.web.documents.routes import encoded
from tests.acceptance.dumps import check_dump, guessed
from tests.acceptance.known import CardAt
from tests.acceptance.needles import Leak, Needles, demand_nothing_secret, faces_in
from tests.acceptance.poller import Answer
from tests.acceptance.receiver import Receiver
from tests.acceptance.served import serving
from tests.acceptance.stage import Stage, played
from tests.acceptance.truth import Truth, learn_truth
from tests.tap import socket_document, unlike_frame

PACK = PACKS[4]
SETTINGS = {
    "PAKKA_COMMIT_MS": "20000",
    "PAKKA_REVEAL_MS": "8000",
    "PAKKA_RESHUFFLE_MS": "6000",
    "PAKKA_RESULT_MS": "100",
    "PAKKA_PRACTICE_BOTS": "0",
    "PAKKA_LOG_LEVEL": "debug",
    "PAKKA_LOG_FORMAT": "json",
}

MUST_HAPPEN = {
    "auto_moved",
    "declared",
    "discarded",
    "drawn",
    "dropped",
    "hand.again_called",
    "hand.closed",
    "hand.reshuffled",
    "hand.voided",
    "shown",
    "wrong_declare",
}
"""Without these the play would have proved nothing."""


@dataclass(frozen=True, slots=True)
class Played:
    """What was recorded, and what was true."""

    stage: Stage
    truth: Truth
    needles: Needles
    ended_s: dict[int, float]
    released_s: dict[tuple[str, int, int], float]

    def receiver(self, name: str, seats: dict[str, int]) -> Receiver:
        """Make the strict reader of one receiver."""
        return Receiver(name, seats, pack=PACK, cards_of=self.cards_of, needles=self.needles)

    def cards_of(self, table: str, hand_no: int, attempt: int) -> CardAt:
        """Find the true cards of an attempt."""
        return lambda epoch, position: self.truth.card_at(table, hand_no, attempt, epoch, position)


async def _times(database: Database) -> tuple[dict[int, float], dict[tuple[str, int, int], float]]:
    """Read when hands ended and seeds became public, by the database's clock at the write."""

    async def work(tx: Transaction) -> tuple[dict[int, float], dict[tuple[str, int, int], float]]:
        rows = await tx.execute(
            text(
                """select h.hand_id, h.table_id, h.hand_no, j.fact->>'fact' as fact,
                          extract(epoch from j.at)::float as at_s
                     from tables.hand h join tables.journal j using (hand_id)
                    where j.fact->>'fact' in ('hand_closed', 'hand_cancelled', 'attempt_voided')
                    order by j.table_id, j.seq"""
            )
        )
        ended: dict[int, float] = {}
        released: dict[tuple[str, int, int], float] = {}
        voids: dict[int, int] = defaultdict(int)
        for row in rows:
            place = (str(row.table_id), row.hand_no)
            if row.fact == "attempt_voided":
                released[(*place, voids[row.hand_id])] = row.at_s
                voids[row.hand_id] += 1
                continue
            ended[row.hand_id] = row.at_s
            if row.fact == "hand_closed":
                for attempt in range(4):
                    released.setdefault((*place, attempt), row.at_s)
        return ended, released

    return await database.run(work)


@pytest.fixture(scope="module")
async def recorded(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Played]:
    """The whole play, recorded once for all tests here."""
    folder: Path = tmp_path_factory.mktemp("players")
    async with serving(SETTINGS) as served, played(served, folder) as stage:
        home = served.home
        stage.words.append((home / BOT_TOKEN_FILE).read_text().strip())
        assert stage.spectator is not None
        told = [heard.frame for heard in stage.spectator.tap.frames()]
        database = Database(served.database_url, pool_size=2)
        try:
            truth = await learn_truth(
                database,
                Sealer.from_file(home),
                SigningKey.from_file(home).public,
                PACK,
                told,
            )
            ended_s, released_s = await _times(database)
        finally:
            await database.close()
        yield Played(stage, truth, truth.needles(), ended_s, released_s)


def _seat_at(stage: Stage, name: str) -> dict[str, int]:
    return {
        table: number
        for table, seats in stage.tables.items()
        for number, seat in enumerate(seats)
        if seat.name == name
    }


async def test_every_frame_of_the_whole_play_is_in_the_document(recorded: Played) -> None:
    stage = recorded.stage
    assert stage.spectator is not None
    seats = [stage.spectator, *(seat for row in stage.tables.values() for seat in row)]
    texts = {heard.text for seat in seats for heard in seat.tap.frames()}
    assert len(texts) > 1_000
    assert [why for text in sorted(texts) if (why := unlike_frame(text))] == []


async def test_every_socket_is_told_only_what_is_due_to_it(recorded: Played) -> None:
    """Report 28 on real sockets: hidden cards were sent to every client."""
    happened = set()
    for seat in recorded.stage.seats:
        receiver = recorded.receiver(seat.name, _seat_at(recorded.stage, seat.name))
        frames = seat.tap.frames()
        for heard in frames:
            receiver.take(heard.frame, heard.text)
        for data in seat.tap.answers():
            assert faces_in(data.decode("utf-8", "replace")) == set()
            assert list(recorded.needles.find_anywhere(data)) == []
        assert len(frames) > 100, f"{seat.name} heard nearly nothing"
        happened |= receiver.seen
        assert receiver.due["S"] > 0, "the search finds no seed even where one is"
        assert receiver.due["salt"] >= 13 or seat is recorded.stage.spectator
    assert happened >= MUST_HAPPEN
    assert len(recorded.truth.shoes) >= 4


async def test_seats_came_back_in_mid_hand_with_and_without_a_place_to_resume(
    recorded: Played,
) -> None:
    back = [seat for seats in recorded.stage.tables.values() for seat in seats]
    counts = {seat.name: sum(seat.snapshots()) for seat in back}
    assert counts["four-2"] >= 1
    assert counts["six-4"] >= 1
    sockets = {seat.name: sum(one.is_socket for one in seat.tap.connections) for seat in back}
    for name in ("four-1", "four-2", "six-3", "six-4"):
        assert sockets[name] >= 2, f"{name} never lost its line"


def _judge(recorded: Played, answer: Answer) -> None:
    """An answer that was here before a hand's end knows none of its cards, nor its seeds."""
    parts = answer.path.split("/")
    hand = int(parts[4]) if parts[3:4] == ["hands"] else None
    body = answer.data.decode("utf-8", "replace")
    is_over = hand is not None and recorded.ended_s.get(hand, answer.at_s + 1) < answer.at_s
    if faces_in(body) and not is_over and not _is_document(answer):
        raise Leak(f"{answer.path} names {sorted(faces_in(body))}")
    for secret in recorded.needles.find_anywhere(answer.data):
        place = (secret.table, secret.hand_no, secret.attempt)
        if recorded.released_s.get(place, answer.at_s + 1) > answer.at_s:
            raise Leak(f"{answer.path} holds {secret}")


def _is_document(answer: Answer) -> bool:
    """Tell whether it is the socket's document, byte for byte as it is made without a table."""
    return answer.path == "/asyncapi.json" and answer.data.endswith(encoded(socket_document()))


async def test_no_http_answer_tells_of_a_hand_before_its_end(recorded: Played) -> None:
    poller = recorded.stage.poller
    assert poller is not None
    for answer in poller.answers:
        _judge(recorded, answer)
    good = {answer.path for answer in poller.answers if answer.status == 200}
    assert {"/api/v1/tables", "/api/v1/operator/players", "/api/v1/me/hands", "/metrics"} <= good
    assert any(answer.path.endswith("/record") for answer in poller.answers)


async def test_a_dump_in_mid_hand_holds_no_hidden_card(recorded: Played) -> None:
    spectator = recorded.receiver("spectator", {})
    assert recorded.stage.spectator is not None
    for heard in recorded.stage.spectator.tap.frames():
        spectator.take(heard.frame, heard.text)

    def public_at(table: str, hand_no: int, seq: int) -> frozenset[str]:
        known: frozenset[str] = frozenset()
        for at, of, cards in spectator.history[table]:
            if at <= seq and of == hand_no:
                known = cards
        return known

    in_play = [check_dump(dump, recorded.needles, public_at) for dump in recorded.stage.dumps]
    assert sum(rows > 40 for rows in in_play) >= 5, "no dump was in the middle of a hand"


async def test_no_stored_reply_gives_away_which_card_its_command_named(
    recorded: Played,
) -> None:
    refused = [row for row in recorded.stage.dumps[-1].of("tables.reply") if not row["ok"]]
    assert "stale_turn" in {row["code"] for row in refused}
    for row in refused:
        assert guessed(row, player_turns=(0,), hands=(1, 2), cards=PACK.cards) is None


async def test_no_log_names_a_card_a_seed_or_a_sign_in(recorded: Played) -> None:
    home = recorded.stage.served.home
    logs = [home / "serve.log", *home.glob("postgres.log*")]
    assert len(logs) >= 2
    for log in logs:
        said = log.read_text(encoding="utf-8", errors="surrogateescape")
        assert said, f"{log} says nothing"
        demand_nothing_secret(log.name, said, recorded.needles, recorded.stage.words)


async def test_every_line_of_the_log_is_json_and_tells_a_hand_by_its_table_and_numbers(
    recorded: Played,
) -> None:
    log = recorded.stage.served.log.read_text(encoding="utf-8")
    whole, _, _ = log.rpartition("\n")  # the server still writes: the last line may be half one
    lines = [json.loads(line) for line in whole.splitlines()]
    assert all(line.keys() >= {"event", "level", "logger", "timestamp"} for line in lines)
    about = [line for line in lines if "table" in line]
    assert all(line.keys() >= {"hand", "seq"} for line in about)
    ended = {line["hand"] for line in about if line["event"] in ("hand.closed", "hand.cancelled")}
    assert ended >= recorded.ended_s.keys(), (
        "hands go on while the log is read, and none is missing"
    )
    for table in recorded.stage.tables:
        numbers = [
            line["seq"] for line in about if (line["table"], line.get("fact")) == (table, "moved")
        ]
        assert len(numbers) > 10
        assert numbers == sorted(set(numbers))
