// @ts-check
/** This seat's part in a deal: its commit, its reveals. Nothing is sent before the vault has it. */
import { hex, same } from "../fair/bytes.js";
import { again, chain, reveal, seatCommit } from "../fair/fairdeal.js";
import { NO_KEY, ZERO, bytesOf, demand, numberOf } from "./form.js";
import { publicOf, sign } from "./keys.js";
import { checkReceipt, seatIn } from "./listing.js";
import { handOf } from "./opening.js";

/** @typedef {import("./form.js").Part} Part */
/** @typedef {import("./opening.js").OpenHand} OpenHand */
/** @typedef {import("./listing.js").SignedList} SignedList */
/** @typedef {import("./listing.js").OwnCommit} OwnCommit */

export class OwnPart {
  /** @param {import("./vault.js").Vault} vault */
  constructor(vault) {
    this.vault = vault;
    this.secret = vault.key();
    this.pub = publicOf(this.secret);
  }

  /** Make a fresh chain, store it, and write the frame that commits to it; or say that none is given. @param {OpenHand} opened @param {number} attempt @param {number} seat @returns {Promise<[OwnCommit, Part]>} */
  async commit(opened, attempt, seat) {
    const hand = await handOf(opened, attempt);
    if (this.vault.isSeedless) {
      this.vault.keep("seedless hand", hex(hand));
      const d = { attempt, without_seed: true };
      return [without(attempt, seat), { t: "deal.commit", hand: opened.handNo, d }];
    }
    const { commit, ...own } = await this.#recall(opened, attempt, seat, await this.vault.makeSeed(hand));
    const sig = hex(sign(this.secret, "commit", commit));
    const d = { attempt, commit: hex(commit), pub: hex(own.pub), sig };
    return [{ ...own, commit }, { t: "deal.commit", hand: opened.handNo, d }];
  }

  /** Find what this browser committed before it was loaded anew. @param {OpenHand} opened @param {number} attempt @param {number} seat @returns {Promise<OwnCommit | null>} */
  async find(opened, attempt, seat) {
    const hand = await handOf(opened, attempt);
    if (this.vault.find("seedless hand") === hex(hand)) return without(attempt, seat);
    const seed = this.vault.findSeed(hand);
    return seed ? this.#recall(opened, attempt, seat, seed) : null;
  }

  /** Write the reveal of x[0] for a list that holds; once for each attempt. @param {OpenHand} opened @param {SignedList} signed @param {number} seat @returns {Promise<Part>} */
  async reveal(opened, signed, seat) {
    const x = await this.#link(signed, seat, 0, signed.digest);
    const sig = hex(sign(this.secret, "reveal", await reveal(signed.digest, x)));
    return { t: "deal.reveal", hand: opened.handNo, d: { attempt: signed.attempt, x: hex(x), sig } };
  }

  /** Write the reveal of x[epoch] for a call that holds; once for each epoch. @param {OpenHand} opened @param {SignedList} signed @param {number} seat @param {import("./heads.js").Call} call @returns {Promise<Part>} */
  async revealAgain(opened, signed, seat, call) {
    const x = await this.#link(signed, seat, call.epoch, call.digest);
    const sig = hex(sign(this.secret, "again", await again(call.digest, x)));
    return { t: "deal.reveal_again", hand: opened.handNo, d: { epoch: call.epoch, x: hex(x), sig } };
  }

  /** Whether the signed list holds this seat's own commit, and its seed is here. @param {OpenHand} opened @param {SignedList} signed @param {number} seat */
  async canReveal(opened, signed, seat) {
    const one = seatIn(signed, seat);
    const own = await this.find(opened, signed.attempt, seat);
    return own !== null && own.commit !== null && one !== null && one.status === 1 && same(one.commit, own.commit);
  }

  /** Check a receipt against what was sent; give its kind. @param {Part} part @param {OpenHand} opened @param {OwnCommit} own @returns {Promise<number>} */
  async receipt(part, opened, own) {
    const kind = numberOf(part, "kind");
    demand(kind <= 9, 4, "a receipt of a kind that there is not");
    /** @type {Uint8Array} */
    let value = own.commit ?? ZERO;
    if (kind > 0) {
      const hand = await handOf(opened, own.attempt);
      const links = await chain(this.vault.findSeed(hand) ?? ZERO, hand, own.seat);
      value = links[kind - 1] ?? bytesOf(part, "value");
    }
    await checkReceipt(part, opened, own.seat, kind, value, kind === 0 ? 3 : kind === 1 ? 4 : 14);
    return kind;
  }

  /** @param {OpenHand} opened @param {number} attempt @param {number} seat @param {Uint8Array} seed */
  async #recall(opened, attempt, seat, seed) {
    const hand = await handOf(opened, attempt);
    const [first] = await chain(seed, hand, seat);
    const serverCommit = /** @type {Uint8Array} */ (opened.commits[attempt]);
    const commit = await seatCommit(hand, serverCommit, seat, this.pub, /** @type {Uint8Array} */ (first));
    return { attempt, seat, pub: this.pub, commit, mustBeListed: false };
  }

  /** @param {SignedList} signed @param {number} seat @param {number} epoch @param {Uint8Array} why @returns {Promise<Uint8Array>} */
  async #link(signed, seat, epoch, why) {
    this.vault.markRevealed(signed.hand, epoch, why);
    const seed = /** @type {Uint8Array} */ (this.vault.findSeed(signed.hand));
    return /** @type {Uint8Array} */ ((await chain(seed, signed.hand, seat))[epoch]);
  }
}

/** What is known of a seat that gives no seed. @param {number} attempt @param {number} seat @returns {OwnCommit} */
const without = (attempt, seat) => ({ attempt, seat, pub: NO_KEY, commit: null, mustBeListed: false });
