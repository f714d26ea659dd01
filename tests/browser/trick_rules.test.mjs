/** The rules of Batak and Court Piece, asked what Python's were asked. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const games = new URL("../../server/web/static/games/", import.meta.url);
const batak = await import(new URL("batak/rules.js", games));
const court = await import(new URL("court_piece/rules.js", games));

const path = process.env.PAKKA_ANSWERS;
const rows = path ? JSON.parse(readFileSync(path, "utf8")) : {};
const skip = path ? false : "PAKKA_ANSWERS names no file: run tests/browser/test_node.py";

const told = (row) => JSON.stringify(row);

test("Batak: the duties of a trick", { skip }, () => {
  for (const row of rows.legal) assert.deepEqual(batak.legalCards(...row.slice(0, 5)), row[5], told(row));
});

test("Batak: who calls next, what may be bid, what was won", { skip }, () => {
  for (const row of rows.calls) {
    const [dealer, said, isSingle, next, may, won] = row;
    const calls = said.map(([seat, tricks]) => ({ seat, tricks }));
    assert.equal(batak.findCaller(dealer, calls, isSingle), next, told(row));
    if (may) assert.deepEqual(batak.mayBid(calls), may, told(row));
    else assert.deepEqual(Object.values(batak.contractOf(dealer, calls)), won, told(row));
  }
});

test("Batak: points of a hand, winners of a match", { skip }, () => {
  for (const [owed, taken, points] of rows.points) assert.equal(batak.pointsOf(owed, taken), points);
  for (const [totals, winners] of rows.winners) assert.deepEqual(batak.winnersOf(totals), winners, told(totals));
});

test("Court Piece: the first draw", { skip }, () => {
  for (const [toss, cards, chooser] of rows.draws) {
    assert.deepEqual(court.drawnCards(toss), cards, told(toss));
    assert.equal(court.chooserOf(cards), chooser, told(cards));
  }
});

const resultOf = (row) => row && { team: row[0], callers: row[1], court: row[2] };

test("Court Piece: who has won a hand, and how", { skip }, () => {
  for (const [callers, teams, result] of rows.results) assert.deepEqual(court.findResult(callers, teams), resultOf(result), told(teams));
});

test("Court Piece: runs, scores and the next dealer", { skip }, () => {
  for (const row of rows.streaks) {
    const [before, said, counting, dealer, memo, next, gain] = row;
    const fresh = { target: 100, played: 0, score: [0, 0], runTeam: 0, run: 0 };
    const result = resultOf(said);
    assert.equal(court.memoOf(court.standingAfter(before ? court.standingOf(before) : fresh, result, counting)), memo, told(row));
    assert.equal(court.nextDealer(dealer, result), next, told(row));
    assert.equal(court.gainOf(result, counting), gain, told(row));
  }
});

test("Court Piece: what a match is played to", { skip }, () => {
  for (const row of rows.targets) {
    const [options, kinds, played, target] = row;
    const bySeat = (values) => new Map(values.map((value, seat) => [seat, value]));
    assert.equal(court.targetOf({ options, seats: [0, 1, 2, 3], kinds: bySeat(kinds), played: bySeat(played) }), target, told(row));
  }
});
