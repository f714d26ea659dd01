// @ts-check
/**
 * A hand as its public lines tell it to one seat, or to a spectator: what every game's follower
 * answers to the deal's checks, and what the free games' followers have in common.
 */
import { Cheated, demand } from "./form.js";

/** @typedef {import("./form.js").Part} Part */
/** @typedef {import("./rummy.js").Gift} Gift */
/** @typedef {import("./rummy.js").Out} Out */
/**
 * What is known of a hand when its list is signed; `dealer` is null if the toss decides, `me` for a
 * spectator, `memo` what the match has brought, `played` the matches that seats have finished.
 * @typedef {{options: Part, packSize: number, seats: number[], kinds: Map<number, number>,
 *   played: Map<number, number>, dealer: number | null, me: number | null, memo: string}} Begun
 */
/**
 * Something that a seat did: `cards` of the floor, a `suit`, or a `value` belong to some acts.
 * @typedef {{seat: number, what: string, card: string | null, isAuto: boolean, k: number,
 *   suit?: string, value?: number, cards?: string[]}} Act
 */
/**
 * Each method throws `Cheated` (12 to 18) for what the rules don't allow.
 * @typedef {object} PublicHand
 * @property {number[]} seats
 * @property {number[]} inPlay
 * @property {number | null} acting
 * @property {boolean} waits for a reshuffle
 * @property {string[]} holding the own cards
 * @property {Act[]} acts
 * @property {Map<number, Out>} out
 * @property {(seat: number) => boolean} mayAct
 * @property {(seat: number) => number} cardCount
 * @property {number[]} draws
 * @property {(toss: number[]) => Gift[]} deal
 * @property {(line: string) => Gift[]} line
 * @property {(gift: Gift, card: string) => void} seen
 * @property {() => string[]} call
 * @property {(epoch: number) => void} reshuffled
 * @property {(seat: number, out: Out) => void} wentOut
 */

export const TOSS = 17;
export const RULES = 18;
export const HELD_ELSEWHERE = 13;

export class FreeHand {
  /** @param {Begun} begun */
  constructor(begun) {
    this.begun = begun;
    this.options = begun.options;
    this.seats = begun.seats;
    this.dealer = begun.dealer;
    this.me = begun.me;
    /** @type {number | null} */
    this.acting = null;
    /** @type {string[]} */
    this.holding = [];
    /** @type {Act[]} */
    this.acts = [];
    this.inPlay = [...begun.seats];
    this.waits = false;
    /** Nobody goes out: a substitute plays on. @type {Map<number, Out>} */
    this.out = new Map();
    /** @type {Set<number>} */
    this.left = new Set();
  }

  /** What the toss draws below, where it decides who deals. */
  get draws() {
    return [this.seats.length];
  }

  /** @param {number} seat */
  mayAct(seat) {
    return this.acting === seat;
  }

  /** @param {Gift} gift @param {string} card */
  seen(gift, card) {
    this.holding.push(card);
  }

  /** @returns {string[]} */
  call() {
    throw new Cheated(14, "a reshuffle in a game without one");
  }

  /** @param {number} epoch */
  reshuffled(epoch) {
    throw new Cheated(14, `a reshuffle ${epoch} in a game without one`);
  }

  wentOut() {
    throw new Cheated(RULES, "a seat is out of a game that nobody goes out of");
  }

  /** @param {number} seat @returns {number} */
  after(seat) {
    return (seat + 1) % this.seats.length;
  }

  /** Take the dealer of the toss, if none is fixed: the index of a listed seat. @param {number[]} toss @param {number} size */
  dealtBy(toss, size) {
    this.demandFull(size);
    if (this.dealer === null) {
      const drawn = toss[0];
      const fits = toss.length === 1 && Number.isInteger(drawn) && Number(drawn) >= 0 && Number(drawn) < size;
      demand(fits, TOSS, "the toss is not one listed seat");
      this.dealer = /** @type {number} */ (drawn);
    } else demand(toss.length === 0, TOSS, "a toss where the dealer was fixed");
    return this.dealer;
  }

  /** @param {number} dealer */
  dealsFrom(dealer) {
    this.dealer = dealer;
  }

  /** @param {number} size */
  demandFull(size) {
    const isFull = this.seats.length === size && this.seats.every((seat, i) => seat === i);
    demand(isFull, TOSS, "not every seat is dealt in");
  }

  /** Follow a leaver and an owner's return. @param {number} seat @param {"leave" | "back"} word */
  comesOrGoes(seat, word) {
    if (word === "leave") {
      demand(!this.left.has(seat), RULES, `seat ${seat} leaves twice`);
      this.left.add(seat);
    } else this.left.delete(seat);
    this.note(seat, word, false);
  }

  /** @param {number} seat @param {string} what @param {boolean} isAuto @param {Partial<Act>} [more] */
  note(seat, what, isAuto, more = {}) {
    this.acts.push({ seat, what, card: null, isAuto, k: this.acts.length, ...more });
  }
}
