// @ts-check
/** The points of a hand, the score of a match, and the text that carries it from hand to hand. */
import { RANKS, rankOf } from "../../cards.js";

/** @typedef {{played: number, scores: number[]}} Match */

const FACE_POINTS = 10;
const NUMBER = "(?:0|-?[1-9][0-9]{0,4})";
const MEMO = new RegExp(`^([1-9]):(${NUMBER}(?:,${NUMBER})*)$`);

/** What a card left in a holding costs: ace 1, face cards 10. @param {string} card */
export const cardPoints = (card) => ("JQK".includes(rankOf(card)) ? FACE_POINTS : RANKS.indexOf(rankOf(card)) + 1);

/** @param {readonly string[]} cards */
export const penalty = (cards) => cards.reduce((sum, card) => sum + cardPoints(card), 0);

/** The chips in the middle: an ante of each seat, and the passes. @param {readonly number[]} passes */
export const poolOf = (passes) => passes.length + passes.reduce((sum, one) => sum + one, 0);

/** What each seat has gained or lost in a hand of Sevens. @param {number} winner @param {readonly number[]} passes @param {readonly number[]} left cards @returns {number[]} */
export function chipsOf(winner, passes, left) {
  const taken = poolOf(passes) + left.reduce((sum, one) => sum + one, 0);
  return passes.map((passed, seat) => (seat === winner ? taken : 0) - 1 - passed - Number(left[seat]));
}

/** Who has won a match: the most chips or the fewest points; equals share. @param {readonly number[]} scores @param {boolean} hasChips @returns {number[]} */
export function winnersOf(scores, hasChips) {
  const best = hasChips ? Math.max(...scores) : Math.min(...scores);
  return scores.flatMap((score, seat) => (score === best ? [seat] : []));
}

/** @param {Match} match */
export const memoOf = ({ played, scores }) => (played ? `${played}:${scores.join(",")}` : "");

/** @param {string} memo @param {number} seats @param {number} hands @returns {Match | null} null if it is no memo of such a match */
export function matchOf(memo, seats, hands) {
  if (memo === "") return { played: 0, scores: Array.from({ length: seats }, () => 0) };
  const found = MEMO.exec(memo);
  const scores = found?.[2]?.split(",").map(Number) ?? [];
  const played = Number(found?.[1]);
  return found && played < hands && scores.length === seats ? { played, scores } : null;
}
