// @ts-check
/**
 * SHA-256, HMAC and Ed25519: the browser's own where it has them, else a vendored implementation
 * (`crypto.subtle` is missing on plain http from another host).
 */
import { concat, hex, same } from "./bytes.js";
import * as ed25519 from "../vendor/noble-ed25519.js";
import { hmac as slowHmac, sha256 as slowSha256, sha512 as slowSha512 } from "../vendor/noble-hashes.js";

ed25519.hashes.sha512 = slowSha512;

const subtle = globalThis.crypto?.subtle;

/** Whether hashes are the browser's own. */
export const isNative = subtle !== undefined;

/** @param {Uint8Array<ArrayBuffer>} data @returns {Promise<Uint8Array>} */
export async function sha256(data) {
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", data)) : slowSha256(data);
}

/** @param {Uint8Array} key 32 bytes @param {Uint8Array<ArrayBuffer>} data @returns {Promise<Uint8Array>} */
export async function hmac(key, data) {
  if (!subtle) return slowHmac(slowSha256, key, data);
  return new Uint8Array(await subtle.sign("HMAC", await importedKey(key), data));
}

/** @type {Map<string, Promise<CryptoKey>>} */
const keys = new Map();
const KEYS_KEPT = 64;

/** A key is used for hundreds of blocks and salts. @param {Uint8Array} key */
function importedKey(key) {
  const name = hex(key);
  let found = keys.get(name);
  if (!found) {
    if (keys.size >= KEYS_KEPT) keys.clear();
    const raw = Uint8Array.from(key);
    found = /** @type {SubtleCrypto} */ (subtle).importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    keys.set(name, found);
  }
  return found;
}

/**
 * Tell whether a signature is the key's, by the same rule as the command's verifier: RFC 8032 with
 * canonical encodings, no key of small order (it has signed nothing: section 2), and the equation
 * without its cofactor. Browsers differ in this, so the vendored points are asked, not them.
 * @param {Uint8Array} pub @param {Uint8Array} message @param {Uint8Array} signature @returns {boolean}
 */
export function isSigned(pub, message, signature) {
  const key = signature.length === 64 ? keyOf(pub) : null;
  if (!key) return false;
  const scalar = littleEndian(signature.subarray(32));
  if (scalar >= ORDER) return false;
  const made = signature.subarray(0, 32);
  const challenge = littleEndian(slowSha512(concat([made, pub, message]))) % ORDER;
  const found = ed25519.Point.BASE.multiply(scalar, false).add(key.multiple(challenge));
  return same(found.toBytes(), made);
}

/** @param {Uint8Array} pub @returns {boolean} whether a key is a canonical point, not of small order */
export const isAcceptableKey = (pub) => keyOf(pub) !== null;

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const USES_BEFORE_TABLE = 4; // a table costs as much as three signatures, and makes each a third

/** A key's negative point, whose multiples a signature needs: a server signs hundreds of times. */
class NegativeKey {
  /** @param {ed25519.ExtendedPoint} point */
  constructor(point) {
    this.point = point.negate();
    this.uses = 0;
    /** @type {ed25519.ExtendedPoint[][]} for each four bits of a scalar the multiples 0 to 15 */
    this.table = [];
  }

  /** @param {bigint} scalar below the order */
  multiple(scalar) {
    this.uses += 1;
    if (this.uses < USES_BEFORE_TABLE) return this.point.multiply(scalar, false);
    if (!this.table.length) this.fill();
    let [sum, rest] = [ed25519.Point.ZERO, scalar];
    for (const row of this.table) {
      const digit = Number(rest & 15n);
      if (digit) sum = sum.add(/** @type {ed25519.ExtendedPoint} */ (row[digit]));
      rest >>= 4n;
    }
    return sum;
  }

  fill() {
    let point = this.point;
    for (let window = 0; window < 64; window += 1) {
      const row = [ed25519.Point.ZERO];
      for (let i = 0; i < 16; i += 1) row.push(/** @type {ed25519.ExtendedPoint} */ (row[i]).add(point));
      point = /** @type {ed25519.ExtendedPoint} */ (row.pop());
      this.table.push(row);
    }
  }
}

/** @type {Map<string, NegativeKey | null>} */
const negatives = new Map();

/** @param {Uint8Array} pub */
function keyOf(pub) {
  const name = hex(pub);
  let found = negatives.get(name);
  if (found === undefined) {
    if (negatives.size >= KEYS_KEPT) negatives.clear();
    found = readKey(pub);
    negatives.set(name, found);
  }
  return found;
}

/** @param {Uint8Array} pub */
function readKey(pub) {
  if (pub.length !== 32) return null;
  try {
    const point = ed25519.Point.fromBytes(pub, false);
    return point.isSmallOrder() ? null : new NegativeKey(point);
  } catch {
    return null;
  }
}

/** @param {Uint8Array} bytes @returns {bigint} */
const littleEndian = (bytes) => BigInt(`0x${hex(Uint8Array.from(bytes).reverse())}`);
