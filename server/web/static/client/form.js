// @ts-check
/** Reading what the server says: exact lengths, exact types, or check 19 has failed. */
import { unhex } from "../fair/bytes.js";

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** @typedef {Record<string, any>} Part a part of a frame; nothing of it is believed before it is read */

const FORM = 19;
export const HASH_BYTES = 32;
export const SIG_BYTES = 64;
/** A seat's key that means "no key". */
export const NO_KEY = new Uint8Array(32);
export const ZERO = new Uint8Array(32);

/** A check of fairdeal/1 failed: its number, and one sentence that says what was seen. */
export class Cheated extends Error {
  /** @param {number} check @param {string} text */
  constructor(check, text) {
    super(`check ${check} of fairdeal/1 failed: ${text}`);
    this.check = check;
    this.text = text;
  }
}

/** How often each check was made for the hand that is open. @type {Map<number, number>} */
let made = new Map();

/** Begin to count anew, as for a new hand. */
export function beginTally() {
  made = new Map();
}

/** @returns {ReadonlyMap<number, number>} how often each check was made and held */
export const tally = () => made;

/**
 * Throw `Cheated` unless `holds`.
 * @param {boolean} holds @param {number} check @param {string} text
 * @returns {asserts holds}
 */
export function demand(holds, check, text) {
  if (!holds) throw new Cheated(check, text);
  made.set(check, (made.get(check) ?? 0) + 1);
}

/**
 * Pass a value on; throw `Cheated` if there is none.
 * @template T @param {T | null | undefined} value @param {number} check @param {string} text
 * @returns {T}
 */
export function found(value, check, text) {
  if (value === null || value === undefined) throw new Cheated(check, text);
  return value;
}

/** @param {unknown} value @param {string} field @param {number} [size] @returns {Bytes} */
export function exact(value, field, size = HASH_BYTES) {
  try {
    const bytes = unhex(value, size);
    made.set(FORM, (made.get(FORM) ?? 0) + 1);
    return bytes;
  } catch {
    throw new Cheated(FORM, `${field} is not ${size} bytes of lower-case hex`);
  }
}

/** @param {Part} part @param {string} field @param {number} [size] */
export const bytesOf = (part, field, size) => exact(part[field], field, size);

/** @param {Part} part @param {string} field @param {number} [size] @returns {Bytes | null} */
export const findBytes = (part, field, size) =>
  part[field] === null || part[field] === undefined ? null : bytesOf(part, field, size);

/** @param {Part} part @param {string} field @returns {number} whole and not negative */
export function numberOf(part, field) {
  const value = part[field];
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new Cheated(FORM, `${field} is not a whole number`);
  }
  return value;
}

/** @param {Part} part @param {string} field @returns {number} whole, and negative where there is a minus */
export function signedOf(part, field) {
  const value = part[field];
  if (!Number.isSafeInteger(value)) throw new Cheated(FORM, `${field} is not a whole number`);
  return value;
}

/** @param {Part} part @param {string} field @returns {string} */
export function textOf(part, field) {
  const value = part[field];
  if (typeof value !== "string") throw new Cheated(FORM, `${field} is not a text`);
  return value;
}

/** @param {Part} part @param {string} field @returns {any[]} */
export function listOf(part, field) {
  const value = part[field];
  if (!Array.isArray(value)) throw new Cheated(FORM, `${field} is not a list`);
  return value;
}

/** @param {Part} part @param {string} field @returns {Part[]} */
export function partsOf(part, field) {
  const value = listOf(part, field);
  if (!value.every((each) => isPart(each))) throw new Cheated(FORM, `${field} is not a list of objects`);
  return value;
}

/** @param {Part} part @param {string} field @returns {Part} */
export function partOf(part, field) {
  if (!isPart(part[field])) throw new Cheated(FORM, `${field} is not an object`);
  return part[field];
}

/** @param {unknown} value */
const isPart = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
