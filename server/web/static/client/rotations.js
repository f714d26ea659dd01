// @ts-check
/** Rotations of a server's keys, as its public log has them (KEY entries). */
import { ascii, hex, same, unhex } from "../fair/bytes.js";
import { digest, enc, signedBytes } from "../fair/encoding.js";
import { isSigned } from "../fair/hashing.js";
import { Cheated } from "./form.js";

/** @typedef {import("./form.js").Bytes} Bytes */
/** @typedef {"signing" | "log"} Role */
/** A key that handed over to another one; `holds` if the old key signed it. @typedef {{index: number, entry: string, role: string, old: Bytes, next: Bytes, holds: boolean}} Rotation */

const LABEL = "log-key";
const ROLES = ["signing", "log", "sealing"];
const KEY_BYTES = 32;
const SIG_BYTES = 64;

/** Read a rotation as the log's list has it: to the byte. @param {unknown} index @param {unknown} entry @returns {Promise<Rotation>} */
export async function rotationOf(index, entry) {
  if (Number.isSafeInteger(index) && Number(index) >= 0 && typeof entry === "string") {
    for (const role of ROLES) {
      const found = await asRole(Number(index), entry, role);
      if (found) return found;
    }
  }
  throw new Cheated(19, "the list of rotations has a wrong form");
}

/** @param {number} index @param {string} entry @param {string} role @returns {Promise<Rotation | null>} */
async function asRole(index, entry, role) {
  const tail = 2 * (4 + KEY_BYTES + 4 + KEY_BYTES + 4 + SIG_BYTES);
  const part = (/** @type {number} */ from, /** @type {number} */ size) => unhex(entry.slice(entry.length - tail).slice(2 * from, 2 * (from + size)), size);
  try {
    const old = part(4, KEY_BYTES);
    const next = part(8 + KEY_BYTES, KEY_BYTES);
    const sig = part(12 + 2 * KEY_BYTES, SIG_BYTES);
    if (hex(enc(LABEL, ascii(role), old, next, sig)) !== entry) return null;
    const handover = await digest("key-handover", ascii(role), old, next);
    return { index, entry, role, old, next, holds: isSigned(old, signedBytes(LABEL, handover), sig) };
  } catch {
    return null;
  }
}

/** Whether signed rotations lead from one key of a role to another, and no further. @param {readonly Rotation[]} rotations @param {Role} role @param {Bytes} first @param {Bytes} last */
export function leadsTo(rotations, role, first, last) {
  let key = first;
  for (const one of rotations) if (one.role === role && one.holds && same(one.old, key)) key = one.next;
  return same(key, last);
}

/** The key of a role that was in force at an index of the log; `current` is it now. @param {readonly Rotation[]} rotations @param {Role} role @param {Bytes} current @param {number} index @returns {Bytes} */
export function keyAt(rotations, role, current, index) {
  let key = current;
  for (const one of [...rotations].reverse()) {
    if (one.role === role && one.holds && same(one.next, key) && index < one.index) key = one.old;
  }
  return key;
}
