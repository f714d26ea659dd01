// @ts-check
/** Checks 7, 8, 11, 13, 14 and 16: from the reveals to the order of the cards. */
import { same } from "./bytes.js";
import { found, seatSignatureProblem } from "./evidence.js";
import { again, againCall, deckSpec, entropy, entropyAgain, link, serverCommit } from "./fairdeal.js";
import { cardLeaf, pathIn, rootFromPath } from "./merkle.js";

/** @typedef {import("./evidence.js").Evidence} Evidence */
/** @typedef {import("./wording.js").Problem} Problem */
/** @typedef {Uint8Array} Bytes */

/** Check 7. @param {Evidence} e @returns {Promise<Problem[]>} */
export async function entropyRecomputes(e) {
  const problems = [];
  for (const head of e.record.heads) {
    const { epoch } = head;
    const reveals = e.reveals(epoch);
    const wanted = epoch === 0
      ? await entropy(e.record.L, reveals)
      : await entropyAgain(e.before(epoch), await e.discardsHash(head), reveals);
    const isOther = reveals.map(([, value]) => (value ? 1 : 0)).join() !== head.present.join();
    problems.push(...found([
      [isOther, "epoch {epoch} marks other seats as present than revealed", { epoch }],
      [!same(wanted, head.R), "R of epoch {epoch} does not follow from the reveals", { epoch }],
    ]));
  }
  return problems;
}

/** Check 8; `sizes` are the packs and jokers of the game, null where it refuses its options. @param {Evidence} e @param {{packs: number, jokers: number} | null} sizes @returns {Promise<Problem[]>} */
export async function deck(e, sizes) {
  const { packs, printed_jokers: jokers, spec, heads } = e.record;
  const isOther = sizes && (sizes.packs !== packs || sizes.jokers !== jokers);
  const problems = found([
    [!same(spec, await deckSpec(packs, jokers)), "spec is not the hash of packs and printed jokers"],
    [isOther, "the game uses {packs} packs and {jokers} printed jokers", sizes ?? {}],
  ]);
  for (const { epoch, n, discards } of heads) {
    const size = discards?.length ?? e.size;
    problems.push(...found([[n !== size, "n of epoch {epoch} is {n}, there are {size} cards", { epoch, n, size }]]));
  }
  return problems;
}

/** Check 11. @param {Evidence} e @returns {Promise<Problem[]>} */
export async function openings(e) {
  const problems = [];
  for (const [i, { epoch, root }] of e.record.heads.entries()) {
    const shoe = /** @type {import("./evidence.js").Shoe} */ (e.shoes[i]);
    const size = shoe.order.length;
    for (const [position, number] of shoe.order.entries()) {
      const salt = /** @type {Bytes} */ (shoe.salts[position]);
      const leaf = await cardLeaf({ hand: e.hand, epoch, position, number, salt });
      if (same(await rootFromPath(leaf, position, size, pathIn(shoe.levels, position)), root)) continue;
      problems.push(...found([
        [true, "the opening of @{epoch}.{position} does not lead to HEAD's root", { epoch, position }]]));
      break;
    }
  }
  return problems;
}

/** Check 13. @param {Evidence} e @returns {Problem[]} */
export const noCardTwice = (e) =>
  e.record.heads.flatMap(({ epoch, discards }) => {
    const numbers = discards ?? [];
    return found([
      [new Set(numbers).size !== numbers.length, "epoch {epoch} shuffles a card twice", { epoch }],
      [numbers.some((number) => number >= e.size), "epoch {epoch} shuffles a card that is not in the pack", { epoch }],
    ]);
  });

/** Check 14. @param {Evidence} e @returns {Promise<Problem[]>} */
export async function chainsAndCalls(e) {
  const problems = [];
  for (const seat of e.record.seats) problems.push(...(await chainProblems(e, seat)));
  for (const head of e.record.heads.slice(1)) problems.push(...(await callProblems(e, head)));
  return problems;
}

/** @param {Evidence} e @param {import("./record.js").RecordSeat} row */
async function chainProblems(e, { seat, x }) {
  const problems = [];
  let known = 0;
  for (const [epoch, value] of x.entries()) {
    // without x[0] there is nothing to go down to: that is check 4's to name
    if (epoch === 0 || !value || !x[0]) continue;
    let down = value;
    for (let at = epoch; at > known; at -= 1) down = await link(down, e.hand, seat, at);
    const isOther = !same(down, /** @type {Bytes} */ (x[known]));
    problems.push(...found([
      [isOther, "seat {seat}'s reveal of epoch {epoch} is not of its chain", { seat, epoch }]]));
    known = epoch;
  }
  return problems;
}

/** @param {Evidence} e @param {import("./record.js").RecordHead} head */
async function callProblems(e, head) {
  const { epoch } = head;
  const call = await againCall(e.hand, epoch, e.before(epoch), await e.discardsHash(head));
  const isCalled = e.isServerSigned("call", call, head.call_sig);
  const problems = found([[!isCalled, "the call of epoch {epoch} is not signed by the server", { epoch }]]);
  const reveals = e.reveals(epoch);
  for (const [i, { seat, pub }] of e.record.seats.entries()) {
    const value = reveals[i]?.[1];
    const signature = head.again_sigs[i];
    const what = value && seatSignatureProblem(pub, "again", await again(call, value), signature);
    problems.push(...found([
      [!value && signature, "seat {seat} signed a reveal of epoch {epoch} that is not there", { seat, epoch }],
      [what, `seat {seat}'s reveal of epoch {epoch} has ${what}`, { seat, epoch }],
    ]));
  }
  return problems;
}

/** Check 16. @param {Evidence} e @returns {Promise<Problem[]>} */
export async function seedsAndRoots(e) {
  const { attempt: played, S, C_S, commits, voids, unused, heads } = e.record;
  const problems = [];
  for (const { attempt, S: seed } of [...voids, { attempt: played, S }, ...unused]) {
    const published = attempt === played ? C_S : /** @type {Bytes} */ (commits[attempt]);
    const isOther = !same(await serverCommit(await e.handOf(attempt), seed), published);
    problems.push(...found([
      [isOther, "the seed of attempt {attempt} is not the one that was committed to", { attempt }]]));
  }
  for (const [i, { epoch, root }] of heads.entries()) {
    const isOther = !same(/** @type {Bytes} */ (e.shoes[i]?.root), root);
    problems.push(...found([
      [isOther, "the cards that follow from S don't match HEAD of epoch {epoch}", { epoch }]]));
  }
  return problems;
}
