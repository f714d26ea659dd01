// @ts-check
/**
 * Rummy as its public lines tell it: piles, turns and one's own holding (checks 12, 13, 15).
 * The table that people see is drawn from this, so nothing is shown that was not checked.
 */
import { FIRST_DROP, HAND_CARDS, LATER_DROP, isJoker, wildRankOf } from "../games/rummy/scoring.js";
import { Cheated, demand } from "./form.js";
import { placeText } from "./opening.js";

/** @typedef {import("./form.js").Part} Part */
/** The card at `place` is given to `seat`, or turned up for all (null). @typedef {{seat: number | null, place: string}} Gift */
/** @typedef {{seat: number, what: "closed" | "open" | "discard" | "drop" | "leave" | "declare", card: string | null, isAuto: boolean, k: number}} Act */
/** @typedef {{why: string, points: number}} Out */

const RULES = 18;
const POSITION = 12;
const CARD = "(?:[A23456789TJQK][SHDC]|JK)(?:#[1-9])?";
const PLACE = "@[0-8]\\.(?:0|[1-9][0-9]{0,2})";
const LINE = new RegExp(
  `^(?<auto>auto )?(?<seat>[0-7]) (?:draw (?:closed (?<place>${PLACE})|open (?<open>${CARD}))`
  + `|discard (?<card>${CARD})|declare (?<finish>${PLACE})(?: .+)?|(?<word>drop|leave))$`,
);

export class RummyHand {
  /** @param {Part} options @param {number} packSize @param {number[]} seats @param {number | null} first @param {number | null} me */
  constructor(options, packSize, seats, first, me) {
    this.options = options;
    this.seats = seats;
    this.first = first;
    this.me = me;
    /** @type {number | null} */
    this.acting = null;
    this.inPlay = [...seats];
    /** @type {"closed" | "open" | null} */
    this.drawn = null;
    /** @type {string | null} */
    this.turned = null;
    /** @type {string[]} bottom to top */
    this.openPile = [];
    /** @type {string[]} in the order received */
    this.holding = [];
    /** What this seat drew last. @type {string | null} */
    this.drawnCard = null;
    this.closedCount = packSize;
    /** @type {Map<number, Set<string>>} cards that a seat took from the open pile and still holds */
    this.known = new Map(seats.map((seat) => [seat, new Set()]));
    /** @type {Set<number>} */
    this.hasDrawn = new Set();
    /** @type {Map<number, Out>} */
    this.out = new Map();
    /** @type {Act[]} */
    this.acts = [];
    /** The place of the finish card, by seat. @type {Map<number, string>} */
    this.finishes = new Map();
    this.epoch = 0;
    this.next = 0;
    this.waits = false;
    /** @type {string | null} */
    this.openedAt = null;
    /** The card that may not go back, where the option says so. @type {string | null} */
    this.taken = null;
  }

  /** What the toss draws below, where it decides who is first. */
  get draws() {
    return [this.seats.length];
  }

  /** @returns {string | null} null if only printed jokers are wild */
  get wildRank() {
    return this.turned ? wildRankOf(this.turned) : null;
  }

  /** @returns {string | null} */
  get openTop() {
    return this.openPile[this.openPile.length - 1] ?? null;
  }

  /** Why the open pile can't be drawn from; null if it can. @returns {"open_empty" | "open_joker" | null} */
  get whyNotOpen() {
    if (this.openTop === null) return "open_empty";
    const isFirst = !this.acts.some((act) => act.what === "discard");
    const isBarred = !this.options.open_joker_pick && !isFirst && isJoker(this.openTop, this.wildRank);
    return isBarred ? "open_joker" : null;
  }

  /** @param {number} seat @returns {number} what a drop costs now */
  dropPrice(seat) {
    return this.hasDrawn.has(seat) ? LATER_DROP : FIRST_DROP;
  }

  /** @param {number} seat @returns {number} */
  cardCount(seat) {
    if (this.out.has(seat) || !this.inPlay.includes(seat)) return 0;
    return HAND_CARDS + (seat === this.acting && this.drawn ? 1 : 0);
  }

  /** @param {number} seat */
  mayAct(seat) {
    return this.acting === seat && !this.waits;
  }

  // --- what the deal's checks ask

  /** Deal one card at a time from the first seat on. @param {number[]} toss @returns {Gift[]} */
  deal(toss) {
    const count = this.seats.length;
    if (this.first === null) {
      const drawn = toss[0];
      const fits = toss.length === 1 && Number.isInteger(drawn) && Number(drawn) >= 0 && Number(drawn) < count;
      demand(fits, 17, "the toss is not one listed seat");
      this.first = /** @type {number} */ (this.seats[Number(drawn)]);
    } else {
      demand(toss.length === 0, 17, "a toss where the first seat was fixed");
    }
    this.acting = this.first;
    const at = this.seats.indexOf(this.first);
    const order = [...this.seats.slice(at), ...this.seats.slice(0, at)];
    /** @type {Gift[]} */
    const gifts = Array.from({ length: HAND_CARDS * count }, (_, position) => (
      { seat: /** @type {number} */ (order[position % count]), place: placeText(0, position) }));
    const turned = HAND_CARDS * count;
    this.openedAt = placeText(0, turned + 1);
    this.next = turned + 2;
    this.closedCount -= this.next;
    return [...gifts, { seat: null, place: placeText(0, turned) }, { seat: null, place: this.openedAt }];
  }

  /** Learn a card that was turned up, or given to this seat. @param {Gift} gift @param {string} card */
  seen(gift, card) {
    if (gift.seat !== null) {
      this.holding.push(card);
      if (this.acting === gift.seat && this.drawn === "closed") this.drawnCard = card;
    } else if (gift.place === this.openedAt) this.openPile.push(card);
    else this.turned = card;
  }

  /** Follow a line. @param {string} line @returns {Gift[]} */
  line(line) {
    const groups = LINE.exec(line)?.groups;
    if (!groups) throw new Cheated(RULES, `not a line of rummy: ${line.slice(0, 40)}`);
    const seat = Number(groups.seat);
    const isAuto = groups.auto !== undefined;
    /** @param {Act["what"]} what @param {string | null} [card] */
    const note = (what, card = null) => this.acts.push({ seat, what, card, isAuto, k: this.acts.length });
    if (groups.word === "leave") {
      note("leave");
      return this.#out(seat, { why: "left", points: LATER_DROP });
    }
    demand(seat === this.acting, RULES, `out of turn: ${line}`);
    if (groups.place) {
      note("closed");
      return this.#drawClosed(seat, groups.place);
    }
    if (groups.open) {
      note("open", groups.open);
      return this.#drawOpen(seat, groups.open);
    }
    if (groups.card) {
      note("discard", groups.card);
      return this.#discard(seat, groups.card);
    }
    if (groups.finish) {
      demand(this.drawn !== null, RULES, `seat ${seat} declares before it draws`);
      note("declare");
      this.finishes.set(seat, groups.finish);
      return this.#out(seat, null);
    }
    demand(this.drawn === null || isAuto, RULES, "a drop after a draw");
    note("drop");
    const out = isAuto ? { why: "miss", points: LATER_DROP } : { why: "drop", points: this.dropPrice(seat) };
    return this.#out(seat, out);
  }

  /** List the cards of a reshuffle: the open pile bottom to top without its top. @returns {string[]} */
  call() {
    demand(this.closedCount === 0 && this.drawn === null, 14, "a reshuffle while the closed pile has cards");
    this.waits = true;
    return this.openPile.slice(0, -1);
  }

  /** Take the called cards as the new closed pile. @param {number} epoch */
  reshuffled(epoch) {
    this.epoch = epoch;
    this.next = 0;
    this.closedCount = this.openPile.length - 1;
    this.openPile = this.openPile.slice(-1);
    this.waits = true;
  }

  /** Note the seats that are out, as an event or a snapshot says. @param {number} seat @param {Out} out */
  wentOut(seat, out) {
    this.out.set(seat, out);
  }

  // --- moves

  /** @param {number} seat @param {string} said @returns {Gift[]} */
  #drawClosed(seat, said) {
    const place = placeText(this.epoch, this.next);
    demand(this.drawn === null, RULES, `seat ${seat} draws twice`);
    demand(said === place, POSITION, `seat ${seat} draws ${said}, due is ${place}`);
    demand(this.closedCount > 0, POSITION, "a draw from an empty pile");
    this.next += 1;
    this.closedCount -= 1;
    this.#hasDrawn(seat, "closed");
    return [{ seat, place }];
  }

  /** @param {number} seat @param {string} card @returns {Gift[]} */
  #drawOpen(seat, card) {
    demand(this.drawn === null, RULES, `seat ${seat} draws twice`);
    demand(card === this.openTop, RULES, `seat ${seat} takes ${card}, on top lies ${this.openTop}`);
    this.openPile.pop();
    this.#hasDrawn(seat, "open");
    this.known.get(seat)?.add(card);
    if (seat === this.me) {
      this.holding.push(card);
      this.taken = card;
      this.drawnCard = card;
    }
    return [];
  }

  /** @param {number} seat @param {"closed" | "open"} source */
  #hasDrawn(seat, source) {
    this.drawn = source;
    this.waits = false;
    this.hasDrawn.add(seat);
  }

  /** @param {number} seat @param {string} card @returns {Gift[]} */
  #discard(seat, card) {
    demand(this.drawn !== null, RULES, `seat ${seat} discards before it draws`);
    const at = this.holding.indexOf(card);
    if (seat === this.me) {
      demand(at >= 0, RULES, `this seat discards ${card}, which it does not hold`);
      this.holding.splice(at, 1);
    } else {
      const isElsewhere = at >= 0 || this.openPile.includes(card) || card === this.turned;
      demand(!isElsewhere, 13, `seat ${seat} discards ${card}, which lies elsewhere`);
    }
    this.known.get(seat)?.delete(card);
    this.openPile.push(card);
    this.#turnTo(this.#after(seat));
    return [];
  }

  /** A right declare ends the hand, so who is left then has no next turn. @param {number} seat @param {Out | null} out @returns {Gift[]} */
  #out(seat, out) {
    demand(this.inPlay.includes(seat), RULES, `seat ${seat} goes out twice, or was not dealt in`);
    const following = this.#after(seat);
    this.inPlay = this.inPlay.filter((other) => other !== seat);
    if (out) this.out.set(seat, out);
    if (seat === this.me) this.holding = [];
    if (seat === this.acting) this.#turnTo(following);
    return [];
  }

  /** @param {number | null} seat */
  #turnTo(seat) {
    this.acting = seat;
    this.drawn = null;
    this.taken = null;
    this.drawnCard = null;
  }

  /** @param {number} seat @returns {number | null} */
  #after(seat) {
    const others = this.inPlay.filter((other) => other !== seat);
    return others.find((other) => other > seat) ?? others[0] ?? null;
  }
}
