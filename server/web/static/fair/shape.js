// @ts-check
/** Plain JSON values are read by their form, strictly: no member more, none fewer. */
import { unhex } from "./bytes.js";
import { RefusedRecord } from "./canonical.js";
import { problem } from "./wording.js";

/** @typedef {import("./canonical.js").Value} Value */
/** @template T @typedef {(value: Value | undefined, where: string) => T} Form */
/** @typedef {Readonly<Record<string, Form<any>>>} Members */
/** @template {Members} M @typedef {{[K in keyof M]: ReturnType<M[K]>}} Read */
/** @typedef {Readonly<Record<string, number | bigint | boolean | string>>} Plain */

const LENGTHS_CHECK = 19;

/** @param {string} template @param {Readonly<Record<string, string | number | bigint>>} parts */
const refused = (template, parts) => new RefusedRecord("shape", problem(template, parts));

/** @param {Value | undefined} value @param {string} where @returns {string} */
function hexText(value, where) {
  if (typeof value !== "string" || !/^(?:[0-9a-f]{2})*$/.test(value)) {
    throw refused("{where} must be lower-case hex", { where });
  }
  return value;
}

/** @param {number} size @returns {Form<Uint8Array>} */
export const hexed = (size) => (value, where) => {
  const text = hexText(value, where);
  if (text.length !== 2 * size) {
    const said = problem("{where} must be exactly {size} bytes, not {found}", { where, size, found: text.length / 2 });
    throw new RefusedRecord("length", said, LENGTHS_CHECK);
  }
  return unhex(text);
};

/** @param {number} most @returns {Form<Uint8Array>} */
export const hexedAtMost = (most) => (value, where) => {
  const text = hexText(value, where);
  if (text.length > 2 * most) throw refused("{where} must be at most {most} bytes", { where, most });
  return unhex(text);
};

/** @param {number} low @param {number} high @returns {Form<number>} */
export const whole = (low, high) => (value, where) => {
  if (typeof value !== "number" || value < low || value > high) {
    throw refused("{where} must be a whole number from {low} to {high}", { where, low, high });
  }
  return value;
};

/** Numbers beyond 2 ** 53. @param {bigint} low @param {bigint} high @returns {Form<bigint>} */
export const large = (low, high) => (value, where) => {
  if ((typeof value !== "number" && typeof value !== "bigint") || value < low || value > high) {
    throw refused("{where} must be a whole number from {low} to {high}", { where, low, high });
  }
  return BigInt(value);
};

const PRINTABLE = /^[ -~]*$/;

/** Printable ASCII on one line unless free. @param {number} most @param {boolean} [isFree] @returns {Form<string>} */
export const text = (most, isFree = false) => (value, where) => {
  const isGood = typeof value === "string" && [...value].length <= most && (isFree || PRINTABLE.test(value));
  if (!isGood) throw refused("{where} must be text of at most {most} letters on one line", { where, most });
  return value;
};

/** @template T @param {Form<T>} form @returns {Form<T | null>} */
export const orNull = (form) => (value, where) => (value === null ? null : form(value, where));

/** @template T @param {Form<T>} form @param {number} most @returns {Form<T[]>} */
export const listOf = (form, most) => (value, where) => {
  if (!Array.isArray(value)) throw refused("{where} must be a list", { where });
  if (value.length > most) throw refused("{where} has more than {most} members", { where, most });
  return value.map((member, i) => form(member, `${where}[${i}]`));
};

/** @template {Members} M @param {M} members @returns {Form<Read<M>>} */
export const objectOf = (members) => (value, where) => {
  const names = Object.keys(members);
  if (!(value instanceof Map) || value.size !== names.length || !names.every((name) => value.has(name))) {
    const parts = { where: where || "the record", names: names.join(", ") };
    throw refused("{where} must have the members {names}", parts);
  }
  const prefix = where ? `${where}.` : "";
  const rows = Object.entries(members).map(([name, form]) => [name, form(value.get(name), prefix + name)]);
  return Object.fromEntries(rows);
};

/** Texts, whole numbers and booleans by lower-case names. @param {number} most @returns {Form<Plain>} */
export const plainOf = (most) => (value, where) => {
  if (!(value instanceof Map) || value.size > most) {
    throw refused("{where} must be an object of at most {most} members", { where, most });
  }
  for (const [key, member] of value) {
    if (!["number", "bigint", "boolean", "string"].includes(typeof member) || !/^[a-z][a-z0-9_]*$/.test(key)) {
      throw refused("{where} must hold texts, whole numbers and booleans by lower-case names", { where });
    }
    if (!PRINTABLE.test(String(member))) throw refused("{where} must be ASCII, each on one line", { where });
  }
  return /** @type {Plain} */ (Object.fromEntries(value));
};
