// @ts-check
/**
 * SHA-256, HMAC and Ed25519: the browser's own where it has them, else a vendored implementation
 * (`crypto.subtle` is missing on plain http from another host).
 */
import { hex } from "./bytes.js";
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
 * Tell whether a signature is the key's. Keys of small order have signed nothing (section 2), so
 * the strict form of RFC 8032 is asked of the vendored implementation, not of the browser's.
 * @param {Uint8Array} pub @param {Uint8Array} message @param {Uint8Array} signature @returns {boolean}
 */
export function isSigned(pub, message, signature) {
  if (pub.length !== 32 || signature.length !== 64) return false;
  try {
    return ed25519.verify(signature, message, pub, { zip215: false });
  } catch {
    return false;
  }
}
