// @ts-check
/**
 * A record with what follows from it; each check reads the part that it judges. Where a later fact
 * rests on an earlier one, the recorded value is taken, not the recomputed one: so a lie is named by
 * the check whose lie it is, and not by all that follow from it.
 */
import { signedBytes } from "./encoding.js";
import { deal, discardsHash, handHash, header, optionsText } from "./fairdeal.js";
import { isSigned } from "./hashing.js";
import { leafHash, pathLength, rootFromPath } from "./merkle.js";
import { problem } from "./wording.js";
import { same } from "./bytes.js";

/** @typedef {Uint8Array} Bytes */
/** @typedef {import("./record.js").RecordHead} RecordHead */
/** @typedef {import("./record.js").RecordEntry} RecordEntry */
/** @typedef {import("./wording.js").Problem} Problem */
/** @typedef {Awaited<ReturnType<typeof deal>>} Shoe */
/** @typedef {Awaited<ReturnType<typeof evidenceOf>>} Evidence */
/** @typedef {{serverKey?: Bytes | undefined, logKey?: import("./note.js").NoteKey | undefined}} Pinned */

export const NO_KEY = new Uint8Array(32);

/**
 * Derive what the checks look at, the shoes above all.
 * @param {import("./record.js").SignedRecord} signed @param {Pinned} pinned
 */
export async function evidenceOf(signed, pinned) {
  const r = signed.record;
  const handOf = (/** @type {number} */ attempt) =>
    handHash({ serverPub: r.server_pub, table: r.table, handNo: r.hand_no, attempt, spec: r.spec });
  const hand = await handOf(r.attempt);
  const size = 52 * r.packs + r.printed_jokers;
  const all = Array.from({ length: size }, (_, number) => number);
  /** @type {Shoe[]} */
  const shoes = [];
  for (const { R, epoch, discards } of r.heads) {
    shoes.push(await deal({ seed: r.S, hand, listing: r.L, entropy: R, epoch, numbers: discards ?? all }));
  }
  const dealtAt = r.events.filter((event) => event.line === null).map((event) => event.k);
  return {
    signed, record: r, pinned, handOf, hand, shoes, size,
    listed: {
      hand, commit: r.C_S, game: r.game, rules: r.rules, options: optionsText(r.options), dealer: r.dealer,
      logSize: r.log_size, logRoot: r.log_root, seats: r.seats,
    },
    headHash: (/** @type {RecordHead} */ { R, epoch, n, root }) =>
      header({ hand, listing: r.L, entropy: R, epoch, size: n, root }),
    discardsHash: (/** @type {RecordHead} */ { epoch, discards }) => discardsHash(hand, epoch, discards ?? []),
    /** What the seats revealed for an epoch. @param {number} epoch */
    reveals: (epoch) =>
      r.seats.map((row) => /** @type {const} */ ([row.seat, row.status ? (row.x[epoch] ?? null) : null])),
    /** The recorded T_k that a reshuffle follows. @param {number} epoch */
    before: (epoch) => /** @type {Bytes} */ (r.events[/** @type {number} */ (dealtAt[epoch]) - 1]?.T),
    opened: /** @type {RecordEntry} */ (r.log[0]),
    voided: r.log.slice(1, 1 + r.voids.length),
    dealt: r.log.slice(1 + r.voids.length, -1),
    closed: /** @type {RecordEntry} */ (r.log.at(-1)),
    /** Whether the record's own server key signed. @param {string} role @param {Bytes} digest32 @param {Bytes | null} signature */
    isServerSigned: (role, digest32, signature) =>
      signature !== null && isSigned(r.server_pub, signedBytes(role, digest32), signature),
  };
}

/**
 * Say what is wrong with a seat's signature; a seat without a key must have none.
 * @param {Bytes} pub @param {string} role @param {Bytes} digest32 @param {Bytes | null | undefined} signature
 * @returns {"a signature without a key" | "no signature" | "a signature that is not its own" | null}
 */
export function seatSignatureProblem(pub, role, digest32, signature) {
  if (same(pub, NO_KEY)) return signature ? "a signature without a key" : null;
  if (!signature) return "no signature";
  return isSigned(pub, signedBytes(role, digest32), signature) ? null : "a signature that is not its own";
}

/** Whether an inclusion proof has the length that its place demands (check 19). @param {RecordEntry} entry */
export const hasExactPath = ({ index, size, path }) => index < size && path.length === pathLength(index, size);

/** Whether the proof leads to the root; a wrong length is check 19's to name. @param {RecordEntry} entry */
export async function isProved(entry) {
  if (!hasExactPath(entry)) return true;
  return same(await rootFromPath(await leafHash(entry.entry), entry.index, entry.size, entry.path), entry.root);
}

/** The problems whose condition is true. @param {readonly (readonly [unknown, string, Readonly<Record<string, import("./wording.js").Part>>?])[]} rows @returns {Problem[]} */
export const found = (rows) => rows.filter(([is]) => is).map(([, template, parts]) => problem(template, parts));
