// @ts-check
/** Bytes, hex and integers, as fairdeal/1 section 2 writes them. */

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} its ASCII bytes; TypeError if it has others */
export function ascii(text) {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code > 127) throw new TypeError("not ASCII");
    bytes[i] = code;
  }
  return bytes;
}

/** @param {readonly Uint8Array[]} parts @returns {Uint8Array<ArrayBuffer>} */
export function concat(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {Uint8Array} bytes @returns {string} lower-case hex */
export function hex(bytes) {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/**
 * @param {unknown} text lower-case hex
 * @param {number} [length] demanded length in bytes
 * @returns {Uint8Array<ArrayBuffer>} TypeError for anything else
 */
export function unhex(text, length) {
  if (typeof text !== "string" || text.length % 2 || !/^[0-9a-f]*$/.test(text)) {
    throw new TypeError("not lower-case hex");
  }
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i += 1) {
    bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  }
  if (length !== undefined && bytes.length !== length) {
    throw new TypeError(`expected ${length} bytes, not ${bytes.length}`);
  }
  return bytes;
}

/** @param {number} width @param {number | bigint} value @returns {Uint8Array<ArrayBuffer>} */
function unsigned(width, value) {
  let rest = BigInt(value);
  if (rest < 0n || rest >> BigInt(8 * width)) throw new RangeError(`${value} is no u${8 * width}`);
  const bytes = new Uint8Array(width);
  for (let i = width - 1; i >= 0; i -= 1) {
    bytes[i] = Number(rest & 255n);
    rest >>= 8n;
  }
  return bytes;
}

/** @param {number} value */
export const u8 = (value) => unsigned(1, value);
/** @param {number} value */
export const u16 = (value) => unsigned(2, value);
/** @param {number} value */
export const u32 = (value) => unsigned(4, value);
/** @param {number | bigint} value */
export const u64 = (value) => unsigned(8, value);

/** @param {Uint8Array} one @param {Uint8Array} other @returns {boolean} */
export function same(one, other) {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

/** @param {Uint8Array} value @returns {Uint8Array} the same, if it is exactly 32 bytes (check 19) */
export function hash32(value) {
  if (value.length !== 32) throw new RangeError(`expected 32 bytes, not ${value.length}`);
  return value;
}

/** @param {string} text standard base64 with padding @returns {Uint8Array<ArrayBuffer>} */
export function unbase64(text) {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
    throw new TypeError("not base64");
  }
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** @param {Uint8Array} bytes @returns {string} standard base64 with padding */
export const base64 = (bytes) => btoa(String.fromCharCode(...bytes));
