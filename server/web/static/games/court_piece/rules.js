// @ts-check
/** Court Piece: who chooses trump, which position goes where, a hand's result, a match's score. */
import { SUITS, packOf, suitOf } from "../../cards.js";
import { SEATS, strength } from "../../tricks.js";

/** @typedef {"none" | "court" | "goon"} Court */
/** Who has won a hand, and how; teams are 0 (seats 0 and 2) and 1. @typedef {{team: number, callers: number, court: Court}} Result */
/** A match so far: `run` hands in a row were won by `runTeam`. @typedef {{target: number, played: number, score: number[], runTeam: number, run: number}} Standing */

export const BATCHES = [5, 4, 4];
/** The position of the card of luck: the top of what is not dealt yet. */
export const LUCK = 20;
const PACK = packOf(1, 0);
const TRICKS_TO_WIN = 7;
const RUN = 7;
const HUMAN = 1;
const SHORT = { target: 3, matches: 3 };

/** The cards of the first draw, a card for each seat without putting back; null if no toss draws so. @param {readonly number[]} toss @returns {string[] | null} */
export function drawnCards(toss) {
  const left = [...PACK];
  const fits = toss.length === SEATS && toss.every((place, i) => Number.isInteger(place) && place >= 0 && place < 52 - i);
  return fits ? toss.map((place) => String(left.splice(place, 1)[0])) : null;
}

/** Who drew the highest card; of equal ranks the first of S H D C. @param {readonly string[]} drawn */
export function chooserOf(drawn) {
  const worth = (/** @type {string} */ card) => strength(card) * SEATS - SUITS.indexOf(suitOf(card));
  return drawn.reduce((best, card, seat) => (worth(card) > worth(String(drawn[best])) ? seat : best), 0);
}

/** The positions of a batch 1, 2 or 3, in the order of dealing. @param {number} batch @param {number} chooser @returns {{seat: number, position: number}[]} */
export function positionsOf(batch, chooser) {
  const size = Number(BATCHES[batch - 1]);
  const begin = SEATS * BATCHES.slice(0, batch - 1).reduce((sum, one) => sum + one, 0);
  return Array.from({ length: SEATS * size }, (_, i) => ({ seat: (chooser + Math.floor(i / size)) % SEATS, position: begin + i }));
}

/** @param {number} seat */
export const teamOf = (seat) => seat % 2;
/** @param {number} seat */
export const partnerOf = (seat) => (seat + 2) % SEATS;

/** Judge a hand by who took its tricks, in order; null if it goes on. @param {number} callers @param {readonly number[]} teams @returns {Result | null} */
export function findResult(callers, teams) {
  const team = [0, 1].find((one) => teams.filter((other) => other === one).length === TRICKS_TO_WIN);
  if (team === undefined) return null;
  const isCourt = teams.every((one) => one === team);
  return { team, callers, court: isCourt ? (team === callers ? "court" : "goon") : "none" };
}

/** What the winning team gets, without a bonus. @param {Result} result @param {string} counting @returns {number} */
export function gainOf({ team, callers, court }, counting) {
  if (counting === "courts") return { none: 0, court: 1, goon: 3 }[court];
  return { none: team === callers ? 1 : 2, court: 3, goon: 4 }[court];
}

/** The winners choose trump again. @param {number} dealer @param {Result} result */
export function nextDealer(dealer, { team, court }) {
  if (team === teamOf(dealer)) return (dealer + 1) % SEATS;
  return court === "none" ? dealer : partnerOf(dealer);
}

/** Add a hand to a match. @param {Standing} standing @param {Result} result @param {string} counting @returns {Standing} */
export function standingAfter(standing, result, counting) {
  const before = standing.runTeam === result.team ? standing.run : 0;
  const run = result.court === "none" ? before + 1 : 0;
  const bonus = run === RUN ? (counting === "courts" ? 1 : 2) : 0;
  const score = standing.score.map((one, team) => (team === result.team ? one + gainOf(result, counting) + bonus : one));
  const left = run % RUN;
  return { target: standing.target, played: standing.played + 1, score, runTeam: left ? result.team : 0, run: left };
}

/** What a match that begins now is played to: short where every person is new. @param {import("../../client/public.js").Begun} begun */
export function targetOf({ options, seats, kinds, played }) {
  const people = seats.filter((seat) => kinds.get(seat) === HUMAN);
  const areNew = people.length > 0 && people.every((seat) => (played.get(seat) ?? 0) < SHORT.matches);
  const target = Number(options.target);
  return options.short_first_matches && options.counting === "points" && areNew ? Math.min(SHORT.target, target) : target;
}

const MEMO = /^hands=([1-9][0-9]{0,3}) score=([0-9]{1,3}),([0-9]{1,3}) run=([01]):([0-6]) target=([1-9][0-9]{0,2})$/;

/** @param {Standing} of */
export const memoOf = ({ played, score, runTeam, run, target }) => `hands=${played} score=${score.join(",")} run=${runTeam}:${run} target=${target}`;

/** @param {string} memo @returns {Standing | null} null if it is no memo of a match that goes on */
export function standingOf(memo) {
  const found = MEMO.exec(memo);
  if (!found) return null;
  const [played, one, other, runTeam, run, target] = /** @type {[number, number, number, number, number, number]} */ (found.slice(1).map(Number));
  const standing = { target, played, score: [one, other], runTeam, run };
  return memoOf(standing) === memo && one < target && other < target && (run > 0 || runTeam === 0) ? standing : null;
}
