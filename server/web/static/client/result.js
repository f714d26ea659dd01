// @ts-check
/** The result of a hand by the rules: every holding from the published packs, counted again (18). */
import {
  FIRST_DROP, HAND_CARDS, LATER_DROP, WRONG_DECLARE, count, wildRankOf,
} from "../games/rummy/scoring.js";
import { demand, found } from "./form.js";

/** @typedef {import("./form.js").Part} Part */
/** @typedef {import("./deal.js").DealWatch} DealWatch */
/** @typedef {import("./closing.js").HandOver} HandOver */

const RULES = 18;

/**
 * Check points, winner and tokens of a closed hand.
 * @param {HandOver} over @param {DealWatch} deal @param {Part} options
 * @returns {Promise<number>} the seat that the next hand begins at, or after
 */
export async function checkRummy(over, deal, options) {
  const holdings = holdingsOf(over, deal);
  const { play } = deal;
  const turned = found(over.packs[0]?.[HAND_CARDS * play.seats.length], RULES, "a hand without a pack");
  demand(turned === play.turned, 16, "the card turned up is not that of the pack");
  const { points, winner } = pointsOf(deal, holdings, wildRankOf(turned));
  demand(over.winner === winner, RULES, "the result names another winner");
  const rate = BigInt(options.rate);
  let gross = 0n;
  for (const [seat, value] of points) if (seat !== winner) gross += BigInt(value) * rate;
  demand(over.rows.length === points.size, RULES, "the result has other seats than the hand");
  for (const row of over.rows) {
    const due = found(points.get(row.seat), RULES, "the result has a seat that did not play");
    demand(row.points === due, RULES, `seat ${row.seat} has ${due} points by the rules, not ${row.points}`);
    const won = gross - (gross * BigInt(options.commission_bps)) / 10_000n;
    const amount = row.seat === winner ? won : -BigInt(due) * rate;
    demand(row.amount === amount, RULES, "the result's tokens are not points times the rate");
  }
  over.hands = play.seats.map((seat) => {
    const { groups, loose } = count([...(holdings.get(seat) ?? [])].slice(0, HAND_CARDS), wildRankOf(turned));
    return { seat, groups, loose, out: play.out.get(seat)?.why ?? null };
  });
  return ((play.first ?? 0) + 1) % Number(options.seats);
}

/** Lay out every seat's cards again, move by move. @param {HandOver} over @param {DealWatch} deal @returns {Map<number, Set<string>>} */
function holdingsOf(over, deal) {
  const { play } = deal;
  const first = play.seats.indexOf(/** @type {number} */ (play.first));
  const order = [...play.seats.slice(first), ...play.seats.slice(0, first)];
  const pack = /** @type {string[]} */ (over.packs[0]);
  /** @type {Map<number, Set<string>>} */
  const held = new Map(order.map((seat, at) => [
    seat, new Set(Array.from({ length: HAND_CARDS }, (_, round) => /** @type {string} */ (pack[at + round * order.length]))),
  ]));
  for (const line of deal.transcript?.lines ?? []) {
    if (line === null) continue;
    const [seat, what, from, where] = line.replace(/^auto /, "").split(" ");
    const cards = /** @type {Set<string>} */ (held.get(Number(seat)));
    if (what === "draw") cards.add(from === "open" ? String(where) : cardAt(over, String(where)));
    if (what === "discard") demand(cards.delete(String(from)), RULES, `seat ${seat} discards ${from}, which it does not hold`);
    if (what === "declare") demand(cards.delete(cardAt(over, String(from))), RULES, `seat ${seat} does not hold its finish card`);
  }
  return held;
}

/** @param {HandOver} over @param {string} place */
function cardAt(over, place) {
  const [epoch, position] = place.slice(1).split(".").map(Number);
  return found(over.packs[Number(epoch)]?.[Number(position)], RULES, `there is no card at ${place}`);
}

/** @param {DealWatch} deal @param {Map<number, Set<string>>} holdings @param {string | null} wildRank */
function pointsOf(deal, holdings, wildRank) {
  /** @type {Map<number, number>} */
  const points = new Map();
  const drawn = new Set();
  /** @type {number | null} */
  let winner = null;
  const counted = (/** @type {number} */ seat) => count([...(holdings.get(seat) ?? [])], wildRank);
  for (const act of deal.play.acts) {
    if (act.what === "closed" || act.what === "open") drawn.add(act.seat);
    if (act.what === "leave") points.set(act.seat, LATER_DROP);
    if (act.what === "drop") points.set(act.seat, act.isAuto || drawn.has(act.seat) ? LATER_DROP : FIRST_DROP);
    if (act.what !== "declare") continue;
    if (counted(act.seat).canDeclare) winner = act.seat;
    else points.set(act.seat, WRONG_DECLARE);
  }
  const left = deal.play.seats.filter((seat) => !points.has(seat));
  if (winner === null) {
    demand(left.length === 1, RULES, "the hand closed before it was over");
    winner = /** @type {number} */ (left[0]);
    points.set(winner, 0);
  }
  for (const seat of left) if (!points.has(seat)) points.set(seat, seat === winner ? 0 : counted(seat).points);
  return { points, winner };
}
