// @ts-check
/** The points of a deal of Seep, the account of a match, and who deals next. */
import { rankOf, suitOf } from "../../cards.js";
import { teamOf, valueOf } from "./captures.js";

/** A match so far: the lead of seats 0 and 2 over 1 and 3. @typedef {{lead: number, deals: number}} Account */

const POINTS_MIN = 9;
export const LEAD_TO_WIN = 100;
export const PLAYS = 48;
const MEMO = /^lead=(0|-?[1-9][0-9]?) deals=([1-9][0-9]{0,5})$/;

/** Spades their value, other aces 1, the ten of diamonds 6. @param {string} card */
export const pointsOf = (card) => (suitOf(card) === "S" ? valueOf(card) : rankOf(card) === "A" ? 1 : card === "TD" ? 6 : 0);

/** @param {readonly string[]} cards */
export const cardPoints = (cards) => cards.reduce((sum, card) => sum + pointsOf(card), 0);

/** What clearing the floor with a play is worth; plays count from 1. @param {number} playNo */
export const seepPoints = (playNo) => (playNo === PLAYS ? 0 : playNo === 1 ? 25 : 50);

/** @param {Account} account */
export const memoOf = ({ lead, deals }) => (deals ? `lead=${lead} deals=${deals}` : "");

/** @param {string} memo @returns {Account | null} null if it is no account of Seep */
export function accountOf(memo) {
  if (memo === "") return { lead: 0, deals: 0 };
  const found = MEMO.exec(memo);
  return found ? { lead: Number(found[1]), deals: Number(found[2]) } : null;
}

/** Bring a deal's points to the account. @param {Account} account @param {number} dealer @param {[number, number]} points */
export function settled(account, dealer, points) {
  const lead = account.lead + points[0] - points[1];
  const under = points.findIndex((one) => one < POINTS_MIN);
  const winner = under >= 0 ? 1 - under : Math.abs(lead) >= LEAD_TO_WIN ? Number(lead < 0) : null;
  const own = teamOf(dealer) === 0 ? lead : -lead;
  const next = own <= 0 ? dealer : (dealer + 1) % 4;
  const carry = winner === null ? { dealer: next, memo: memoOf({ lead, deals: account.deals + 1 }) } : { dealer: (next + 2) % 4, memo: "" };
  return { lead, under: under >= 0 ? under : null, winner, carry };
}
