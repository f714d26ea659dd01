/** The free games' hands, followed line by line as Python follows them, lies and ends included. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const client = new URL("../../server/web/static/client/", import.meta.url);
const { readBrought } = await import(new URL("brought.js", client));
const { Cheated } = await import(new URL("form.js", client));
const { PROGRAMS, dealerOf } = await import(new URL("games.js", client));

const path = process.env.PAKKA_ANSWERS;
const hands = path ? JSON.parse(readFileSync(path, "utf8")) : [];
const skip = path ? false : "PAKKA_ANSWERS names no file: run tests/browser/test_node.py";

/** What a seat may do, in Python's words. */
const playText = ({ move, card, value, house, cards }) =>
  [move, ...(move === "build" ? [value] : move === "raise" ? [house] : []), card, ...(cards.length ? [cards.join(",")] : [])].join(" ");
const LEGAL = {
  seep: (hand) => (hand.bid ? hand.plays.map(playText).sort() : hand.bids),
  court_piece: (hand) => (hand.trump ? [...hand.playable].sort() : [hand.hasPassed ? "trump" : "trump or pass"]),
  batak: (hand) => (hand.trump ? [...hand.playable].sort() : [hand.isNaming, ...hand.mayBid]),
  badam_satti: (hand) => [...hand.playable].sort(),
  sevens: (hand) => [...hand.playable].sort(),
};

const begunOf = ({ options, seats, kinds, dealer, memo }, me) => ({
  options, seats, dealer, me, memo, packSize: 52, kinds: new Map(seats.map((seat, i) => [seat, kinds[i]])), played: new Map(),
});

const followerOf = (hand, me) => PROGRAMS.get(hand.game).follow(begunOf(hand, me));

const written = (gifts) => gifts.map((gift) => [gift.seat, gift.place]);

function heard(follower, step) {
  if (step.toss) return written(follower.deal(step.toss));
  if (step.line !== undefined) return written(follower.line(step.line));
  const [seat, place, card] = step.seen;
  return follower.seen({ seat, place }, card);
}

/** The number of the check that refuses a line, null if none does. */
function caught(follower, line) {
  try {
    follower.line(line);
    return null;
  } catch (error) {
    assert.ok(error instanceof Cheated, `${line}: ${error.stack}`);
    return error.check;
  }
}

test("every follower hears what Python's hears, and answers the same", { skip }, () => {
  let lines = 0;
  for (const hand of hands) {
    for (const { me, steps } of hand.followers) {
      const follower = followerOf(hand, me);
      for (const step of steps) {
        const said = `${hand.game}, seat ${me}: ${JSON.stringify(step.line ?? step.seen ?? step.toss)}`;
        const gifts = heard(follower, step);
        if (step.gifts) assert.deepEqual(gifts, step.gifts, said);
        if (step.line !== undefined) lines += 1;
        assert.deepEqual(follower.holding, step.holding, said);
        assert.deepEqual(hand.seats.map((seat) => follower.mayAct(seat)), step.may_act, said);
        if (step.acting !== null) assert.equal(follower.acting, step.acting, said);
        if (step.legal) assert.deepEqual(LEGAL[hand.game](follower), step.legal, said);
      }
    }
  }
  assert.ok(lines > 2000);
});

test("a lie is caught by the check that catches it in Python, or by none", { skip }, () => {
  const checks = new Map();
  for (const hand of hands) {
    for (const { me, steps } of hand.followers) {
      steps.forEach((step, at) => {
        for (const [lie, check] of step.lies ?? []) {
          const follower = followerOf(hand, me);
          for (const before of steps.slice(0, at)) heard(follower, before);
          assert.equal(caught(follower, lie), check, `${hand.game}, seat ${me}, for ${step.line}: ${lie}`);
          checks.set(check, (checks.get(check) ?? 0) + 1);
        }
      });
    }
  }
  assert.deepEqual([...checks.keys()].sort(), [13, 18, null]);
});

const matchOf = ({ end }) => ({ number: 1, isOver: end.champions.length > 0, winners: [...end.champions] });

/** What is known at the close of a hand that was seen from a seat. */
function closeOf(hand, me = 0) {
  const follower = followerOf(hand, me);
  const rows = hand.end.points.map((points, seat) => ({ seat, points, amount: 0n }));
  return {
    over: { packs: [hand.pack], rows, winner: hand.end.winner, hands: [], match: matchOf(hand) },
    deal: { play: follower, toss: hand.toss, transcript: { lines: [null, ...hand.lines] } },
  };
}

test("a hand's end is what the rules make of its pack and its lines", { skip }, async () => {
  for (const hand of hands) {
    const { over, deal } = closeOf(hand);
    const program = PROGRAMS.get(hand.game);
    assert.deepEqual(await program.close(over, deal), hand.end.carry, hand.game);
    assert.deepEqual(over.ending.champions, hand.end.champions);
    assert.equal(over.hands.length, hand.seats.length);
  }
});

test("another end than that of the rules is refused", { skip }, async () => {
  const refused = async (hand, change, checks = [18]) => {
    const close = closeOf(hand);
    change(close);
    await assert.rejects(PROGRAMS.get(hand.game).close(close.over, close.deal), (error) => error instanceof Cheated && checks.includes(error.check));
  };
  for (const hand of hands) {
    await refused(hand, ({ over }) => { over.rows[1].points += 1; });
    await refused(hand, ({ over }) => { over.rows[0].amount = 1n; });
    await refused(hand, ({ over }) => { over.winner = over.winner === 2 ? 1 : 2; });
    await refused(hand, ({ over }) => { over.match.isOver = !over.match.isOver; });
    await refused(hand, ({ over }) => { over.match.winners = [3]; });
    await refused(hand, ({ over }) => { over.rows.pop(); });
    if (!hand.lines.length) continue; // a redeal: nothing was said of these cards
    await refused(hand, ({ over }) => { over.packs = [[...hand.pack].reverse()]; }, [13, 18]);
    await refused(hand, ({ deal }) => { deal.transcript.lines.pop(); });
  }
});

test("who leaves twice is caught, who is back may leave again", { skip }, () => {
  for (const hand of hands) {
    const follower = followerOf(hand, null);
    heard(follower, hand.followers[0].steps[0]);
    for (const line of ["1 leave", "1 back", "1 leave"]) assert.equal(caught(follower, line), null, `${hand.game}: ${line}`);
    assert.equal(caught(follower, "1 leave"), 18, hand.game);
  }
});

test("a memo of another match, and a table that is not full, are refused", { skip }, () => {
  for (const hand of hands) {
    for (const memo of ["x", "9:1", "#0:1 ", "1:0,0,0,0,0,0,0,0"]) {
      assert.throws(() => followerOf({ ...hand, memo }, null), (error) => error.check === 17, `${hand.game}: ${memo}`);
    }
    const few = hand.seats.slice(1);
    assert.throws(() => followerOf({ ...hand, seats: few, memo: "" }, null).deal(hand.toss), (error) => error.check === 17);
    assert.throws(() => followerOf(hand, null).deal([...hand.toss, 0, 0, 0, 0, 0]), (error) => error.check === 17);
  }
});

test("what a hand is given besides its list is read exactly", () => {
  const read = (line) => {
    const found = readBrought(line);
    return found && [found.memo, [...found.played]];
  };
  assert.deepEqual(read(""), ["", []]);
  assert.deepEqual(read("3:1,2"), ["3:1,2", []]);
  assert.deepEqual(read("#0:3,2:1 lead=4 deals=2"), ["lead=4 deals=2", [[0, 3], [2, 1]]]);
  assert.deepEqual(read("#1:2 "), ["", [[1, 2]]]);
  for (const line of ["#", "# x", "#0:0 x", "#2:1,0:3 x", "#0:1,0:1 x", "#0:1 #0:1 x", "#0:1"]) assert.equal(read(line), null, line);
});

test("the next dealer is the named seat, or the next one that is listed", () => {
  assert.equal(dealerOf({ dealer: null, memo: "" }, [0, 1]), null);
  assert.equal(dealerOf({ dealer: 2, memo: "" }, [0, 1, 3]), 3);
  assert.equal(dealerOf({ dealer: 3, memo: "" }, [0, 1]), 0);
});
