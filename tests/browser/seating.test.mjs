/** Who sits at a table, as events say: an owner who is back sits out no more, one who asked to stays out. */
import assert from "node:assert/strict";
import test from "node:test";

const client = new URL("../../server/web/static/client/", import.meta.url);
const { Seating } = await import(new URL("seating.js", client));
const { TableWatch } = await import(new URL("table.js", client));
const { Vault } = await import(new URL("vault.js", client));

const kept = new Map();
const store = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };

const player = (name, kind = "human") => ({ name, kind, pseudonym: "ab".repeat(16) });
const substitute = { ...player("Substitute", "bot"), why: "absent" };
const seats = [{ seat: 0, ...player("me"), away: false, sits_out: null, leaving: false, substitute: null }, null];

function seated() {
  const seating = new Seating();
  seating.reset({ seats, you: 0 });
  return seating;
}

test("an owner who is back sits out no more, and leaves no more", () => {
  const seating = seated();
  seating.take({ e: "seat.sits_out", seat: 0, away: false, sits_out: "no_commit", why: "no_commit" });
  seating.take({ e: "seat.gone", seat: 0 });
  seating.take({ e: "seat.substituted", seat: 0, player: player("me"), substitute });
  assert.equal(seating.myAbsence, "no_commit");
  assert.equal(seating.replaced, "absent");
  seating.take({ e: "seat.returned", seat: 0, player: player("me"), substitute: null });
  assert.equal(seating.myAbsence, null);
  assert.equal(seating.isPilot, true);
  assert.equal(seating.bySeat.get(0).leaving, false);
});

test("who was not there says at once that it is back; who asked to sit out or got up does not", async () => {
  const back = [{ t: "table.back", table: "t" }];
  for (const [why, by, due] of [["asked", "absent", []], ["no_commit", "absent", back], ["no_commit", "left", []]]) {
    const watch = new TableWatch("t", null, new Vault(store, "me"));
    watch.needsSnapshot = false;
    watch.seating.reset({ seats, you: 0 });
    watch.seating.take({ e: "seat.sits_out", seat: 0, away: false, sits_out: why, why });
    watch.seating.take({ e: "seat.substituted", seat: 0, player: player("me"), substitute: { ...substitute, why: by } });
    assert.deepEqual(await watch.due(), due, `${why}, ${by}`);
  }
});

test("a match may be given up only when every person has left it; the next hand is a match's first", async () => {
  const watch = new TableWatch("t", null, new Vault(store, "me"));
  watch.needsSnapshot = false;
  watch.seating.reset({ seats: [...seats, { ...seats[0], seat: 2, ...player("bot", "bot") }], you: null });
  watch.hand.carry = { dealer: 2, memo: "1:0,5,9" };
  const event = (seq, d) => ({ t: "event", seq, stream: 0, d });
  const left = { e: "seat.substituted", seat: 0, player: player("me"), substitute: { ...substitute, why: "left" } };
  await assert.rejects(watch.take(event(1, { e: "match.abandoned", number: 1 })), /somebody plays/);
  await watch.take(event(2, left));
  await watch.take(event(3, { e: "match.abandoned", number: 1 }));
  assert.deepEqual(watch.hand.carry, { dealer: null, memo: "" });
});

test("a match that has ended unheard was given up", () => {
  const { hand } = new TableWatch("t", null, new Vault(store, "me"));
  hand.carry = { dealer: 2, memo: "1:0,5,9" };
  hand.isInMatch = true;
  hand.betweenMatches();
  assert.deepEqual(hand.carry, { dealer: null, memo: "" });
  hand.carry = { dealer: 1, memo: "" };
  hand.betweenMatches();
  assert.deepEqual(hand.carry, { dealer: 1, memo: "" }, "one that was played to its end brings its dealer");
});
