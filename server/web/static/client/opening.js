// @ts-check
/** Checks of a hand's open, of log entries and of single cards (fairdeal/1 checks 2, 8, 9, 11). */
import { packOf } from "../cards.js";
import { hex, same, unhex } from "../fair/bytes.js";
import { ATTEMPTS, deckSpec, handHash, logOpen } from "../fair/fairdeal.js";
import { cardLeaf, leafHash, rootFromPath } from "../fair/merkle.js";
import { Cheated, SIG_BYTES, bytesOf, demand, exact, listOf, numberOf, partOf, textOf } from "./form.js";
import { demandSigned } from "./keys.js";

/** @typedef {import("./form.js").Bytes} Bytes */
/** @typedef {import("./form.js").Part} Part */
/** The server's key that was in force at an index of the log. @typedef {(index: number) => Bytes} KeyAt */
/**
 * A place in the public log as the server named it. `path` is null if the proof did not come
 * along; `check` is the one that fails without it; `note` is the head as the log's key signed it.
 * @typedef {{check: number, leaf: Uint8Array, index: number, size: number, root: Bytes,
 *   path: Bytes[] | null, note: string | null}} LogHead
 */
/**
 * A hand that the server opened, with its four commitments.
 * @typedef {{serverPub: Bytes, table: Bytes, handNo: number, handId: string, cards: string[],
 *   numbers: Map<string, number>, spec: Uint8Array, commits: Bytes[], log: LogHead}} OpenHand
 */

/** @param {string} table @returns {Bytes} its UUID as 16 bytes */
export const tableBytes = (table) => unhex(table.replaceAll("-", ""), 16);

/** @param {OpenHand} opened @param {number} attempt @returns {Promise<Uint8Array>} the hash that names an attempt */
export async function handOf(opened, attempt) {
  demand(attempt >= 0 && attempt < ATTEMPTS, 2, `attempt ${attempt} is not one of the four`);
  const { serverPub, table, handNo, spec } = opened;
  return handHash({ serverPub, table, handNo, attempt, spec });
}

/** @param {Part} part @param {string} table @param {KeyAt} keyAt @returns {Promise<OpenHand>} */
export async function checkOpen(part, table, keyAt) {
  const [packs, jokers] = [numberOf(part, "packs"), numberOf(part, "printed_jokers")];
  const commits = listOf(part, "commits").map((value) => exact(value, "commits"));
  demand(commits.length === ATTEMPTS, 2, "a hand must open with four commitments");
  demand(packs >= 1 && packs <= 3 && jokers <= 6, 8, "no table has such packs");
  const spec = await deckSpec(packs, jokers);
  demand(same(bytesOf(part, "spec"), spec), 8, "spec is not of these packs");
  const [handNo, table16] = [numberOf(part, "hand"), tableBytes(table)];
  const log = await checkLogged(part, logOpen(table16, handNo, spec, commits), 2);
  const serverPub = keyAt(log.index);
  demandSigned(serverPub, "open", log.leaf, bytesOf(part, "sig", SIG_BYTES), 2, "the open");
  const cards = packOf(packs, jokers);
  return {
    serverPub, table: table16, handNo, handId: textOf(part, "hand_id"), cards,
    numbers: new Map(cards.map((card, number) => [card, number])), spec, commits, log,
  };
}

/**
 * Check that a frame's log entry is `entry`, and its proof if it came along. Who signed the log's
 * head, and whether the log has only grown, is for the proofs to say.
 * @param {Part} part @param {Uint8Array} entry @param {number} check @returns {Promise<LogHead>}
 */
export async function checkLogged(part, entry, check) {
  const log = partOf(part, "log");
  demand(textOf(log, "entry") === hex(entry), check, "the log's entry is not of what the frame says");
  const [index, size] = [numberOf(log, "index"), numberOf(log, "size")];
  demand(index < size, check, "the log's entry lies beyond the log");
  const path = (log.path ?? null) === null ? null : listOf(log, "path").map((node) => exact(node, "path"));
  const note = (log.checkpoint ?? null) === null ? null : textOf(log, "checkpoint");
  const leaf = await leafHash(entry);
  const head = { check, leaf, index, size, root: bytesOf(log, "root"), path, note };
  if (path) await checkInclusion(head, path);
  return head;
}

/** @param {LogHead} head @param {readonly Bytes[]} path */
export async function checkInclusion(head, path) {
  let root;
  try {
    root = await rootFromPath(head.leaf, head.index, head.size, path);
  } catch {
    throw new Cheated(19, "a log proof has a wrong form");
  }
  demand(same(root, head.root), head.check, "the log's proof does not lead to its root");
}

/** Where a card lies. @param {number} epoch @param {number} position */
export const placeText = (epoch, position) => `@${epoch}.${position}`;

/**
 * Check a card that was opened against the root of its epoch.
 * @param {Part} part @param {Uint8Array} hand @param {OpenHand} opened
 * @param {readonly {root: Bytes, size: number}[]} roots by epoch
 * @returns {Promise<{epoch: number, place: string, number: number}>}
 */
export async function checkOpening(part, hand, opened, roots) {
  const [epoch, position] = [numberOf(part, "epoch"), numberOf(part, "position")];
  const place = placeText(epoch, position);
  const known = roots[epoch];
  if (!known) throw new Cheated(11, `a card of ${place}, an epoch that was not dealt`);
  const number = opened.numbers.get(String(part.card));
  if (number === undefined) throw new Cheated(13, `${part.card} is not a card of this pack`);
  const leaf = await cardLeaf({ hand, epoch, position, number, salt: bytesOf(part, "salt") });
  const path = listOf(part, "path").map((node) => exact(node, "path"));
  let root;
  try {
    root = await rootFromPath(leaf, position, known.size, path);
  } catch {
    throw new Cheated(19, `the proof of ${place} has a wrong form`);
  }
  demand(same(root, known.root), 11, `the card of ${place} is not the one that was dealt`);
  return { epoch, place, number };
}
