// @ts-check
/**
 * What a browser must not lose: its seeds with their "revealed once" flags, its key, its pins.
 *
 * A seed is stored before its commit leaves, and a reveal's flag before the reveal leaves, so that
 * a page that is loaded anew neither loses its entropy nor reveals it for a second list.
 */
import { hex, unhex } from "../fair/bytes.js";
import { phraseSeed } from "../fair/fairdeal.js";
import { objectAt } from "../kept.js";
import { Cheated } from "./form.js";

/** @typedef {import("./form.js").Bytes} Bytes */
/** @typedef {{z: string, revealed: Record<string, string>}} Seed */
/** @typedef {Pick<Storage, "getItem" | "setItem">} Store */

/** Seeds of the newest hands; an older hand has long ended. */
const SEEDS_KEPT = 64;
const SEEDS = "pakka.seeds";
const PINS = "pakka.pins";

/** The browser has no room for what must not be lost: no promise of the server's is broken. */
export class Unkept extends Error {}

/** @param {number} count */
const fresh = (count) => crypto.getRandomValues(new Uint8Array(count));

export class Vault {
  /** @param {Store} store @param {string} owner whose it is: two players of one browser share no seed */
  constructor(store, owner) {
    this.store = store;
    this.owner = owner;
    /** Words of the player's own that are mixed into the next seeds. */
    this.phrase = "";
    /** Whether the player lets the server alone bring chance for the next hands. */
    this.isSeedless = false;
  }

  /** @returns {Bytes} the secret of the seat's signing key, made at the first call */
  key() {
    return unhex(this.pin(`key ${this.owner}`, hex(fresh(32))), 32);
  }

  /**
   * Give z for a hand's attempt: fresh at the first call, stored before it is returned.
   * @param {Uint8Array} hand @returns {Promise<Bytes>}
   */
  async makeSeed(hand) {
    const known = this.findSeed(hand);
    if (known) return known;
    const random = fresh(32);
    const made = this.phrase ? await phraseSeed(this.phrase, random) : random;
    const seeds = this.#seeds();
    seeds[this.#name(hand)] ??= { z: hex(made), revealed: {} };
    const names = Object.keys(seeds);
    for (const old of names.slice(0, Math.max(0, names.length - SEEDS_KEPT))) delete seeds[old];
    this.#write(SEEDS, seeds);
    return /** @type {Bytes} */ (this.findSeed(hand));
  }

  /** @param {Uint8Array} hand @returns {Bytes | null} z, null if this browser never made one */
  findSeed(hand) {
    const seed = this.#seeds()[this.#name(hand)];
    return seed ? unhex(seed.z, 32) : null;
  }

  /**
   * Note, before it is sent, that the link of `epoch` is revealed for list or call `why`; the same
   * reveal may be sent again, as after a lost connection.
   * @param {Uint8Array} hand @param {number} epoch @param {Uint8Array} why
   */
  markRevealed(hand, epoch, why) {
    const seeds = this.#seeds();
    const seed = seeds[this.#name(hand)];
    if (!seed) throw new Cheated(epoch ? 14 : 4, "a reveal is asked for, and no seed was made");
    const before = seed.revealed[String(epoch)];
    if (before !== undefined && before !== hex(why)) {
      const what = epoch ? "call" : "list";
      throw new Cheated(epoch ? 14 : 4, `a second reveal is asked for, for another ${what}`);
    }
    seed.revealed[String(epoch)] = hex(why);
    this.#write(SEEDS, seeds);
  }

  /** Keep `value` under `name` at the first call; give what was kept ever after. @param {string} name @param {string} value @returns {string} */
  pin(name, value) {
    if (this.find(name) === undefined) this.keep(name, value);
    return String(this.find(name));
  }

  /** @param {string} name @returns {any} what was last kept, or undefined */
  find(name) {
    return this.#read(PINS)[name];
  }

  /** Keep `value` in place of what was there. @param {string} name @param {unknown} value */
  keep(name, value) {
    this.#write(PINS, { ...this.#read(PINS), [name]: value });
  }

  /** @param {Uint8Array} hand */
  #name(hand) {
    return `${this.owner} ${hex(hand)}`;
  }

  /** @returns {Record<string, Seed>} */
  #seeds() {
    return this.#read(SEEDS);
  }

  /** Read anew each time: another tab may have written. @param {string} place @returns {Record<string, any>} */
  #read(place) {
    return objectAt(this.store, place);
  }

  /** @param {string} place @param {unknown} content */
  #write(place, content) {
    const text = JSON.stringify(content);
    this.store.setItem(place, text);
    if (this.store.getItem(place) !== text) throw new Unkept("this browser keeps nothing");
  }
}
