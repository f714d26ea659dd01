// @ts-check
/**
 * The server's keys as this browser holds them: pinned at first sight, followed by rotations that
 * the log proves, and by nothing else. A hand is signed by the key that was in force at its OPEN.
 */
import { unhex } from "../fair/bytes.js";
import { demand } from "./form.js";
import { NotNow } from "./proofs.js";
import { keyAt, leadsTo, rotationOf } from "./rotations.js";

/** @typedef {import("./form.js").Bytes} Bytes */
/** @typedef {import("./rotations.js").Rotation} Rotation */

const SERVER = "server";
const KEPT = "rotations";

export class ServerKeys {
  /** @param {import("./vault.js").Vault} vault @param {import("./proofs.js").Proofs} proofs */
  constructor(vault, proofs) {
    this.vault = vault;
    this.proofs = proofs;
    /** @type {Bytes} */
    this.current = new Uint8Array();
    /** @type {Rotation[]} */
    this.rotations = [];
  }

  /**
   * Hear which keys the server says that it has. Throws `NotNow` if it can't say where they are from.
   * @param {Bytes} key @param {string} keyText the same in hex @param {string} vkey
   */
  async welcome(key, keyText, vkey) {
    const pinned = this.vault.pin(SERVER, keyText);
    const isKnown = pinned === keyText && this.proofs.isPinned(vkey);
    this.rotations = await this.#kept();
    let told = this.rotations;
    try {
      told = await this.proofs.rotations();
    } catch (error) {
      if (!(error instanceof NotNow) || !isKnown) throw error;
    }
    demand(leadsTo(told, "signing", unhex(pinned, 32), key), 1, "the server's key is not the pinned one");
    await this.proofs.pin(vkey, told);
    await this.#prove(told, isKnown);
    this.current = key;
    this.vault.keep(SERVER, keyText);
    this.proofs.keep(vkey, this.rotations);
  }

  /** The key that was in force at an index of the log. @param {number} index */
  at(index) {
    return keyAt(this.rotations, "signing", this.current, index);
  }

  /** Have the log prove what is new, and keep it. @param {Rotation[]} told @param {boolean} isKnown */
  async #prove(told, isKnown) {
    const known = new Set(this.rotations.map((one) => one.entry));
    const fresh = told.filter((one) => one.role !== "sealing" && one.holds && !known.has(one.entry));
    try {
      for (const one of fresh) await this.proofs.proveRotation(one);
    } catch (error) {
      if (error instanceof NotNow && isKnown) return;
      throw error;
    }
    if (!fresh.length) return;
    this.rotations = [...this.rotations, ...fresh].sort((one, other) => one.index - other.index);
    this.vault.keep(KEPT, this.rotations.map((one) => [one.index, one.entry]));
  }

  /** @returns {Promise<Rotation[]>} what was proved before */
  async #kept() {
    const rows = this.vault.find(KEPT) ?? [];
    return Promise.all(rows.map((/** @type {[number, string]} */ [index, entry]) => rotationOf(index, entry)));
  }
}
