// @ts-check
/** Everything needed to go on with a hand of rummy; a state is never changed, only replaced. */
import { wildRankOf } from "./scoring.js";

/** @typedef {readonly [epoch: number, position: number]} Place where a shuffle put a card */
/** @typedef {"drop" | "miss" | "left" | "wrong_declare"} WhyOut */
/**
 * One listed seat.
 * @typedef {object} SeatState
 * @property {number} seat
 * @property {readonly string[]} cards its holding in the order received, empty once it is out
 * @property {boolean} hasDrawn
 * @property {number} misses turns in a row that the clock finished
 * @property {WhyOut | null} out
 * @property {number} points
 * @property {readonly string[]} laidDown the cards of a seat that is out
 * @property {Place | null} finish
 */
/** @typedef {{card: string, source: "closed" | "open"}} Drawn */
/**
 * A hand; `ended` without `scored` is a void one.
 * @typedef {object} State
 * @property {import("./options.js").Options} options
 * @property {readonly SeatState[]} seats ascending
 * @property {number | null} first
 * @property {number | null} acting null before the deal and at the end
 * @property {Drawn | null} drawn the card that the acting seat drew in this turn
 * @property {{auto: boolean} | null} pending a closed draw that waits for a reshuffle
 * @property {readonly (readonly string[])[]} orders one order of cards for each shuffle
 * @property {number} nextPosition the top of the closed pile in the last of them
 * @property {string | null} turned
 * @property {readonly string[]} openPile bottom to top
 * @property {boolean} hasDiscards whether anybody has discarded yet
 * @property {Scored | null} scored
 * @property {boolean} ended
 */
/** @typedef {{points: readonly (readonly [number, number])[], winner: number}} Scored */
/** @typedef {{state: State, lines: readonly string[], scored?: Scored}} Step */

/** A move that the rules refuse. */
export class IllegalMove extends Error {
  /** @param {string} code @param {string} text */
  constructor(code, text) {
    super(`${code}: ${text}`);
    this.code = code;
  }
}

/** @param {unknown} condition */
export function insist(condition) {
  if (!condition) throw Object.assign(new Error("a rule was broken"), { name: "AssertionError" });
}

/** @param {State} state @returns {string | null} */
export const wildRankIn = (state) => (state.turned === null ? null : wildRankOf(state.turned));

/** The number of the last shuffle, 0 for the deal's. @param {State} state */
export const epochOf = (state) => state.orders.length - 1;

/** Top first. @param {State} state @returns {readonly string[]} */
export const closedPileOf = (state) => state.orders.at(-1)?.slice(state.nextPosition) ?? [];

/** @param {State} state */
export const inPlay = (state) => state.seats.filter((player) => player.out === null);

/** @param {State} state @param {number} seat @returns {SeatState} */
export function playerOf(state, seat) {
  const found = state.seats.find((player) => player.seat === seat);
  if (!found) throw Object.assign(new Error(`seat ${seat} is not listed`), { name: "KeyError" });
  return found;
}

/** Where the card's latest shuffle put it. @param {State} state @param {string} card @returns {Place} */
export function placeOf(state, card) {
  for (let epoch = epochOf(state); epoch >= 0; epoch -= 1) {
    const position = state.orders[epoch]?.indexOf(card) ?? -1;
    if (position >= 0) return [epoch, position];
  }
  throw Object.assign(new Error(`${card} was never shuffled`), { name: "KeyError" });
}

/** The next seat in playing order that is not out. @param {State} state @param {number} seat */
export function seatAfter(state, seat) {
  const playing = inPlay(state).map((player) => player.seat);
  return playing.find((other) => other > seat) ?? /** @type {number} */ (playing[0]);
}

/** @param {State} state @param {number} seat @param {Partial<SeatState>} changes @returns {State} */
export const withPlayer = (state, seat, changes) => ({
  ...state,
  seats: state.seats.map((player) => (player.seat === seat ? { ...player, ...changes } : player)),
});
