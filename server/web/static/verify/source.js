// @ts-check
/** Where a record comes from: a hand's number at this server, or a file; never more than its limit. */
import { BYTES_MAX } from "../fair/canonical.js";
import { concat, unhex } from "../fair/bytes.js";
import { keyOf } from "../fair/note.js";

/** @typedef {import("./strings.js").Key} Key */

/** A record that could not be had, or a key that can't be read; `key` is the text that says so. */
export class Unreadable extends Error {
  /** @param {Key} key */
  constructor(key) {
    super(key);
    this.key = key;
  }
}

const REFUSALS = /** @type {readonly Key[]} */ (["no_such_hand", "hand_not_over", "hand_has_no_record", "slow_down"]);

/** @param {string} hand its number as typed */
export const recordAddress = (hand) => new URL(`api/v1/hands/${hand}/record`, location.href).href;

/** @param {File} file @returns {Promise<Uint8Array>} */
export async function readFile(file) {
  if (file.size > BYTES_MAX) throw new Unreadable("too_large");
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Unreadable("unreadable");
  }
}

/** @param {string} hand @returns {Promise<Uint8Array>} */
export async function fetchRecord(hand) {
  if (!/^[1-9][0-9]{0,18}$/.test(hand)) throw new Unreadable("bad_number");
  let answer;
  try {
    answer = await fetch(recordAddress(hand), { redirect: "error", credentials: "omit" });
    if (answer.ok) return await upToLimit(answer);
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable("no_answer");
  }
  const { code } = await answer.json().catch(() => ({ code: null }));
  throw new Unreadable(REFUSALS.find((known) => known === code) ?? "no_answer");
}

/** @param {Response} answer @returns {Promise<Uint8Array>} */
async function upToLimit(answer) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concat(parts);
    size += value.length;
    if (size > BYTES_MAX) {
      await reader.cancel();
      throw new Unreadable("too_large");
    }
    parts.push(value);
  }
}

/** The keys as they were typed; empty ones are not known. @param {string} serverKey @param {string} logKey @returns {Promise<import("../fair/evidence.js").Pinned>} */
export async function pinnedKeys(serverKey, logKey) {
  if (serverKey && !/^[0-9a-f]{64}$/.test(serverKey)) throw new Unreadable("bad_server_key");
  try {
    return {
      serverKey: serverKey ? unhex(serverKey) : undefined,
      logKey: logKey ? await keyOf(logKey) : undefined,
    };
  } catch {
    throw new Unreadable("bad_log_key");
  }
}
