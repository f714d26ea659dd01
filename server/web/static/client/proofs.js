// @ts-check
/**
 * The public log as this browser holds the server to it (fairdeal/1 check 10; by its proofs 2, 9,
 * 16): every root that a frame names must hold its entry, be signed by the log's pinned key, and
 * be of one log that only grows from the last checkpoint that this browser has kept.
 */
import { hex, unhex } from "../fair/bytes.js";
import { isConsistent, leafHash } from "../fair/merkle.js";
import { Cheated, demand, exact } from "./form.js";
import { keyOfDay, noteKey, readCheckpoint } from "./note.js";
import { checkInclusion } from "./opening.js";
import { keyAt, leadsTo, rotationOf } from "./rotations.js";

/** @typedef {import("./form.js").Bytes} Bytes */
/** @typedef {import("./opening.js").LogHead} LogHead */
/** @typedef {{size: number, root: Bytes}} Root */
/** @typedef {import("./rotations.js").Rotation} Rotation */

const GROWS = 10;
const LOG = "/api/v1/log";
const LAST = "log";
const KEY = "log key";
const PROOF_MS = 8000;

/** The server can't be asked at this moment. */
export class NotNow extends Error {}

export class Proofs {
  /** @param {import("./vault.js").Vault} vault @param {typeof fetch} [ask] */
  constructor(vault, ask = (...args) => fetch(...args)) {
    this.vault = vault;
    this.ask = ask;
    /** @type {import("./note.js").NoteKey | null} */
    this.key = null;
    /** @type {readonly Rotation[]} */
    this.kept = [];
  }

  /** Hold the server to the log's key that was seen first, or that this one handed over to. @param {string} vkey @param {readonly Rotation[]} [rotations] */
  async pin(vkey, rotations = []) {
    const known = await noteKey(this.vault.pin(KEY, vkey));
    const key = await noteKey(vkey);
    const leads = known.name === key.name && leadsTo(rotations, "log", known.pub, key.pub);
    demand(leads, GROWS, "the log's key is not the pinned one");
    this.key = key;
  }

  /** Whether a key is the pinned one, or may become it. @param {string} vkey */
  isPinned(vkey) {
    return [undefined, vkey].includes(this.vault.find(KEY));
  }

  /** Pin a key in the place of the one that handed over to it. @param {string} vkey @param {readonly Rotation[]} rotations */
  keep(vkey, rotations) {
    this.vault.keep(KEY, vkey);
    this.kept = rotations;
  }

  /** Ask for the rotations in the log; none if the server has no such list. @returns {Promise<Rotation[]>} */
  async rotations() {
    const answer = await this.#get("keys", {}, null);
    if (answer.status !== 200) return [];
    const body = await answer.json().catch(() => null);
    if (!Array.isArray(body?.keys)) throw new Cheated(19, "the list of rotations has a wrong form");
    return Promise.all(body.keys.map((/** @type {any} */ row) => rotationOf(row?.index, row?.entry)));
  }

  /** Check that a rotation lies in the signed log, where it is said to. @param {Rotation} rotation */
  async proveRotation(rotation) {
    if (!this.key) throw new NotNow();
    const note = await (await this.#get("checkpoint", {}, GROWS)).text();
    const { size, root } = readCheckpoint(note, this.key);
    demand(rotation.index < size, GROWS, "a rotation lies beyond the log");
    const leaf = await leafHash(unhex(rotation.entry));
    const head = { check: GROWS, leaf, index: rotation.index, size, root, path: null, note };
    if (!(await this.prove(head))) throw new NotNow();
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
      // a frame has the checkpoint of its day, by the key that was in force then
      const signer = await keyOfDay(key, keyAt(this.kept, "log", key.pub, head.size - 1));
      const signed = readCheckpoint(head.note, signer);
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

  /** @param {string} path @param {Record<string, number>} wanted @param {number | null} check null: any answer will do @returns {Promise<Response>} */
  async #get(path, wanted, check) {
    const query = new URLSearchParams(Object.entries(wanted).map(([key, value]) => [key, String(value)]));
    let answer;
    try {
      answer = await this.ask(`${LOG}/${path}?${query}`, { signal: AbortSignal.timeout(PROOF_MS) });
    } catch {
      throw new NotNow();
    }
    if (answer.status === 429 || answer.status >= 500) throw new NotNow();
    if (check !== null) demand(answer.status === 200, check, `the server refuses a proof of its log: ${path}`);
    return answer;
  }
}
