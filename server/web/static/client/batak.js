// @ts-check
/** Batak as its public lines tell it: auction, trump, tricks, one's own holding. */
import { suitOf } from "../cards.js";
import {
  DEALS, contractOf, findCaller, legalCards, mayBid, memoOf, owedBy, pointsOf, standingOf, winnersOf,
} from "../games/batak/rules.js";
import { HAND_CARDS, SEATS } from "../tricks.js";
import { Cheated, demand, found } from "./form.js";
import { placeText } from "./opening.js";
import { RULES } from "./public.js";
import { checkFree } from "./replayed.js";
import { TrickHand } from "./tricks.js";

/** @typedef {import("./public.js").Begun} Begun */
/** @typedef {import("./rummy.js").Gift} Gift */

const LINE = new RegExp(
  "^(?:(?<seat>[0-3]) bid (?<bid>[5-9]|1[0-3])|(?<who>[0-3]) (?<word>leave|back)"
  + "|(?<auto>auto )?(?<one>[0-3]) (?:(?<pass>pass)|trump (?<suit>[SHDC])|play (?<card>[A23456789TJQK][SHDC])))$",
);

export class BatakHand extends TrickHand {
  /** @param {Begun} begun */
  constructor(begun) {
    super(begun);
    /** @type {import("../games/batak/rules.js").Call[]} */
    this.calls = [];
    /** @type {import("../games/batak/rules.js").Contract | null} */
    this.contract = null;
    this.isBroken = false;
    /** The match before this hand. */
    this.match = found(standingOf(begun.memo), 17, "a memo of another match");
  }

  /** The own cards that may be played now. */
  get playable() {
    return this.trump ? this.#legal(this.holding, this.trick.map((one) => one.card)) : [];
  }

  /** What may be bid now. */
  get mayBid() {
    return this.contract ? [] : mayBid(this.calls);
  }

  get isNaming() {
    return this.contract !== null && !this.trump;
  }

  /** Deal one card at a time from the dealer's right on. @param {number[]} toss @returns {Gift[]} */
  deal(toss) {
    const first = this.after(this.dealtBy(toss, SEATS));
    this.acting = first;
    this.dealt = HAND_CARDS;
    return Array.from({ length: SEATS * HAND_CARDS }, (_, position) => (
      { seat: (first + position) % SEATS, place: placeText(0, position) }));
  }

  /** Follow a line. @param {string} line @returns {Gift[]} */
  line(line) {
    const groups = LINE.exec(line)?.groups;
    if (!groups) throw new Cheated(RULES, `not a line of batak: ${line.slice(0, 40)}`);
    const seat = Number(groups.seat ?? groups.who ?? groups.one);
    const isAuto = groups.auto !== undefined;
    if (groups.word) {
      demand(this.acting !== null, RULES, `a line after the last card: ${line}`);
      this.comesOrGoes(seat, groups.word === "leave" ? "leave" : "back");
      return [];
    }
    demand(seat === this.acting, RULES, `out of turn: ${line}`);
    if (groups.pass) this.#call(seat, 0, line, isAuto);
    else if (groups.bid) {
      demand(mayBid(this.calls).includes(Number(groups.bid)), RULES, `not a bid higher than the last: ${line}`);
      this.#call(seat, Number(groups.bid), line, isAuto);
    } else if (groups.suit) {
      demand(this.isNaming, RULES, `trump is not named now: ${line}`);
      this.trump = groups.suit;
      this.note(seat, "trump", isAuto, { suit: groups.suit });
    } else this.#play(seat, String(groups.card), isAuto, line);
    return [];
  }

  // --- moves

  /** @param {number} seat @param {number} tricks @param {string} line @param {boolean} isAuto */
  #call(seat, tricks, line, isAuto) {
    demand(this.contract === null, RULES, `the auction is over: ${line}`);
    this.calls.push({ seat, tricks });
    this.note(seat, tricks ? "bid" : "pass", isAuto, { value: tricks });
    const dealer = Number(this.dealer);
    this.acting = findCaller(dealer, this.calls, Boolean(this.options.single_round));
    if (this.acting === null) {
      this.contract = contractOf(dealer, this.calls);
      this.acting = this.contract.seat;
    }
  }

  /** @param {number} seat @param {string} card @param {boolean} isAuto @param {string} line */
  #play(seat, card, isAuto, line) {
    demand(this.trump !== "", RULES, `a card before trump: ${line}`);
    const next = this.lay(seat, card, (holding, trick) => this.#legal(holding, trick), isAuto);
    if (!this.trick.length) this.isBroken ||= this.tricks.at(-1)?.cards.some((one) => suitOf(one.card) === this.trump) ?? false;
    this.acting = this.tricks.length === HAND_CARDS ? null : next;
  }

  /** @param {readonly string[]} holding @param {readonly string[]} trick */
  #legal(holding, trick) {
    return legalCards(holding, trick, this.trump, this.isBroken, this.options.beat_trump_led !== false);
  }
}

/** @param {BatakHand[]} hands by seat @returns {import("./replayed.js").Ending | null} */
function ended(hands) {
  const [first] = hands;
  if (!first?.contract || first.tricks.length < HAND_CARDS) return null;
  const owed = owedBy(first.contract);
  const taken = owed.map((_, seat) => first.taken(seat));
  const points = owed.map((one, seat) => pointsOf(one, Number(taken[seat])));
  const totals = first.match.totals.map((total, seat) => total + Number(points[seat]));
  const played = first.match.played + 1;
  const isOver = played === DEALS;
  const champions = isOver ? winnersOf(totals) : [];
  const memo = memoOf({ played, totals });
  return {
    points, champions, winner: champions.length === 1 ? Number(champions[0]) : null,
    carry: isOver ? { dealer: null, memo: "" } : { dealer: first.after(Number(first.dealer)), memo },
    shown: { owed, taken, totals, number: played, contract: first.contract, trump: first.trump },
  };
}

const follow = (/** @type {Begun} */ begun) => new BatakHand(begun);

/** @type {import("./games.js").Program} */
export const BATAK = { follow, end: ended, close: async (over, deal) => checkFree(over, deal, follow, ended) };
