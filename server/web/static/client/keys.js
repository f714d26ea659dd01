// @ts-check
/** The server's and the seats' signatures, and this seat's own. */
import { signedBytes } from "../fair/encoding.js";
import { isSigned } from "../fair/hashing.js";
import * as ed25519 from "../vendor/noble-ed25519.js";
import { demand } from "./form.js";

/** @typedef {import("./form.js").Bytes} Bytes */

/**
 * Demand that `sig` is `pub`'s signature of a digest in a role.
 * @param {Bytes} pub @param {string} role @param {Uint8Array} digest32 @param {Bytes} sig
 * @param {number} check @param {string} what
 */
export function demandSigned(pub, role, digest32, sig, check, what) {
  const holds = isSigned(pub, signedBytes(role, digest32), sig);
  demand(holds, check, `the signature of ${what} is not by the key that it should be`);
}

/** @param {Bytes} secret @returns {Uint8Array} */
export const publicOf = (secret) => ed25519.getPublicKey(secret);

/** @param {Bytes} secret @param {string} role @param {Uint8Array} digest32 @returns {Uint8Array} */
export const sign = (secret, role, digest32) => ed25519.sign(signedBytes(role, digest32), secret);
