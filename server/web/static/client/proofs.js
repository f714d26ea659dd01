// @ts-check
/**
 * The public log as this browser holds the server to it (fairdeal/1 check 10; by its proofs 2, 9,
 * 16): every root that a frame names must hold its entry, be signed by the log's pinned key, and
 * be of one log that only grows from the last checkpoint that this browser has kept.
 */
import { hex, unhex } from "../fair/bytes.js";
import { isConsistent } from "../fair/merkle.js";
import { Cheated, demand, exact } from "./form.js";
import { noteKey, readCheckpoint } from "./note.js";
import { checkInclusion } from "./opening.js";

/** @typedef {import("./form.js").Bytes} Bytes */
/** @typedef {import("./opening.js").LogHead} LogHead */
/** @typedef {{size: number, root: Bytes}} Root */

const GROWS = 10;
const LOG = "/api/v1/log";
const LAST = "log";
const PROOF_MS = 8000;

/** The server can't be asked at this moment. */
class NotNow extends Error {}

export class Proofs {
  /** @param {import("./vault.js").Vault} vault @param {typeof fetch} [ask] */
  constructor(vault, ask = (...args) => fetch(...args)) {
    this.vault = vault;
    this.ask = ask;
    /** @type {import("./note.js").NoteKey | null} */
    this.key = null;
  }

  /** Hold the server to the log's key that was seen first. @param {string} vkey */
  async pin(vkey) {
    demand(this.vault.pin("log key", vkey) === vkey, GROWS, "the log's key is not the pinned one");
    this.key = await noteKey(vkey);
  }

  /**
   * Check that an entry is in the log, that the log is signed, and that it has only grown.
   * @param {LogHead} head @returns {Promise<boolean>} false if the server can't be asked just now
   */
  async prove(head) {
    if (!this.key) return false;
    try {
      if (!head.path) await checkInclusion(head, await this.#proof("inclusion", "path", { index: head.index, size: head.size }, head.check));
      await this.#onlyGrew(await this.#signed(head, this.key));
    } catch (error) {
      if (error instanceof NotNow) return false;
      throw error;
    }
    return true;
  }

  /** Find the signed checkpoint that vouches for a head: its own, or the latest one. @param {LogHead} head @param {import("./note.js").NoteKey} key @returns {Promise<Root>} */
  async #signed(head, key) {
    const named = { size: head.size, root: head.root };
    if (head.note !== null) {
      const signed = readCheckpoint(head.note, key);
      const isNamed = signed.size === named.size && hex(signed.root) === hex(named.root);
      demand(isNamed, GROWS, `the checkpoint that came along is not of the log of size ${named.size}`);
      return named;
    }
    const signed = readCheckpoint(await (await this.#get("checkpoint", {}, GROWS)).text(), key);
    demand(signed.size >= named.size, GROWS, `the log's checkpoint is older than size ${named.size}`);
    await this.#grewInto(named, signed);
    return signed;
  }

  /** @param {Root} seen */
  async #onlyGrew(seen) {
    const kept = this.vault.find(LAST);
    if (kept) {
      const known = { size: Number(kept.size), root: unhex(kept.root, 32) };
      await (known.size <= seen.size ? this.#grewInto(known, seen) : this.#grewInto(seen, known));
    }
    if (!kept || seen.size > kept.size) this.vault.keep(LAST, { size: seen.size, root: hex(seen.root) });
  }

  /** @param {Root} older @param {Root} newer */
  async #grewInto(older, newer) {
    const wanted = { old: older.size, new: newer.size };
    const proof = older.size === newer.size ? [] : await this.#proof("consistency", "proof", wanted, GROWS);
    const holds = await isConsistent({ old: older.size, oldRoot: older.root, size: newer.size, root: newer.root, proof });
    demand(holds, GROWS, `the log of size ${newer.size} does not begin with that of size ${older.size}`);
  }

  /** @param {string} path @param {string} field @param {Record<string, number>} wanted @param {number} check @returns {Promise<Bytes[]>} */
  async #proof(path, field, wanted, check) {
    const answer = await this.#get(path, wanted, check);
    const body = await answer.json().catch(() => null);
    if (!Array.isArray(body?.[field])) throw new Cheated(19, "a proof of the log has a wrong form");
    return body[field].map((/** @type {unknown} */ node) => exact(node, field));
  }

  /** @param {string} path @param {Record<string, number>} wanted @param {number} check @returns {Promise<Response>} */
  async #get(path, wanted, check) {
    const query = new URLSearchParams(Object.entries(wanted).map(([key, value]) => [key, String(value)]));
    let answer;
    try {
      answer = await this.ask(`${LOG}/${path}?${query}`, { signal: AbortSignal.timeout(PROOF_MS) });
    } catch {
      throw new NotNow();
    }
    if (answer.status === 429 || answer.status >= 500) throw new NotNow();
    demand(answer.status === 200, check, `the server refuses a proof of its log: ${path}`);
    return answer;
  }
}
