// @ts-check
/** How a seat goes out, and how a hand ends: drop, leave, declare, count. */
import { declareLine, outLine } from "./notation.js";
import { FIRST_DROP, HAND_CARDS, LATER_DROP, WRONG_DECLARE, count } from "./scoring.js";
import { IllegalMove, inPlay, insist, placeOf, playerOf, seatAfter, wildRankIn, withPlayer } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Step} Step */
/** @typedef {import("./state.js").WhyOut} WhyOut */

/** Drop in turn, before drawing (rules.md 7.1 to 7.3). @param {State} state @param {number} seat @returns {Step} */
export function drop(state, seat) {
  if (state.drawn) throw new IllegalMove("must_discard", "discard or declare: a drop comes before the draw");
  return putOut(state, seat, "drop", playerOf(state, seat).hasDrawn ? LATER_DROP : FIRST_DROP);
}

/** Put a leaver out, in or out of turn; one who is out changes nothing. @param {State} state @param {number} seat @returns {Step} */
export function leave(state, seat) {
  const player = state.seats.find((one) => one.seat === seat);
  if (!player) throw new IllegalMove("not_your_turn", "the seat is not in this hand");
  return player.out === null ? putOut(state, seat, "left", LATER_DROP) : { state, lines: [] };
}

/** @param {State} state @param {number} seat @param {WhyOut} why @param {number} points @returns {Step} */
export function putOut(state, seat, why, points) {
  const after = withoutSeat(state, seat, why, points, null);
  const lines = [outLine(seat, why)];
  if (after.acting === seat || inPlay(after).length === 1) return nextTurn(after, lines);
  return { state: after, lines };
}

/**
 * Show thirteen cards: the hand ends, or the seat is out (rules.md 5).
 * @param {State} state @param {number} seat
 * @param {Extract<import("./notation.js").Move, {name: "declare"}>} move @returns {Step}
 */
export function declare(state, seat, move) {
  if (!state.drawn) throw new IllegalMove("must_draw_first", "draw a card first");
  const held = playerOf(state, seat).cards;
  const [epoch, position] = move.finish;
  const isFinish = (/** @type {string} */ card) => {
    const place = placeOf(state, card);
    return place[0] === epoch && place[1] === position;
  };
  const finish = held.find(isFinish);
  if (finish === undefined) throw new IllegalMove("not_held", "that card is not in the holding");
  const cards = held.filter((card) => card !== finish);
  insist(cards.length === HAND_CARDS);
  if (move.groups && [...move.groups.flat()].sort().join() !== [...cards].sort().join()) {
    throw new IllegalMove("bad_groups", "the groups are not the thirteen other cards");
  }
  const lines = [declareLine(seat, move.finish, move.groups)];
  if (count(cards, wildRankIn(state)).canDeclare) {
    return shown(withPlayer(state, seat, { cards, finish: move.finish }), seat, lines);
  }
  return nextTurn(withoutSeat(state, seat, "wrong_declare", WRONG_DECLARE, finish), lines);
}

/** Give the turn on, or the hand to the last seat in it (rules.md 7.6). @param {State} state @param {string[]} lines @returns {Step} */
export function nextTurn(state, lines) {
  const [last, ...others] = inPlay(state);
  if (last && !others.length) return scored(state, last.seat, lines);
  return { state: { ...state, acting: seatAfter(state, /** @type {number} */ (state.acting)), drawn: null }, lines };
}

/** Lay a seat's cards out of play. @param {State} state @param {number} seat @param {WhyOut} why @param {number} points @param {string | null} finish */
function withoutSeat(state, seat, why, points, finish) {
  return withPlayer(state, seat, {
    cards: [],
    laidDown: playerOf(state, seat).cards.filter((card) => card !== finish),
    finish: finish === null ? null : placeOf(state, finish),
    out: why,
    points,
  });
}

/** Count all who are still in. @param {State} state @param {number} winner @param {string[]} lines */
function shown(state, winner, lines) {
  let after = state;
  for (const player of inPlay(state)) {
    after = withPlayer(after, player.seat, { points: count(player.cards, wildRankIn(state)).points });
  }
  return scored(after, winner, lines);
}

/** @param {State} state @param {number} winner @param {string[]} lines @returns {Step} */
function scored(state, winner, lines) {
  const points = state.seats.map((player) => /** @type {const} */ ([player.seat, player.points]));
  const made = { points, winner };
  return { state: { ...state, acting: null, drawn: null, scored: made, ended: true }, lines, scored: made };
}
