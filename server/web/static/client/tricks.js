// @ts-check
/** The tricks of a hand as its public lines tell them (checks 13 and 18). */
import { packOf } from "../cards.js";
import { SEATS, bestOf } from "../tricks.js";
import { demand } from "./form.js";
import { FreeHand, HELD_ELSEWHERE, RULES } from "./public.js";

/** Which cards of a holding may be played to a trick. @typedef {(holding: readonly string[], trick: readonly string[]) => string[]} Legal */

const PACK = packOf(1, 0);

export class TrickHand extends FreeHand {
  /** @param {import("./public.js").Begun} begun */
  constructor(begun) {
    super(begun);
    this.trump = "";
    /** @type {import("../tricks.js").Played[]} */
    this.trick = [];
    /** @type {import("../tricks.js").Trick[]} */
    this.tricks = [];
    this.lacking = Array.from({ length: SEATS }, () => /** @type {Set<string>} */ (new Set()));
    /** How many cards each seat has been dealt. */
    this.dealt = 0;
  }

  /** The cards that were played, in order. @returns {string[]} */
  get played() {
    return [...this.tricks.flatMap((trick) => trick.cards), ...this.trick].map((one) => one.card);
  }

  /** @param {number} seat */
  taken(seat) {
    return this.tricks.filter((trick) => trick.winner === seat).length;
  }

  /** @param {number} seat */
  cardCount(seat) {
    return this.dealt - this.tricks.length - (this.trick.some((one) => one.seat === seat) ? 1 : 0);
  }

  /** Note that all have seen a card that a seat was given. @param {number} seat @param {string} card */
  show(seat, card) {
    this.lacking.forEach((cards, other) => other !== seat && cards.add(card));
  }

  /** Follow a card and say who is next: the winner of a full trick leads. @param {number} seat @param {string} card @param {Legal} legal @param {boolean} isAuto @returns {number} */
  lay(seat, card, legal, isAuto) {
    demand(!this.played.includes(card), HELD_ELSEWHERE, `${card} is played twice`);
    const onTable = this.trick.map((one) => one.card);
    if (seat === this.me) {
      demand(this.holding.includes(card), RULES, `this seat plays ${card}, which it does not hold`);
      demand(legal(this.holding, onTable).includes(card), RULES, `this seat plays ${card}, which it may not`);
      this.holding.splice(this.holding.indexOf(card), 1);
    } else demand(!this.holding.includes(card), HELD_ELSEWHERE, `seat ${seat} plays ${card}, which this seat holds`);
    const lacking = /** @type {Set<string>} */ (this.lacking[seat]);
    demand(!lacking.has(card), RULES, `seat ${seat} plays ${card}, and played as one who has not got it`);
    // Every duty of a trick is owed for one card that is held: had the seat held it, `card` would
    // have been refused.
    const gone = new Set([...lacking, ...this.played, card]);
    for (const other of PACK) if (!gone.has(other) && !legal([card, other], onTable).includes(card)) lacking.add(other);
    this.trick = [...this.trick, { seat, card }];
    const isFull = this.trick.length === SEATS;
    const next = isFull ? this.#take() : this.after(seat);
    this.note(seat, "play", isAuto, isFull ? { card, value: next } : { card });
    return next;
  }

  /** @returns {number} */
  #take() {
    const winner = /** @type {import("../tricks.js").Played} */ (this.trick[bestOf(this.trick.map((one) => one.card), this.trump)]).seat;
    this.tricks.push({ winner, cards: this.trick });
    this.trick = [];
    return winner;
  }
}
