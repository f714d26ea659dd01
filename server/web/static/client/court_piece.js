// @ts-check
/** Court Piece as its public lines tell it: the choice of trump, batches, tricks, one's holding. */
import { suitOf } from "../cards.js";
import {
  LUCK, chooserOf, drawnCards, findResult, gainOf, memoOf, nextDealer, partnerOf, positionsOf, standingAfter,
  standingOf, targetOf, teamOf,
} from "../games/court_piece/rules.js";
import { HAND_CARDS, SEATS, following } from "../tricks.js";
import { Cheated, demand, found } from "./form.js";
import { placeText } from "./opening.js";
import { HELD_ELSEWHERE, RULES, TOSS } from "./public.js";
import { checkFree } from "./replayed.js";
import { TrickHand } from "./tricks.js";

/** @typedef {import("./public.js").Begun} Begun */
/** @typedef {import("./rummy.js").Gift} Gift */

const CARD = "[A23456789TJQK][SHDC]";
const LINE = new RegExp(
  `^(?:auto (?<turns>[0-3]) luck (?<luck>${CARD})|(?<names>[0-3]) trump (?<suit>[SHDC])|(?<who>[0-3]) (?<word>leave|back)`
  + `|(?<auto>auto )?(?<seat>[0-3]) (?:(?<pass>pass)|play (?<card>${CARD})))$`,
);

export class CourtPieceHand extends TrickHand {
  /** @param {Begun} begun */
  constructor(begun) {
    super(begun);
    this.hasPassed = false;
    /** @type {string | null} */
    this.luck = null;
    /** The cards of the first draw, by seat. @type {string[]} */
    this.drawn = [];
    /** @type {number | null} */
    this.namer = null;
    const fresh = { target: targetOf(begun), played: 0, score: [0, 0], runTeam: 0, run: 0 };
    /** The match before this hand. */
    this.match = found(begun.memo === "" ? fresh : standingOf(begun.memo), TOSS, "a memo of another match");
  }

  /** The first draw: a card for each seat, without putting back. */
  get draws() {
    return [52, 51, 50, 49];
  }

  get chooser() {
    return this.after(Number(this.dealer));
  }

  /** The own cards that may be played now. */
  get playable() {
    return this.trump ? following(this.holding, this.trick.map((one) => one.card)) : [];
  }

  /** How the hand has ended, null if it goes on. */
  get result() {
    return findResult(teamOf(this.chooser), this.tricks.map((trick) => teamOf(trick.winner)));
  }

  /** Draw for the first choice if need be, and deal five cards each. @param {number[]} toss @returns {Gift[]} */
  deal(toss) {
    this.demandFull(SEATS);
    if (this.dealer === null) {
      this.drawn = found(drawnCards(toss), TOSS, "the toss is not four cards of a pack");
      this.dealsFrom((chooserOf(this.drawn) + SEATS - 1) % SEATS);
    } else demand(toss.length === 0, TOSS, "a toss where the dealer was fixed");
    this.acting = this.chooser;
    this.dealt = 5;
    return this.#batch(1);
  }

  /** Learn a card that was given to this seat, or the card of luck. @param {Gift} gift @param {string} card */
  seen(gift, card) {
    if (gift.seat !== null) {
      super.seen(gift, card);
      return;
    }
    demand(card === this.luck, RULES, `the card of luck is ${card}, not ${this.luck}`);
    this.show(this.chooser, card);
    if (this.me === this.chooser) super.seen(gift, card);
  }

  /** Follow a line. @param {string} line @returns {Gift[]} */
  line(line) {
    const groups = LINE.exec(line)?.groups;
    if (!groups) throw new Cheated(RULES, `not a line of court piece: ${line.slice(0, 40)}`);
    const seat = Number(groups.turns ?? groups.names ?? groups.who ?? groups.seat);
    demand(this.acting !== null, RULES, `a line after the last card: ${line}`);
    if (groups.word) {
      this.comesOrGoes(seat, groups.word === "leave" ? "leave" : "back");
      return [];
    }
    demand(seat === this.acting, RULES, `out of turn: ${line}`);
    if (groups.card) return this.#play(seat, groups.card, groups.auto !== undefined, line);
    demand(this.trump === "", RULES, `trump is fixed already: ${line}`);
    if (groups.pass) return this.#pass(seat, groups.auto !== undefined, line);
    if (groups.suit) {
      this.namer = seat;
      this.note(seat, "trump", false, { suit: groups.suit });
      return this.#fixTrump(groups.suit, this.options.namer_leads ? seat : this.chooser);
    }
    demand(this.hasPassed, RULES, `a card of luck for the chooser: ${line}`);
    const card = String(groups.luck);
    demand(!this.holding.includes(card), HELD_ELSEWHERE, `${card} is turned, which this seat holds`);
    this.luck = card;
    this.note(seat, "luck", true, { card, suit: suitOf(card) });
    return this.#fixTrump(suitOf(card), this.chooser);
  }

  // --- moves

  /** @param {number} batch @returns {Gift[]} */
  #batch(batch) {
    return positionsOf(batch, this.chooser)
      .filter(({ position }) => this.luck === null || position !== LUCK)
      .map(({ seat, position }) => ({ seat, place: placeText(0, position) }));
  }

  /** @param {string} suit @param {number} leads @returns {Gift[]} */
  #fixTrump(suit, leads) {
    this.trump = suit;
    this.acting = leads;
    this.dealt = HAND_CARDS;
    const turned = this.luck === null ? [] : [{ seat: null, place: placeText(0, LUCK) }];
    return [...turned, ...this.#batch(2), ...this.#batch(3)];
  }

  /** @param {number} seat @param {boolean} isAuto @param {string} line @returns {Gift[]} */
  #pass(seat, isAuto, line) {
    demand(!this.hasPassed, RULES, `the partner passes: ${line}`);
    this.hasPassed = true;
    this.acting = partnerOf(seat);
    this.note(seat, "pass", isAuto, { value: this.acting });
    return [];
  }

  /** @param {number} seat @param {string} card @param {boolean} isAuto @param {string} line @returns {Gift[]} */
  #play(seat, card, isAuto, line) {
    demand(this.trump !== "", RULES, `a card before trump: ${line}`);
    this.acting = this.lay(seat, card, following, isAuto);
    if (this.result) this.acting = null;
    return [];
  }
}

/** @param {CourtPieceHand[]} hands by seat @returns {import("./replayed.js").Ending | null} */
function ended(hands) {
  const [first] = hands;
  const result = first?.result;
  if (!first || !result) return null;
  const counting = String(first.options.counting);
  const standing = standingAfter(first.match, result, counting);
  const gained = Number(standing.score[result.team]) - Number(first.match.score[result.team]);
  const team = [result.team, partnerOf(result.team)];
  const isOver = Number(standing.score[result.team]) >= standing.target;
  return {
    points: hands.map((_, seat) => (team.includes(seat) ? gained : 0)), winner: result.team, champions: isOver ? team : [],
    carry: isOver ? { dealer: null, memo: "" } : { dealer: nextDealer(Number(first.dealer), result), memo: memoOf(standing) },
    shown: { result, gained, bonus: gained - gainOf(result, counting), standing, counting, taken: [0, 1].map((one) => first.taken(one) + first.taken(one + 2)) },
  };
}

const follow = (/** @type {Begun} */ begun) => new CourtPieceHand(begun);

/** @type {import("./games.js").Program} */
export const COURT_PIECE = { follow, end: ended, close: async (over, deal) => checkFree(over, deal, follow, ended) };
