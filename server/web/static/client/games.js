// @ts-check
/** What this client knows of each game: how to follow its public lines, and how to judge its end. */
import { BATAK } from "./batak.js";
import { COURT_PIECE } from "./court_piece.js";
import { checkMatch } from "./replayed.js";
import { checkRummy } from "./result.js";
import { RummyHand } from "./rummy.js";
import { SEEP } from "./seep.js";
import { BADAM_SATTI, SEVENS } from "./sevens.js";

/** @typedef {import("./form.js").Part} Part */
/** @typedef {import("./public.js").Begun} Begun */
/** @typedef {import("./public.js").PublicHand} PublicHand */
/** What the next hand of a match gets; a `dealer` of null is left to the toss. @typedef {{dealer: number | null, memo: string}} Carry */
/**
 * `end` judges the end of a free game's hand by what each seat has followed.
 * @typedef {{follow: (begun: Begun) => PublicHand, end?: (hands: any[]) => import("./replayed.js").Ending | null,
 *   close: (over: import("./closing.js").HandOver, deal: any) => Promise<Carry>}} Program
 */

/** @type {Program} */
const RUMMY = {
  follow: ({ options, packSize, seats, dealer, me }) => new RummyHand(options, packSize, seats, dealer, me),
  close: async (over, deal) => {
    const dealer = await checkRummy(over, deal, deal.play.options);
    checkMatch(over, over.winner === null ? [] : [over.winner]);
    return { dealer, memo: "" };
  },
};

/** @type {ReadonlyMap<string, Program>} */
export const PROGRAMS = new Map([
  ["rummy", RUMMY],
  ["seep", SEEP],
  ["court_piece", COURT_PIECE],
  ["batak", BATAK],
  ["badam_satti", BADAM_SATTI],
  ["sevens", SEVENS],
]);

/** Derive the dealer of the next hand: the named seat, or the next listed one after it. @param {Carry} carry @param {number[]} listed @returns {number | null} */
export function dealerOf({ dealer }, listed) {
  if (dealer === null) return null;
  return listed.find((seat) => seat >= dealer) ?? listed[0] ?? null;
}
