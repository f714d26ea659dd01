// @ts-check
/** The checks of fairdeal/1 by their numbers, with the verdicts of `server/verify/checks.py`. */
import { RefusedRecord } from "./canonical.js";
import * as deals from "./deal_checks.js";
import { evidenceOf } from "./evidence.js";
import { freeReplay, isFree } from "./free_fold.js";
import { DISCARDS_CHECK, POSITIONS_CHECK, replayed } from "./fold.js";
import * as lists from "./list_checks.js";
import * as logs from "./log_checks.js";
import { faultsOf, movesAndResult, seatsAndGame } from "./play_checks.js";
import { readRecord } from "./record.js";
import { optionsOf, packSizesOf } from "../games/rummy/options.js";
import { problem } from "./wording.js";

/** @typedef {import("./evidence.js").Evidence} Evidence */
/** @typedef {import("./fold.js").Replay} Replay */
/** @typedef {import("./wording.js").Problem} Problem */
/** @typedef {"holds" | "fails" | "live-only" | "not-here"} Verdict `not-here`: the game's rules are not in this page */
/** @typedef {{number: number, title: string, verdict: Verdict, problems: Problem[]}} Line */
/**
 * All lines in order; or `refused`, when the file is no record at all.
 * @typedef {object} Report
 * @property {Line[]} lines
 * @property {{code: string, text: Problem} | null} refused
 * @property {Problem[]} notes
 * @property {Evidence | null} evidence
 * @property {Replay | null} replay
 */

export const GAME = "rummy";

/** @type {readonly (readonly [number, string, (e: Evidence, replay: Replay | null) => Problem[] | Promise<Problem[]>])[]} */
export const CHECKS = [
  [1, "the server's key is the pinned one, and signed this record", lists.serverKey],
  [2, "C_S was signed and logged before any seat's commit", logs.opening],
  [3, "each seat's own commit and the right status are in L", lists.commits],
  [4, "each seat revealed once for each hand and attempt", lists.revealsOnce],
  [5, "the seats signed the same L", lists.revealsSigned],
  [6, "HEAD is over that L", lists.headsSigned],
  [7, "R recomputes from the reveals", deals.entropyRecomputes],
  [8, "deck-spec and n are the game's", (e, replay) => deals.deck(e, replay && sizesOf(e))],
  [9, "each HEAD has its log entry", logs.deals],
  [10, "the log is consistent", logs.consistency],
  [11, "every opening leads to HEAD's root", deals.openings],
  [12, "each position is the next one", (_, replay) => faultsOf(replay, POSITIONS_CHECK)],
  [13, "no card is there twice", deals.noCardTwice],
  [14, "every chain, and the call at each reshuffle", deals.chainsAndCalls],
  [15, "each reshuffle is of exactly the public discards", (_, replay) => faultsOf(replay, DISCARDS_CHECK)],
  [16, "C_S matches S; PRK, pack and root match HEAD", deals.seedsAndRoots],
  [17, "seats, game, options, dealer and toss", seatsAndGame],
  [18, "moves and result by the rules", movesAndResult],
  [19, "every hash is 32 bytes, every proof has its exact length", logs.lengths],
];

/** Checks that only a client which was there can make fully. */
const LIVE_ONLY = new Set([2, 3, 4, 10, 12]);
/** What every free game is played with. */
const FREE_PACK = { packs: 1, jokers: 0 };
/** Checks that need the rules of the game. */
const BY_THE_RULES = new Set([8, 12, 15, 17, 18]);

/**
 * Check the record of a hand. Whatever `data` is, the answer is a report.
 * @param {Uint8Array} data the bytes of the file
 * @param {import("./evidence.js").Pinned} [pinned] keys that are known from before
 * @param {(line: Line) => void | Promise<void>} [tell] hears of each line as it is made
 * @returns {Promise<Report>}
 */
export async function verifyRecord(data, pinned = {}, tell = () => {}) {
  let signed;
  try {
    signed = await readRecord(data);
  } catch (refusal) {
    if (refusal instanceof RefusedRecord) return refusedReport(refusal);
    throw refusal;
  }
  const evidence = await evidenceOf(signed, pinned);
  const { game } = signed.record;
  const replay = game === GAME ? await replayed(evidence) : isFree(game) ? await freeReplay(evidence) : null;
  /** @type {Line[]} */
  const lines = [];
  for (const [number, title, check] of CHECKS) {
    const problems = await check(evidence, replay);
    lines.push(lineOf(number, title, problems, evidence, replay));
    await tell(/** @type {Line} */ (lines.at(-1)));
  }
  return { lines, refused: null, notes: [...lists.listNotes(evidence), ...logs.logNotes(evidence)], evidence, replay };
}

/** The numbers of the checks that fail. @param {Report} report */
export const failedOf = ({ lines }) => lines.filter((line) => line.verdict === "fails").map((line) => line.number);

/** Packs and jokers by the options; null where the game refuses them: check 17's to name. @param {Evidence} e */
function sizesOf(e) {
  try {
    if (e.record.game !== GAME) return FREE_PACK;
    return packSizesOf(optionsOf(e.record.options));
  } catch {
    return null;
  }
}

/** @param {number} number @param {string} title @param {Problem[]} problems @param {Evidence} e @param {Replay | null} replay @returns {Line} */
function lineOf(number, title, problems, e, replay) {
  if (problems.length) return { number, title, verdict: "fails", problems };
  if (!replay && BY_THE_RULES.has(number)) return { number, title, verdict: "not-here", problems };
  if (number === 1 && !e.pinned.serverKey) {
    return { number, title, verdict: "live-only", problems: [problem("no pinned key was given to compare with")] };
  }
  return { number, title, verdict: LIVE_ONLY.has(number) ? "live-only" : "holds", problems };
}

/** @param {RefusedRecord} refusal @returns {Report} */
function refusedReport({ code, text, check }) {
  const row = CHECKS.find(([number]) => number === check);
  /** @type {Line[]} */
  const lines = row ? [{ number: row[0], title: row[1], verdict: "fails", problems: [text] }] : [];
  return { lines, refused: { code, text }, notes: [], evidence: null, replay: null };
}
