// @ts-check
/** Batak: the auction, the duties of a trick, the points and what a match carries on. */
import { suitOf } from "../../cards.js";
import { SEATS, bestOf, higher, inSuit } from "../../tricks.js";

/** What a seat has called; 0 tricks is a pass. @typedef {{seat: number, tricks: number}} Call */
/** What the winner of the auction must take. @typedef {{seat: number, tricks: number, isForced: boolean}} Contract */
/** A match so far: totals by seat. @typedef {{played: number, totals: number[]}} Standing */

const LEAST = 5;
const MOST = 13;
const FORCED = 4;
export const DEALS = 8;

/** The highest bid, null if nobody has bid. @param {readonly Call[]} calls */
export const highest = (calls) => calls.findLast((call) => call.tricks > 0) ?? null;

/** What the next caller may bid. @param {readonly Call[]} calls @returns {number[]} */
export function mayBid(calls) {
  const least = (highest(calls)?.tricks ?? LEAST - 1) + 1;
  return Array.from({ length: Math.max(0, MOST + 1 - least) }, (_, i) => least + i);
}

/** Who calls next; null if the auction is over. @param {number} dealer @param {readonly Call[]} calls @param {boolean} isSingleRound @returns {number | null} */
export function findCaller(dealer, calls, isSingleRound) {
  const top = highest(calls);
  if (top?.tricks === MOST || (isSingleRound && calls.length === SEATS)) return null;
  const passed = new Set(calls.filter((call) => call.tricks === 0).map((call) => call.seat));
  const from = ((calls.at(-1)?.seat ?? dealer) + 1) % SEATS;
  const seats = Array.from({ length: SEATS }, (_, step) => (from + step) % SEATS);
  return seats.find((seat) => !passed.has(seat) && top?.seat !== seat) ?? null;
}

/** What was won, once nobody calls any more. @param {number} dealer @param {readonly Call[]} calls @returns {Contract} */
export function contractOf(dealer, calls) {
  const top = highest(calls);
  return top ? { ...top, isForced: false } : { seat: dealer, tricks: FORCED, isForced: true };
}

/**
 * Which cards may be played to a trick; never none.
 * @param {readonly string[]} holding @param {readonly string[]} trick the led card first @param {string} trump
 * @param {boolean} isBroken whether a trump was played in an earlier trick @param {boolean} mustBeatTrumpLed
 * @returns {string[]}
 */
export function legalCards(holding, trick, trump, isBroken, mustBeatTrumpLed) {
  const first = trick[0];
  const trumps = inSuit(holding, trump);
  if (first === undefined) return isBroken || trumps.length === holding.length ? [...holding] : holding.filter((card) => suitOf(card) !== trump);
  const [led, best] = [suitOf(first), /** @type {string} */ (trick[bestOf(trick, trump)])];
  const suited = inSuit(holding, led);
  if (suited.length) {
    const mustBeat = suitOf(best) === led && (led !== trump || mustBeatTrumpLed);
    return orAll(mustBeat ? higher(suited, best) : [], suited);
  }
  if (trumps.length) return orAll(suitOf(best) === trump ? higher(trumps, best) : [], trumps);
  return [...holding];
}

/** @param {string[]} beating @param {string[]} all */
const orAll = (beating, all) => (beating.length ? beating : all);

/** How many tricks each seat owes. @param {Contract} contract @returns {number[]} */
export const owedBy = ({ seat, tricks }) => Array.from({ length: SEATS }, (_, one) => (one === seat ? tricks : 1));

/** @param {number} owed @param {number} taken */
export const pointsOf = (owed, taken) => (taken >= owed ? 10 * owed + taken - owed : -10 * owed);

/** The seats with the highest total. @param {readonly number[]} totals @returns {number[]} */
export const winnersOf = (totals) => totals.flatMap((total, seat) => (total === Math.max(...totals) ? [seat] : []));

const TOTAL = "(?:0|-?[1-9][0-9]{0,3})";
const MEMO = new RegExp(`^deals=([1-7]) totals=(${TOTAL}(?:,${TOTAL}){3})$`);

/** @param {Standing} standing */
export const memoOf = ({ played, totals }) => (played % DEALS ? `deals=${played} totals=${totals.join(",")}` : "");

/** @param {string} memo @returns {Standing | null} null if it is no memo of Batak */
export function standingOf(memo) {
  if (memo === "") return { played: 0, totals: [0, 0, 0, 0] };
  const found = MEMO.exec(memo);
  return found ? { played: Number(found[1]), totals: String(found[2]).split(",").map(Number) } : null;
}
