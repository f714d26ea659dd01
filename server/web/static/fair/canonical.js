// @ts-check
/**
 * JSON in its one form: sorted keys, no spaces, ASCII, whole numbers (fairdeal/1 section 9). The
 * browser's own reader loses digits of large numbers and keys that are named twice, hence this one.
 */
import { problem } from "./wording.js";

/** @typedef {null | boolean | number | bigint | string | Value[] | Map<string, Value>} Value */

export const BYTES_MAX = 2 * 1024 * 1024;
const NESTING_MAX = 6; // objects and lists inside each other; a record needs five
const DIGITS_MAX = 20;

/** A file that is no record in its one form; `check` is the check that says so, null for the form. */
export class RefusedRecord extends Error {
  /** @param {string} code stable @param {import("./wording.js").Problem} text @param {number | null} [check] */
  constructor(code, text, check = null) {
    super(code);
    this.code = code;
    this.text = text;
    this.check = check;
  }
}

/** Write a value. @param {Value} value @returns {string} */
export function encode(value) {
  if (value instanceof Map) {
    const rows = [...value].sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${rows.map(([key, member]) => `${quoted(key)}:${encode(member)}`).join(",")}}`;
  }
  if (Array.isArray(value)) return `[${value.map(encode).join(",")}]`;
  return typeof value === "string" ? quoted(value) : String(value);
}

/** @param {string} text ASCII alone */
const quoted = (text) =>
  JSON.stringify(text).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Read a value, if its bytes are those that `encode` would write. @param {Uint8Array} data @returns {Value} */
export function decode(data) {
  if (data.length > BYTES_MAX) throw new RefusedRecord("too_large", problem("more than {bytes} bytes", { bytes: BYTES_MAX }));
  if (data.some((byte) => byte > 127)) throw new RefusedRecord("not_ascii", problem("a byte above 127"));
  const text = new TextDecoder().decode(data);
  refuseNesting(text);
  const value = new Reader(text).whole();
  if (encode(value) !== text) {
    throw new RefusedRecord("not_canonical", problem("not sorted, spaced or escaped as it must be"));
  }
  return value;
}

/** @param {string} text */
function refuseNesting(text) {
  let [depth, isQuoted] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at];
    if (isQuoted && c === "\\") at += 1;
    else if (c === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (c === "[" || c === "{")) depth += 1;
    else if (!isQuoted && (c === "]" || c === "}")) depth -= 1;
    if (depth > NESTING_MAX) {
      throw new RefusedRecord("too_deep", problem("nested more than {depth} deep", { depth: NESTING_MAX }));
    }
  }
}

const SPACE = /[ \t\n\r]*/y;
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?<more>(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)/y;
const WORD = /true|false|null|NaN|-?Infinity/y;
/** @type {Readonly<Record<string, Value>>} */
const WORDS = { true: true, false: false, null: null };

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  whole() {
    const value = this.value();
    this.found(SPACE);
    if (this.at < this.text.length) throw notJson(this.at);
    return value;
  }

  /** @returns {Value} */
  value() {
    this.found(SPACE);
    const first = this.text[this.at];
    if (first === "{") return this.object();
    if (first === "[") return this.list();
    if (first === '"') return this.string();
    const word = this.found(WORD)?.[0];
    if (word !== undefined) {
      if (!Object.hasOwn(WORDS, word)) throw notWhole(word);
      return /** @type {Value} */ (WORDS[word]);
    }
    const number = this.found(NUMBER);
    if (!number) throw notJson(this.at);
    return numberOf(number[0], number.groups?.["more"] ?? "");
  }

  /** @returns {Map<string, Value>} */
  object() {
    /** @type {Map<string, Value>} */
    const members = new Map();
    let [isNext, isTwice] = [!this.opens("}"), false];
    while (isNext) {
      this.found(SPACE);
      const key = this.string();
      this.expect(":");
      isTwice ||= members.has(key);
      members.set(key, this.value());
      isNext = this.goesOn("}");
    }
    if (isTwice) throw new RefusedRecord("duplicate_key", problem("an object names a key twice"));
    return members;
  }

  /** @returns {Value[]} */
  list() {
    const members = [];
    for (let isNext = !this.opens("]"); isNext; isNext = this.goesOn("]")) members.push(this.value());
    return members;
  }

  /** @returns {string} */
  string() {
    const found = this.found(TEXT);
    if (!found) throw notJson(this.at);
    return JSON.parse(found[0]);
  }

  /** Step inside; whether it is empty. @param {string} end */
  opens(end) {
    this.at += 1;
    this.found(SPACE);
    if (this.text[this.at] !== end) return false;
    this.at += 1;
    return true;
  }

  /** Whether another member follows. @param {string} end */
  goesOn(end) {
    this.found(SPACE);
    if (this.text[this.at] === end) {
      this.at += 1;
      return false;
    }
    this.expect(",");
    return true;
  }

  /** @param {string} mark */
  expect(mark) {
    this.found(SPACE);
    if (this.text[this.at] !== mark) throw notJson(this.at);
    this.at += 1;
  }

  /** @param {RegExp} pattern sticky */
  found(pattern) {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at += match[0].length;
    return match;
  }
}

/** @param {string} digits @param {string} more a fraction or an exponent */
function numberOf(digits, more) {
  if (more) throw notWhole(digits);
  if (digits.length > DIGITS_MAX) {
    throw new RefusedRecord("not_whole", problem("a number of more than {digits} digits", { digits: DIGITS_MAX }));
  }
  const value = BigInt(digits);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** @param {string} text */
const notWhole = (text) =>
  new RefusedRecord("not_whole", problem("{text} is no whole number", { text: text.slice(0, DIGITS_MAX) }));

/** @param {number} at */
const notJson = (at) => new RefusedRecord("not_json", problem("no JSON from letter {at} on", { at }));
