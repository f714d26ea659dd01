"""What the server alone knows: every seed, and all that is derived from it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import text

from server.cards.pack import Pack
from server.database import Database, TableId, Transaction
from server.fairness.commitment import deck_spec, hand_hash, server_commit
from server.fairness.encoding import mac
from server.fairness.seal import Sealer
from server.fairness.service import seed_of
from server.fairness.shoe import Shoe, deal
from server.fairness.shuffle import prk_of
from tests.acceptance.needles import Needles, Secret

Frame = dict[str, Any]
Attempt = tuple[str, int, int]
"""A table, the number of a hand, an attempt at it."""

KEYS = ("deck-key", "salt-key", "toss-key")


@dataclass(slots=True)
class Truth:
    """Seeds by attempt, shoes by attempt in the order of their epochs."""

    pack: Pack
    server_pub: bytes
    seeds: dict[Attempt, bytes]
    shoes: dict[Attempt, list[Shoe]] = field(default_factory=dict)
    _lists: dict[Attempt, bytes] = field(default_factory=dict)
    _numbers: dict[str, list[int]] = field(default_factory=dict)

    def hear(self, frame: Frame) -> None:
        """Derive the pack of a deal or of a reshuffle from what a spectator is told of it."""
        d, table = frame.get("d"), str(frame.get("table"))
        if frame["t"] != "event" or d is None:
            return
        if d["e"] == "hand.listed":
            self._lists[table, d["hand"], d["attempt"]] = bytes.fromhex(d["L"])
        elif d["e"] == "hand.again_called":
            self._numbers[table] = d["numbers"]
        elif d["e"] == "hand.dealt":
            self._derive((table, d["hand"], d["attempt"]), d, 0, list(range(self.pack.size)))
        elif d["e"] == "hand.reshuffled":
            attempt = max(key for key in self.shoes if key[:2] == (table, d["hand"]))
            self._derive(attempt, d, d["epoch"], self._numbers[table])

    def _derive(self, key: Attempt, d: Frame, epoch: int, numbers: list[int]) -> None:
        shoe = deal(
            self.seeds[key],
            hand=self.hand(key),
            listing=self._lists[key],
            entropy=bytes.fromhex(d["R"]),
            epoch=epoch,
            numbers=numbers,
        )
        assert shoe.root.hex() == d["root"], "this is not the pack that was dealt"
        shoes = self.shoes.setdefault(key, [])
        assert len(shoes) == epoch
        shoes.append(shoe)

    def hand(self, key: Attempt) -> bytes:
        """Derive the hash that names an attempt."""
        table, hand_no, attempt = key
        return hand_hash(
            server_pub=self.server_pub,
            table=UUID(table).bytes,
            hand_no=hand_no,
            attempt=attempt,
            spec=deck_spec(self.pack.packs, self.pack.printed_jokers),
        )

    def card_at(self, table: str, hand_no: int, attempt: int, epoch: int, position: int) -> str:
        """Tell which card truly lies at a place."""
        return self.pack.card_of(self.shoes[table, hand_no, attempt][epoch].order[position])

    def needles(self) -> Needles:
        """Gather all that must not be found before its time."""
        return Needles(self.secrets())

    def secrets(self) -> dict[bytes, Secret]:
        """List the values that must not be found, and why each is secret."""
        secrets = {seed: Secret("S", *key) for key, seed in self.seeds.items()}
        for key, shoes in self.shoes.items():
            for shoe in shoes:
                prk = prk_of(
                    self.seeds[key], hand=shoe.hand, epoch=shoe.epoch, entropy=shoe.entropy
                )
                made = [prk, *(mac(prk, name) for name in KEYS)]
                secrets |= {value: Secret("key", *key, shoe.epoch) for value in made}
                secrets |= {
                    salt: Secret("salt", *key, shoe.epoch, position)
                    for position, salt in enumerate(shoe._salts)
                }
        return secrets


async def seeds_of(database: Database, sealer: Sealer) -> dict[Attempt, bytes]:
    """Unseal every seed that the house has."""

    async def work(tx: Transaction) -> dict[Attempt, bytes]:
        rows = await tx.execute(text("select table_id, hand_no, attempt from fairness.seed"))
        return {
            (str(row.table_id), row.hand_no, row.attempt): (
                await seed_of(tx, sealer, TableId(row.table_id), row.hand_no, row.attempt)
            ).expose()
            for row in rows.all()
        }

    return await database.run(work)


async def learn_truth(
    database: Database, sealer: Sealer, server_pub: bytes, pack: Pack, told: Iterable[Frame]
) -> Truth:
    """Unseal every seed that the house has, and derive what a spectator's frames let derive."""
    truth = Truth(pack, server_pub, await seeds_of(database, sealer))
    for frame in told:
        truth.hear(frame)
    for key in truth.shoes:
        commit = server_commit(truth.hand(key), truth.seeds[key])
        assert any(commit.hex() in str(frame) for frame in told), "another seed was committed to"
    return truth
