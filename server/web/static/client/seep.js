// @ts-check
/** Seep as its public lines tell it: the floor, turns, one's own holding (checks 12, 13, 18). */
import { packOf } from "../cards.js";
import { HOUSE_VALUES, findHouse, laid, teamOf, valueOf } from "../games/seep/captures.js";
import { PLAYS, accountOf, cardPoints, memoOf, seepPoints, settled } from "../games/seep/scoring.js";
import { plays, resolved } from "../games/seep/turns.js";
import { SEATS } from "../tricks.js";
import { Cheated, demand, found } from "./form.js";
import { placeText } from "./opening.js";
import { FreeHand, HELD_ELSEWHERE, RULES } from "./public.js";
import { checkFree } from "./replayed.js";

/** @typedef {import("./public.js").Begun} Begun */
/** @typedef {import("./rummy.js").Gift} Gift */
/** @typedef {import("../games/seep/captures.js").Play} Play */

const PACK = packOf(1, 0);
const FIRST_FOUR = 4;
const HAND_CARDS = 12;
const CARD = "[A23456789TJQK][SHDC]";
const CARDS = `${CARD}(?:,${CARD}){0,50}`;
const VALUE = "(?:9|1[0-3])";
const LINE = new RegExp(
  `^(?:(?<who>[0-3]) (?<word>leave|back)|(?<up>[0-3]) raise (?<house>${VALUE}) (?<raiser>${CARD})(?: (?<raised>${CARDS}))?`
  + `|(?<auto>auto )?(?<seat>[0-3]) (?:bid (?<bid>${VALUE})|throw (?<thrown>${CARD})|take (?<taker>${CARD})(?: (?<taken>${CARDS}))?`
  + `|build (?<value>${VALUE}) (?<builder>${CARD})(?: (?<built>${CARDS}))?))$`,
);

export class SeepHand extends FreeHand {
  /** @param {Begun} begun */
  constructor(begun) {
    super(begun);
    this.bid = 0;
    /** @type {import("../games/seep/captures.js").Floor} */
    this.floor = { loose: [], houses: [] };
    this.playCount = 0;
    /** @type {number[]} */
    this.counts = [0, 0, 0, 0];
    this.unseen = new Set(PACK);
    /** What each pair has taken. @type {[string[], string[]]} */
    this.taken = [[], []];
    /** The points of each seep, by pair. @type {[number[], number[]]} */
    this.seeps = [[], []];
    /** @type {number | null} */
    this.lastTaker = null;
    /** The match before this hand. */
    this.match = found(accountOf(begun.memo), 17, "a memo of another match");
  }

  /** What the own first four allow to bid. @returns {number[]} */
  get bids() {
    const held = new Set(this.holding.map(valueOf));
    return this.bid ? [] : HOUSE_VALUES.filter((value) => held.has(value));
  }

  /** What the own seat may play now. @returns {Play[]} */
  get plays() {
    return this.me === null || !this.bid ? [] : plays(this.#position(this.me, this.holding));
  }

  /** @param {number} seat */
  cardCount(seat) {
    return this.counts[seat] ?? 0;
  }

  /** Deal the bidder's first four. @param {number[]} toss @returns {Gift[]} */
  deal(toss) {
    const bidder = this.after(this.dealtBy(toss, SEATS));
    this.acting = bidder;
    this.counts = this.seats.map((seat) => (seat === bidder ? FIRST_FOUR : 0));
    return Array.from({ length: FIRST_FOUR }, (_, position) => ({ seat: bidder, place: placeText(0, position) }));
  }

  /** Learn a card of the floor, or one that was given to this seat. @param {Gift} gift @param {string} card */
  seen(gift, card) {
    this.unseen.delete(card);
    if (gift.seat === null) this.floor = { ...this.floor, loose: [...this.floor.loose, card] };
    else super.seen(gift, card);
  }

  /** Follow a line. @param {string} line @returns {Gift[]} */
  line(line) {
    const groups = LINE.exec(line)?.groups;
    if (!groups) throw new Cheated(RULES, `not a line of Seep: ${line.slice(0, 40)}`);
    const seat = Number(groups.who ?? groups.up ?? groups.seat);
    demand(this.playCount < PLAYS, RULES, `a line after the last card: ${line}`);
    if (groups.word) this.comesOrGoes(seat, groups.word === "leave" ? "leave" : "back");
    else if (groups.bid) return this.#bid(seat, Number(groups.bid), groups.auto !== undefined);
    else this.#play(seat, playOf(groups), groups.auto !== undefined);
    return [];
  }

  // --- moves

  /** @param {number} seat @param {number} value @param {boolean} isAuto @returns {Gift[]} */
  #bid(seat, value, isAuto) {
    demand(seat === this.acting, RULES, `seat ${seat} bids out of turn`);
    demand(!this.bid, RULES, `seat ${seat} bids twice`);
    if (seat === this.me) demand(this.bids.includes(value), RULES, `this seat bids ${value}, which it does not hold`);
    this.bid = value;
    this.counts = this.seats.map(() => HAND_CARDS);
    this.note(seat, "bid", isAuto, { value });
    const floor = Array.from({ length: FIRST_FOUR }, (_, i) => ({ seat: null, place: placeText(0, FIRST_FOUR + i) }));
    return [...floor, ...restOf(seat)];
  }

  /** @param {number} seat @param {Play} play @param {boolean} isAuto */
  #play(seat, play, isAuto) {
    demand(seat === this.acting, RULES, `seat ${seat} plays out of turn`);
    demand(this.bid > 0, RULES, `seat ${seat} plays before the bid`);
    const { card } = play;
    if (seat === this.me) {
      demand(this.holding.includes(card), RULES, `this seat does not hold ${card}`);
      this.#check(seat, play, this.holding);
      this.holding.splice(this.holding.indexOf(card), 1);
    } else {
      demand(this.unseen.has(card), HELD_ELSEWHERE, `seat ${seat} plays ${card}, which lies elsewhere`);
      this.#check(seat, play, [...this.unseen].sort());
      this.unseen.delete(card);
    }
    this.counts[seat] = this.cardCount(seat) - 1;
    this.playCount += 1;
    const raised = findHouse(this.floor, play.value) !== null;
    this.floor = laid(this.floor, seat, play);
    const seep = play.move === "take" ? this.#take(seat, play) : null;
    this.note(seat, seep === null ? play.move : "seep", isAuto, {
      card, cards: play.cards ?? [], value: seep ?? play.value, ...(play.move === "build" && raised ? { suit: "added" } : {}),
    });
    this.acting = this.playCount === PLAYS ? null : this.after(seat);
  }

  /** Lay what was taken before the pair; say what a seep was worth, null if it was none. @param {number} seat @param {Play} play @returns {number | null} */
  #take(seat, play) {
    const team = teamOf(seat);
    this.lastTaker = team;
    this.taken[team === 0 ? 0 : 1].push(...(play.cards ?? []), play.card);
    if (this.floor.loose.length || this.floor.houses.length) return null;
    const points = seepPoints(this.playCount);
    this.seeps[team === 0 ? 0 : 1].push(points);
    return points;
  }

  /** Check a play by the rules; another seat may hold all that this one has not seen. @param {number} seat @param {Play} play @param {readonly string[]} hand */
  #check(seat, play, hand) {
    let position = this.#position(seat, hand);
    if (seat !== this.me && position.due && play.move === "throw") {
      // Whether a house could have been built, its hand alone tells.
      const fits = valueOf(play.card) === position.due;
      demand(fits, RULES, `the first play throws ${play.card} at a bid of ${position.due}`);
      position = { ...position, due: 0 };
    }
    const wanted = resolved(position, play);
    demand(wanted !== null, RULES, `seat ${seat} breaks the rules with ${play.card}`);
    const isNamed = (wanted.cards ?? []).join() === (play.cards ?? []).join();
    demand(isNamed, RULES, `the line of seat ${seat} does not name its cards as they lie`);
  }

  /** @param {number} seat @param {readonly string[]} hand @returns {import("../games/seep/turns.js").Position} */
  #position(seat, hand) {
    return { seat, hand, floor: this.floor, due: this.playCount ? 0 : this.bid, partnerMayRaise: Boolean(this.options.partner_may_raise) };
  }
}

/** @param {Record<string, string | undefined>} groups @returns {Play} */
function playOf({ thrown, taker, taken, value, builder, built, house, raiser, raised }) {
  const named = (/** @type {string | undefined} */ text) => text?.split(",") ?? null;
  if (thrown) return { move: "throw", card: thrown, value: 0, house: 0, cards: [] };
  if (taker) return { move: "take", card: taker, value: 0, house: 0, cards: named(taken) };
  if (builder) return { move: "build", card: builder, value: Number(value), house: 0, cards: named(built) };
  const card = String(raiser);
  return { move: "raise", card, value: Number(house) + valueOf(card), house: Number(house), cards: named(raised) };
}

/** The three others are dealt up to the bidder's four, then all four to twelve, one at a time. @param {number} bidder @returns {Gift[]} */
function restOf(bidder) {
  const first = 2 * FIRST_FOUR;
  const second = first + FIRST_FOUR * (SEATS - 1);
  return Array.from({ length: SEATS }, (_, at) => {
    const early = at ? Array.from({ length: FIRST_FOUR }, (__, i) => first + at - 1 + i * (SEATS - 1)) : [];
    const late = Array.from({ length: HAND_CARDS - FIRST_FOUR }, (__, i) => second + at + i * SEATS);
    return [...early, ...late].map((position) => ({ seat: (bidder + at) % SEATS, place: placeText(0, position) }));
  }).flat();
}

/** @param {SeepHand[]} hands by seat @returns {import("./replayed.js").Ending | null} */
function ended(hands) {
  const [first] = hands;
  if (!first) return null;
  const dealer = Number(first.dealer);
  const cards = hands[first.after(dealer)]?.holding ?? [];
  if (!first.bid && !cards.some((card) => HOUSE_VALUES.includes(valueOf(card)))) {
    return {
      points: hands.map(() => 0), winner: null, champions: [], carry: { dealer, memo: memoOf(first.match) },
      shown: { redealt: cards },
    };
  }
  if (first.playCount < PLAYS || first.lastTaker === null) return null;
  const taken = first.taken.map((pile, team) => (team === first.lastTaker ? [...pile, ...first.floor.loose] : pile));
  const card = taken.map(cardPoints);
  const seep = first.seeps.map((points) => points.reduce((sum, one) => sum + one, 0));
  const points = /** @type {[number, number]} */ ([0, 1].map((team) => Number(card[team]) + Number(seep[team])));
  const outcome = settled(first.match, dealer, points);
  const ahead = points[0] === points[1] ? null : Number(points[1] > points[0]);
  return {
    points: hands.map((_, seat) => Number(points[teamOf(seat)])), winner: outcome.winner ?? ahead,
    champions: outcome.winner === null ? [] : [outcome.winner, outcome.winner + 2], carry: outcome.carry,
    shown: { card, seep, points, lead: outcome.lead, under: outcome.under, taken, number: first.match.deals + 1 },
  };
}

const follow = (/** @type {Begun} */ begun) => new SeepHand(begun);

/** @type {import("./games.js").Program} */
export const SEEP = { follow, end: ended, close: async (over, deal) => checkFree(over, deal, follow, ended) };
