// @ts-check
/** A free game's hand that is over, followed again from its record alone: how it ended by the rules. */
import { packOf } from "../cards.js";
import { toss } from "../fair/fairdeal.js";
import { readBrought } from "./brought.js";
import { Cheated, demand, found } from "./form.js";
import { PROGRAMS } from "./games.js";
import { followedOut } from "./replayed.js";

/** @typedef {import("../fair/record.js").HandRecord} HandRecord */
/** @typedef {import("../fair/evidence.js").Shoe} Shoe */
/** @typedef {import("./closing.js").Shown} Shown */
/** @typedef {import("./replayed.js").Ending} Ending */

const LIST = 17;
const RULES = 18;

/**
 * Lay out the end of a hand. The record's seed and lines are taken at their word, and judged by the rules.
 * @param {HandRecord} record of a free game @param {Shoe} shoe its pack as the seed makes it
 * @returns {Promise<{ending: Ending, hands: Shown[]} | {fails: number}>} or the check that fails
 */
export async function endOf(record, shoe) {
  try {
    return await ended(record, shoe);
  } catch (error) {
    if (error instanceof Cheated) return { fails: error.check };
    throw error;
  }
}

/** @param {HandRecord} record @param {Shoe} shoe */
async function ended(record, { order, prk }) {
  const { follow, end } = found(PROGRAMS.get(record.game), LIST, "a game that is not known here");
  const judge = found(end, LIST, "not a free game");
  const cards = packOf(Number(record.packs), Number(record.printed_jokers));
  const { memo, played } = found(readBrought(record.memo), LIST, "not what a hand is given");
  const kinds = new Map(record.seats.map((row) => [row.seat, row.kind]));
  const begun = { options: record.options, packSize: cards.length, seats: [...kinds.keys()], kinds, played, dealer: record.dealer, me: null, memo };
  const drawn = await toss(prk, record.dealer === null ? follow(begun).draws : []);
  const pack = order.map((number) => String(cards[number]));
  const lines = record.events.flatMap(({ line }) => (line === null ? [] : [line]));
  const { hands, ending } = followedOut(begun, pack, drawn, lines, /** @type {any} */ (follow), judge);
  const due = begun.seats.map((seat, i) => `${seat}: ${ending.points[i]}`).join();
  demand(record.result.map((row) => `${row.seat}: ${row.points}`).join() === due, RULES, `the points are ${due} by the rules`);
  demand(record.settlement.winner === ending.winner, RULES, "the result names another winner");
  demand(record.result.every(({ amount }) => amount === 0n), RULES, "tokens move at a free table");
  return { ending, hands: hands.map((hand, seat) => ({ seat, groups: [], loose: [...hand.holding], out: null })) };
}
