/** Rummy in JavaScript: the worked cases, and holdings and whole hands as Python answers them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const statics = new URL("../../server/web/static/", import.meta.url);
const { optionsOf } = await import(new URL("games/rummy/options.js", statics));
const { readLine } = await import(new URL("games/rummy/notation.js", statics));
const { DEALER, applied, draws, start, toAct, undealt } = await import(new URL("games/rummy/play.js", statics));
const { count, kindsOf, wildRankOf } = await import(new URL("games/rummy/scoring.js", statics));
const { IllegalMove, closedPileOf } = await import(new URL("games/rummy/state.js", statics));

const { cases } = JSON.parse(readFileSync(new URL("../cases/rummy.json", import.meta.url), "utf8"));
const asked = (type) => cases.filter((one) => one.type === type);
const path = process.env.PAKKA_ANSWERS;
const answers = path ? JSON.parse(readFileSync(path, "utf8")) : null;
const skip = path ? false : "PAKKA_ANSWERS names no file: run tests/browser/test_node.py";

for (const { id, cards, turned, expect } of asked("group")) {
  test(`${id}: a group is what the rules say`, () => {
    const kinds = kindsOf(cards, wildRankOf(turned));
    assert.deepEqual([...kinds].sort(), [...expect.kinds].sort());
    assert.equal(kinds.size > 0, expect.valid);
  });
}

for (const { id, hand, turned, expect } of asked("score")) {
  test(`${id}: a holding counts at its best arrangement`, () => {
    const counted = count(hand, wildRankOf(turned));
    assert.equal(counted.points, expect.points);
    assert.equal(counted.kind, expect.rung);
    assert.equal(counted.canDeclare, expect.declarable);
    assert.deepEqual([...counted.groups.flat(), ...counted.loose].sort(), [...hand].sort());
  });
}

for (const { id, hand14, finish, turned, expect } of asked("declare")) {
  test(`${id}: a declare is judged by its thirteen cards`, () => {
    const hand = [...hand14];
    hand.splice(hand.indexOf(finish), 1);
    assert.equal(count(hand, wildRankOf(turned)).canDeclare, expect.valid);
  });
}

test("what is no card is not counted", () => {
  for (const hand of [["1S"], [""], ["7H", "XX"], ["2S", "2S", "2S", "2S"]]) {
    assert.throws(() => count(hand, "3"), /not a card|no table has/);
  }
});

test("holdings are counted and laid out as Python does it", { skip }, () => {
  assert.ok(answers.holdings.length >= 400);
  for (const { cards, wild, some, kinds, ...wanted } of answers.holdings) {
    assert.deepEqual(count(cards, wild), wanted, cards.join(" "));
    assert.deepEqual([...kindsOf(some, wild)].sort(), kinds, some.join(" "));
  }
});

function played(state, move) {
  if (typeof move === "object") return applied(state, DEALER, { name: "deal", ...move });
  const { seat, move: read } = readLine(move);
  return applied(state, seat, read);
}

function refusalOf(state, move) {
  try {
    played(state, move);
    return null;
  } catch (error) {
    assert.ok(error instanceof IllegalMove, `${move}: ${error}`);
    return error.code;
  }
}

test("whole hands are played move by move as Python plays them", { skip }, () => {
  let lines = 0;
  for (const { options, seats, dealer, steps } of answers.hands) {
    let state = start(optionsOf(options), seats, dealer);
    for (const step of steps) {
      if (step.refused.length) assert.equal(refusalOf(state, step.refused[0]), step.refused[1], step.refused[0]);
      if (typeof step.move === "object") {
        assert.deepEqual([...undealt(state)].sort(), [...step.move.order].sort());
        assert.equal(draws(state).length, step.move.draws.length);
      }
      const made = played(state, step.move);
      state = made.state;
      lines += made.lines.length;
      assert.deepEqual(made.lines, step.lines);
      assert.equal(toAct(state), step.acting);
      assert.deepEqual(state.openPile, step.open);
      assert.deepEqual(closedPileOf(state), step.closed);
      assert.deepEqual(state.seats.map((player) => player.cards), step.holdings);
      assert.deepEqual(state.seats.map((player) => player.points), step.points);
      assert.equal(made.scored?.winner ?? null, step.winner);
    }
  }
  assert.ok(lines > 1000);
});

test("a line is read exactly, or not at all", () => {
  for (const line of ["", "2", "2 draw", "8 drop", "2 drop ", " 2 drop", "2 drop\n", "2 discard 1H", "2 discard 7H#0",
    "auto 2 draw open 7H", "2 declare 7H", "2 declare @9.1", "2 declare @0.01", "2 draw closed @0.1000"]) {
    assert.equal(readLine(line), null, JSON.stringify(line));
  }
});

test("options outside their ranges are refused by name", () => {
  for (const [name, value] of [["seats", 5], ["seats", true], ["rate", 9_999], ["rate", 10n ** 18n],
    ["commission_bps", 2_001], ["min_players", 7], ["practice", 0], ["reshuffle_cap", 9], ["toString", 1]]) {
    assert.throws(() => optionsOf({ [name]: value }), new RegExp(`^Error: ${name}: `));
  }
});
