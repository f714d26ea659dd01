// @ts-check
/** Badam Satti and Sevens as their public lines tell them: the lines, turns, one's own holding. */
import { fitting, withCard } from "../games/sevens/lines.js";
import { chipsOf, matchOf, memoOf, penalty, poolOf, winnersOf } from "../games/sevens/scoring.js";
import { Cheated, demand, found } from "./form.js";
import { placeText } from "./opening.js";
import { FreeHand, HELD_ELSEWHERE, RULES } from "./public.js";
import { checkFree } from "./replayed.js";

/** @typedef {import("./public.js").Begun} Begun */
/** @typedef {import("./rummy.js").Gift} Gift */

const LINE = /^(?:(?<auto>auto )?(?<seat>[0-6]) (?:play (?<card>[A23456789TJQK][SHDC])|(?<pass>pass))|(?<who>[0-6]) (?<word>leave|back))$/;

export class SevensHand extends FreeHand {
  /** @param {Begun} begun @param {boolean} hasChips whether it is Sevens, or Badam Satti */
  constructor(begun, hasChips) {
    super(begun);
    this.hasChips = hasChips;
    this.opener = hasChips ? "7D" : "7H";
    /** @type {import("../games/sevens/lines.js").Lines} */
    this.lines = new Map();
    /** @type {number[]} */
    this.counts = [];
    this.passes = begun.seats.map(() => 0);
    this.lacking = begun.seats.map(() => /** @type {Set<string>} */ (new Set()));
    this.hands = Number(begun.options.hands);
    /** The match before this hand. */
    this.match = found(matchOf(begun.memo, begun.seats.length, this.hands), 17, "a memo of another match");
    /** @type {number | null} */
    this.winner = null;
  }

  get pool() {
    return this.hasChips ? poolOf(this.passes) : 0;
  }

  /** The own cards that may be laid now. */
  get playable() {
    const fits = this.#fitting();
    return this.holding.filter((card) => fits.has(card));
  }

  /** @param {number} seat */
  cardCount(seat) {
    return this.counts[seat] ?? 0;
  }

  /** Before the opening seven all may have it but those of whom it is known. @param {number} seat */
  mayAct(seat) {
    if (this.winner !== null) return false;
    if (this.lines.size) return this.acting === seat;
    return this.me === null || (seat === this.me) === this.holding.includes(this.opener);
  }

  /** Deal one card at a time from the dealer's left on. @param {number[]} toss @returns {Gift[]} */
  deal(toss) {
    const count = this.seats.length;
    const dealer = this.dealtBy(toss, Number(this.options.seats));
    const gifts = Array.from({ length: this.begun.packSize }, (_, position) => (
      { seat: (dealer + 1 + position) % count, place: placeText(0, position) }));
    this.counts = this.seats.map((seat) => gifts.filter((gift) => gift.seat === seat).length);
    return gifts;
  }

  /** Whoever holds the opening seven begins; one who holds it knows. @param {Gift} gift @param {string} card */
  seen(gift, card) {
    super.seen(gift, card);
    if (card === this.opener) this.acting = gift.seat;
  }

  /** Follow a line. @param {string} line @returns {Gift[]} */
  line(line) {
    const groups = LINE.exec(line)?.groups;
    if (!groups) throw new Cheated(RULES, `not a line of sevens: ${line.slice(0, 40)}`);
    const seat = Number(groups.seat ?? groups.who);
    demand(this.seats.includes(seat), RULES, `seat ${seat} is not in this hand`);
    demand(this.winner === null, RULES, `a line after the last card: ${line}`);
    if (groups.word) this.comesOrGoes(seat, groups.word === "leave" ? "leave" : "back");
    else if (groups.card) this.#play(seat, groups.card, groups.auto !== undefined);
    else this.#pass(seat, groups.auto !== undefined);
    return [];
  }

  // --- moves

  #fitting() {
    return this.lines.size ? fitting(this.lines) : new Set([this.opener]);
  }

  /** @param {number} seat @param {string} card @param {boolean} isAuto */
  #play(seat, card, isAuto) {
    demand(this.mayAct(seat), RULES, `seat ${seat} plays ${card} out of turn`);
    demand(this.#fitting().has(card), RULES, `seat ${seat} plays ${card}, which does not fit`);
    const at = this.holding.indexOf(card);
    if (seat === this.me) {
      demand(at >= 0, RULES, `this seat plays ${card}, which it does not hold`);
      this.holding.splice(at, 1);
    } else {
      demand(at < 0, HELD_ELSEWHERE, `seat ${seat} plays ${card}, which this seat holds`);
      const isLacking = this.lacking[seat]?.has(card) === true;
      demand(!isLacking, RULES, `seat ${seat} plays ${card}, and passed when it could have`);
    }
    this.lines = withCard(this.lines, card);
    this.counts[seat] = this.cardCount(seat) - 1;
    if (this.counts[seat] === 0) this.winner = seat;
    this.note(seat, "play", isAuto, { card });
    this.#next(seat);
  }

  /** @param {number} seat @param {boolean} isAuto */
  #pass(seat, isAuto) {
    demand(this.lines.size > 0, RULES, `seat ${seat} passes before the opening seven`);
    demand(this.acting === seat, RULES, `seat ${seat} passes out of turn`);
    if (seat === this.me) demand(this.playable.length === 0, RULES, "this seat passes, though it can play");
    for (const card of this.#fitting()) this.lacking[seat]?.add(card);
    this.passes[seat] = Number(this.passes[seat]) + 1;
    this.note(seat, "pass", isAuto);
    this.#next(seat);
  }

  /** @param {number} seat */
  #next(seat) {
    this.acting = this.winner === null ? this.after(seat) : null;
  }
}

/** @param {SevensHand[]} hands by seat @returns {import("./replayed.js").Ending | null} */
function ended(hands) {
  const [first] = hands;
  if (!first || first.winner === null) return null;
  const { hasChips, winner, passes, match, dealer } = first;
  const left = hands.map((hand) => hand.holding.length);
  const points = hasChips ? chipsOf(winner, passes, left) : hands.map((hand) => penalty(hand.holding));
  const scores = match.scores.map((score, seat) => score + Number(points[seat]));
  const played = match.played + 1;
  const isOver = played === first.hands;
  const memo = isOver ? "" : memoOf({ played, scores });
  const champions = isOver ? winnersOf(scores, hasChips) : [];
  return {
    points, champions, winner: isOver ? (champions.length === 1 ? Number(champions[0]) : null) : winner,
    carry: { dealer: first.after(Number(dealer)), memo },
    shown: { scores, number: played, hands: first.hands, passes, pool: first.pool, hasChips, winner },
  };
}

/** @param {boolean} hasChips @returns {import("./games.js").Program} */
function program(hasChips) {
  const follow = (/** @type {Begun} */ begun) => new SevensHand(begun, hasChips);
  return { follow, end: ended, close: async (over, deal) => checkFree(over, deal, follow, ended) };
}

export const BADAM_SATTI = program(false);
export const SEVENS = program(true);
