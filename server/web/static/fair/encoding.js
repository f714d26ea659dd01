// @ts-check
/** The one injective encoding, and the hashes made over it (fairdeal/1 section 2). */
import { ascii, concat, hash32, u16, u32 } from "./bytes.js";
import { hmac, sha256 } from "./hashing.js";

/** @typedef {Uint8Array} Bytes */

const PREFIX = "fairdeal/1/";

/** Encode a label and its fields, injectively. @param {string} label @param {...Bytes} fields */
export function enc(label, ...fields) {
  const name = ascii(PREFIX + label);
  const parts = [u16(name.length), name, u16(fields.length)];
  for (const field of fields) parts.push(u32(field.length), /** @type {any} */ (field));
  return concat(parts);
}

/** H of section 2. @param {string} label @param {...Bytes} fields @returns {Promise<Bytes>} */
export const digest = (label, ...fields) => sha256(enc(label, ...fields));

/** M of section 2. @param {Bytes} key @param {string} label @param {...Bytes} fields */
export const mac = (key, label, ...fields) => hmac(hash32(key), enc(label, ...fields));

/** What a signature covers. @param {string} role @param {Bytes} digest32 */
export const signedBytes = (role, digest32) => enc("sig", ascii(role), hash32(digest32));
