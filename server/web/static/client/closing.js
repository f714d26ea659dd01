// @ts-check
/** Checks of a hand's end: seeds against commitments, packs against roots (fairdeal/1 check 16). */
import { same } from "../fair/bytes.js";
import {
  ATTEMPTS, deal, logCancel, logClose, logVoid, resultHash, serverCommit, toss,
} from "../fair/fairdeal.js";
import { SIG_BYTES, bytesOf, demand, findBytes, found, listOf, numberOf, partOf, partsOf, signedOf, textOf } from "./form.js";
import { demandSigned } from "./keys.js";
import { checkLogged, handOf } from "./opening.js";

/** @typedef {import("./form.js").Bytes} Bytes */
/** @typedef {import("./form.js").Part} Part */
/** @typedef {import("./opening.js").OpenHand} OpenHand */
/** @typedef {import("./deal.js").DealWatch<any>} DealWatch */
/** @typedef {{seat: number, points: number, amount: bigint}} Row */
/** The match that a closed hand belongs to, as the server says. @typedef {{number: number, isOver: boolean, winners: number[]}} MatchSaid */
/** A seat's cards at the end, at their best arrangement. @typedef {{seat: number, groups: string[][], loose: string[], out: string | null}} Shown */
/**
 * How a hand ended; `packs` are the cards of each epoch in their order, as the published seed
 * makes them, empty unless the deal was seen.
 * @typedef {{end: "closed" | "voided" | "cancelled", handNo: number, handId: string,
 *   log: import("./opening.js").LogHead, rows: Row[], winner: number | null, commission: string,
 *   record: string | null, packs: string[][], hands: Shown[],
 *   match: MatchSaid | null, ending?: import("./replayed.js").Ending}} HandOver
 */

/** @param {Part} part @param {OpenHand} opened @param {DealWatch | null} watch @returns {Promise<HandOver>} */
export async function checkClose(part, opened, watch) {
  demand(numberOf(part, "hand") === opened.handNo, 16, "the close is of another hand");
  const said = partsOf(part, "S");
  const isAll = said.length === ATTEMPTS && said.every((row, i) => row.attempt === i);
  demand(isAll, 16, "the close does not publish all four seeds");
  const seeds = said.map((row) => bytesOf(row, "S"));
  for (const [attempt, seed] of seeds.entries()) await checkSeed(opened, attempt, seed);
  const attempt = numberOf(part, "attempt");
  const hand = await handOf(opened, attempt);
  const seed = /** @type {Bytes} */ (seeds[attempt]);
  const [last, rows] = [bytesOf(part, "T"), rowsOf(part)];
  const result = await resultHash(hand, rows.map((row) => [row.seat, row.points, row.amount.toString()]));
  const log = await checkLogged(part, logClose(hand, seed, last, result), 16);
  demandSigned(opened.serverPub, "close", log.leaf, bytesOf(part, "sig", SIG_BYTES), 16, "the close");
  /** @type {string[][]} */
  let packs = [];
  if (watch) {
    demand(same(hand, watch.signed.hand), 16, "the close is of another attempt");
    const transcript = found(watch.transcript, 16, "the close of a hand that was not dealt");
    demand(same(last, transcript.value), 18, "the close's T is not the transcript's last value");
    packs = await checkPacks(watch, seed);
  }
  return {
    end: "closed", handNo: opened.handNo, handId: opened.handId, log, rows, winner: part.winner ?? null,
    commission: part.settlement ? textOf(part.settlement, "commission") : "0",
    record: textOf(part, "record"), packs, hands: [], match: matchOf(partOf(part, "match")),
  };
}

/** Build every epoch's pack again from the published seed. @param {DealWatch} watch @param {Bytes} seed */
export async function checkPacks(watch, seed) {
  const packs = [];
  for (const head of watch.heads) {
    const { hand, digest, dealer } = watch.signed;
    const shoe = await deal({ seed, hand, listing: digest, entropy: head.entropy, epoch: head.epoch, numbers: head.numbers });
    const isSame = same(shoe.root, head.root) && same(shoe.head, head.digest);
    demand(isSame, 16, `the seed does not make the pack of epoch ${head.epoch}`);
    if (head.epoch === 0) {
      const drawn = await toss(shoe.prk, dealer === null ? watch.play.draws : []);
      demand(drawn.join() === watch.toss.join(), 17, "the toss is not what the seed makes it");
    }
    packs.push(shoe.order.map((number) => /** @type {string} */ (watch.opened.cards[number])));
  }
  return packs;
}

/** Check `hand.voided`: the attempt's seed, and who is said not to have revealed. @param {Part} part @param {OpenHand} opened @param {DealWatch | null} watch @returns {Promise<HandOver>} */
export async function checkVoid(part, opened, watch) {
  const [attempt, seed] = [numberOf(part, "attempt"), bytesOf(part, "S")];
  await checkSeed(opened, attempt, seed);
  const rows = partsOf(part, "seats").map((row) =>
    /** @type {const} */ ([numberOf(row, "seat"), numberOf(row, "status"), findBytes(row, "x")]));
  const hand = await handOf(opened, attempt);
  const log = await checkLogged(part, logVoid(hand, numberOf(part, "reason"), seed, rows), 16);
  if (watch && watch.signed.attempt === attempt) {
    for (const [seat, , value] of rows) {
      const text = `seat ${seat} revealed and is said not to have`;
      const known = watch.reveals.get(seat) ?? null;
      demand(value === null ? known === null : known !== null && same(value, known), 4, text);
      demand(!(value === null && seat === watch.me && watch.receipts.has(1)), 4, text);
    }
    if (watch.isDealt) await checkPacks(watch, seed);
  }
  return ended("voided", opened, log);
}

/** @param {Part} part @param {OpenHand} opened @returns {Promise<HandOver>} */
export async function checkCancel(part, opened) {
  const entry = logCancel(opened.table, opened.handNo, numberOf(part, "reason"));
  return ended("cancelled", opened, await checkLogged(part, entry, 16));
}

/** @param {"voided" | "cancelled"} end @param {OpenHand} opened @param {HandOver["log"]} log @returns {HandOver} */
const ended = (end, opened, log) => ({
  end, handNo: opened.handNo, handId: opened.handId, log, rows: [], winner: null, commission: "0",
  record: null, packs: [], hands: [], match: null,
});

/** @param {OpenHand} opened @param {number} attempt @param {Bytes} seed */
async function checkSeed(opened, attempt, seed) {
  const commit = await serverCommit(await handOf(opened, attempt), seed);
  const text = `the seed of attempt ${attempt} is not the one that was committed to`;
  demand(same(commit, /** @type {Bytes} */ (opened.commits[attempt])), 16, text);
}

/** @param {Part} part @returns {MatchSaid} */
function matchOf(part) {
  const winners = listOf(part, "winners");
  demand(winners.every(Number.isInteger), 19, "a winner is no seat");
  return { number: numberOf(part, "number"), isOver: part.over === true, winners };
}

/** @param {Part} part @returns {Row[]} */
function rowsOf(part) {
  return partsOf(part, "result").map((row) => {
    const text = textOf(row, "amount");
    demand(/^-?[0-9]{1,24}$/.test(text), 19, "an amount is not a decimal number");
    return { seat: numberOf(row, "seat"), points: signedOf(row, "points"), amount: BigInt(text) };
  });
}
