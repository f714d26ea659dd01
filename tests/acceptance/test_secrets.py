"""After a run with everything in it, no secret is in a log, in the metrics or in a refusal."""

import json
from dataclasses import dataclass, field

import httpx
import pyotp
import pytest
from sqlalchemy import select

from server.database import Database, Transaction, now_ms
from server.fairness.models import SealedSeed
from server.fairness.seal import Sealer
from server.identity import two_step
from server.identity.operators import Role, create_operator
from server.identity.two_step import SecretBox
from server.secret_files import secret_names
from tests.acceptance.guests import PATIENT, play_dropped_hand
from tests.acceptance.needles import Needles, Secret
from tests.acceptance.served import Served, open_new_table, serving

API = "/api/v1"
PASSWORD = "eleven-purple-monkeys"
WRONG = "twelve-orange-donkeys"
SETTINGS = {
    **PATIENT,
    "PAKKA_LOG_LEVEL": "debug",
    "PAKKA_LOG_FORMAT": "json",
    "PAKKA_PRACTICE_BOTS": "1",
    "PAKKA_SEAL_MS": "200",
}
NEXT_S = 30


@dataclass
class Run:
    """What was secret in a run, and everything that was written or answered without a welcome."""

    texts: dict[str, str] = field(default_factory=dict)
    bytes_: dict[bytes, Secret] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    refusals: int = 0

    def hide(self, what: str, text: str) -> str:
        """Remember that a text is secret."""
        assert len(text) >= 6
        self.texts[what] = text
        return text

    def read(self, answer: httpx.Response) -> httpx.Response:
        """Keep what a refusal says, its headers too."""
        if answer.status_code >= 400:
            self.refusals += 1
            body = f"{answer.headers}\n{answer.text}"
            self.written[f"refusal {self.refusals} of {answer.url.path}"] = body
        return answer


@pytest.fixture(scope="module")
async def run() -> Run:
    """Sign in by every way, wrongly too, play a hand, rest; then collect what was written."""
    run = Run()
    async with serving(SETTINGS) as served:
        table = str(await open_new_table(served, "Searched", seats=4, rate=10_000, min_players=4))
        for number, token in enumerate(await play_dropped_hand(served.url, table)):
            run.hide(f"token of guest {number}", token)
        async with httpx.AsyncClient(base_url=served.url, timeout=30, trust_env=False) as http:
            await _players(http, run)
            await _operators(http, served, run)
            await _mistakes(http, run)
            metrics = (await http.get("/metrics")).text
        await _seeds(served, run)
    run.written["/metrics"] = metrics
    return run


async def _players(http: httpx.AsyncClient, run: Run) -> None:
    account = {"name": "Secretive", "password": run.hide("password", PASSWORD)}
    made = await http.post(f"{API}/accounts", json=account)
    assert made.status_code == 201
    run.hide("token of an account", made.json()["token"])
    own = {"Origin": str(http.base_url).rstrip("/")}
    asked = {**account, "session": "cookie"}
    answer = await http.post(f"{API}/sessions", json=asked, headers=own)
    run.hide("cookie of a player", answer.cookies["pakka_session"])
    wrong = {**account, "password": run.hide("a wrong password", WRONG)}
    assert run.read(await http.post(f"{API}/sessions", json=wrong)).status_code == 401
    key = run.hide("a key of idempotency", "an-idempotency-key-of-chance-7341")
    for body in (account, wrong):
        run.read(await http.post(f"{API}/accounts", json=body, headers={"Idempotency-Key": key}))


async def _operators(http: httpx.AsyncClient, served: Served, run: Run) -> None:
    async def enrol(tx: Transaction) -> tuple[str, str]:
        operator, link = await create_operator(tx, name="Meera", role=Role.ADMIN)
        app, now_s = pyotp.TOTP(two_step.new_secret()), await now_ms(tx) // 1_000
        run.hide("a TOTP secret", app.secret)
        box = SecretBox.of(Sealer.from_file(served.home))
        codes = await two_step.enrol(
            tx, operator, app.secret, app.at(now_s), box=box, actor="cli:test"
        )
        for number, one in enumerate(codes):
            run.hide(f"recovery code {number}", one)
        return run.hide("a link", link), app.at(now_s + NEXT_S)

    database = Database(served.database_url, pool_size=1)
    try:
        link, code = await database.run(enrol)
    finally:
        await database.close()
    asked = {"link": link, "session": "cookie"}
    own = {"Origin": str(http.base_url).rstrip("/")}
    for more in ({}, {"code": run.texts["recovery code 0"] + "x"}, {"code": "x" * 99}):
        run.read(await http.post(f"{API}/operator/session", json={**asked, **more}, headers=own))
    answer = await http.post(f"{API}/operator/session", json={**asked, "code": code}, headers=own)
    assert answer.status_code == 201, answer.text
    run.hide("cookie of an operator", answer.cookies["pakka_operator"])
    run.read(await http.post(f"{API}/operator/session", json=asked, headers=own))
    assert (await http.get(f"{API}/operator/live")).status_code == 200
    run.hide("the bots' token", (served.home / "bot.token").read_text().strip())


async def _mistakes(http: httpx.AsyncClient, run: Run) -> None:
    """Send secrets where they don't belong, as a broken client would."""
    http.cookies.clear()
    for token in run.texts.values():
        by = {"Authorization": f"Bearer {token}"}
        run.read(await http.get(f"{API}/operator/me", headers=by))
        run.read(await http.get(f"{API}/me?token={token}"))
        run.read(await http.post(f"{API}/guests", json={"name": "Anu", "password": token}))
        run.read(await http.post(f"{API}/guests", json={"name": [token]}))
        run.read(await http.post(f"{API}/sessions", content=json.dumps(token)[:-1]))
        run.read(await http.get(f"{API}/tables?limit={token}"))


async def _seeds(served: Served, run: Run) -> None:
    """Collect the seeds, public ones too, and what lies in the house's folder; then the logs."""
    sealer = Sealer.from_file(served.home)

    async def work(tx: Transaction) -> None:
        for one in (await tx.execute(select(SealedSeed.__table__))).mappings():
            place = {name: one[name] for name in ("table_id", "hand_no", "attempt")}
            seed = sealer.unseal(one["sealed"], **place)
            run.bytes_[seed.expose()] = Secret("S", str(one["table_id"]), one["hand_no"], 0)

    database = Database(served.database_url, pool_size=1)
    try:
        await database.run(work)
    finally:
        await database.close()
    for name in secret_names(served.home):
        if name.endswith(".key"):
            run.bytes_[(served.home / name).read_bytes()] = Secret("key", name, 0, 0)
    for path in served.home.glob("postgres*.password"):
        run.hide(path.name, path.read_text().strip())
    for path in sorted(served.home.glob("*.log")):
        run.written[path.name] = path.read_text(errors="replace")


def test_the_run_had_every_secret_and_wrote_everything(run: Run) -> None:
    kinds = [secret.kind for secret in run.bytes_.values()]
    assert kinds.count("key") == 3
    assert kinds.count("S") >= 1
    assert {"postgres.password", "postgres.application.password"} < set(run.texts)
    assert {"serve.log", "postgres.log", "/metrics"} < set(run.written)
    assert run.refusals > 50
    assert '"event": "request"' in run.written["serve.log"]


def test_no_secret_is_in_a_log_in_the_metrics_or_in_a_refusal(run: Run) -> None:
    needles = Needles(run.bytes_)
    for where, text in run.written.items():
        found = [what for what, secret in run.texts.items() if secret in text]
        assert found == [], where
        assert list(needles.find(text)) == [], where


def test_the_search_finds_a_secret_in_every_form(run: Run) -> None:
    needles = Needles(run.bytes_)
    for value in run.bytes_:
        assert list(needles.find(f"key={value.hex()}"))
    assert any(secret in f"x{run.texts['password']}x" for secret in run.texts.values())
