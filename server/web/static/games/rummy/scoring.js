// @ts-check
/** What a holding costs, what its groups are, and the fixed prices of leaving a hand. */
import { RANKS, faceOf, isPrintedJoker, rankOf, suitOf } from "../../cards.js";
import { HIGH_ACE, best, pointsOfRank } from "./melds.js";

/** @typedef {import("./melds.js").Group} Group */
/** @typedef {"pure" | "seq" | "set"} Kind a pure run is also a sequence, `seq` alone is impure */
/**
 * A holding at its best arrangement; `groups` and `loose` hold every card once.
 * @typedef {object} Count
 * @property {number} points
 * @property {import("./melds.js").Case} kind which count applies
 * @property {boolean} canDeclare
 * @property {string[][]} groups the pure run is the first
 * @property {string[]} loose the cards of no group that counts
 */

export const HAND_CARDS = 13;
export const FIRST_DROP = 20;
export const LATER_DROP = 40;
export const WRONG_DECLARE = 80;
const PACKS_MAX = 3;

/** @param {string} turned @returns {string | null} null if only printed jokers are wild (rules.md 1.6) */
export const wildRankOf = (turned) => (isPrintedJoker(turned) ? null : rankOf(turned));

/** @param {string} card @param {string | null} wildRank */
export const isJoker = (card, wildRank) => isPrintedJoker(card) || rankOf(card) === wildRank;

/** Count one loose card (rules.md 6.1). @param {string} card @param {string | null} wildRank */
export const pointsOf = (card, wildRank) => (isJoker(card, wildRank) ? 0 : pointsOfRank(rankOf(card)));

/**
 * Count a holding at its best arrangement, and show that arrangement (rules.md 6).
 * @param {readonly string[]} hand up to 14 cards @param {string | null} wildRank @returns {Count}
 */
export function count(hand, wildRank) {
  const faces = hand.filter((card) => !isPrintedJoker(card)).map(faceOf);
  if (faces.some((face) => faces.filter((other) => other === face).length > PACKS_MAX)) {
    throw new RangeError(`no table has more than ${PACKS_MAX} packs`);
  }
  const found = best(hand, wildRank);
  const layout = new Layout(hand, wildRank);
  const groups = withSpareJokers(found, hand, wildRank).map((group) => layout.cardsOf(group));
  const canDeclare = found.kind === "two_sequences" && found.points === 0;
  return { points: found.points, kind: found.kind, canDeclare, groups, loose: layout.left };
}

/**
 * Tell what the cards are as a group; empty if they are none (rules.md 4).
 * @param {readonly string[]} cards @param {string | null} wildRank @returns {Set<Kind>}
 */
export function kindsOf(cards, wildRank) {
  /** @type {Set<Kind>} */
  const kinds = new Set();
  const own = cards.filter((card) => !isJoker(card, wildRank));
  const size = cards.length;
  if (size < 3 || size > HAND_CARDS) return kinds;
  const suits = new Set(own.map(suitOf));
  if (suits.size <= 1 && spans(own).some((span) => span <= size)) kinds.add("seq");
  if (size <= 4 && suits.size === own.length && new Set(own.map(rankOf)).size <= 1) kinds.add("set");
  if (isPure(cards)) kinds.add("pure");
  return kinds;
}

/** @param {readonly string[]} cards */
function isPure(cards) {
  if (cards.some(isPrintedJoker) || new Set(cards.map(suitOf)).size > 1) return false;
  return spans(cards).includes(cards.length);
}

/** Measure from the lowest to the highest card, the ace low and high; none for equal ranks. @param {readonly string[]} cards */
function spans(cards) {
  const low = cards.map((card) => RANKS.indexOf(rankOf(card)));
  if (new Set(low).size < low.length) return [];
  const high = low.map((place) => place || HIGH_ACE);
  const span = (/** @type {number[]} */ places) =>
    places.length ? Math.max(...places) - Math.min(...places) + 1 : 1;
  return [span(low), span(high)];
}

/**
 * Give the jokers that no group needs to the second sequence; without one they stay loose.
 * @param {import("./melds.js").Found} found @param {readonly string[]} hand @param {string | null} wildRank
 */
function withSpareJokers(found, hand, wildRank) {
  const [pure, ...others] = found.groups;
  if (found.kind !== "two_sequences" || !pure) return found.groups;
  const own = pure.own.filter(([, face]) => face[0] === wildRank).length;
  const needed = others.reduce((sum, group) => sum + group.jokers, 0);
  const spare = hand.filter((card) => isJoker(card, wildRank)).length - own - needed;
  const second = others.findIndex((group) => group.isRun);
  return [
    pure,
    ...others.map((group, i) => (i === second ? { ...group, jokers: group.jokers + spare } : group)),
  ];
}

/** The cards of a holding while its groups are laid out; `left` are those not yet placed. */
class Layout {
  /** @param {readonly string[]} hand @param {string | null} wildRank */
  constructor(hand, wildRank) {
    this.left = [...hand];
    this.wildRank = wildRank;
  }

  /** A run with jokers in its gaps and at its ends, a set's behind. @param {Group} group @returns {string[]} */
  cardsOf(group) {
    const own = group.own.map(([place, face]) => /** @type {const} */ ([place, this.take(face)]));
    const lowest = own[0];
    if (!lowest || !group.isRun) {
      const jokers = Array.from({ length: group.jokers }, () => this.takeJoker(""));
      return [...own.map(([, card]) => card), ...jokers];
    }
    const run = new Map(own);
    const size = run.size + group.jokers;
    const first = Math.min(lowest[0], HIGH_ACE + 1 - size);
    const suit = suitOf(lowest[1]);
    return Array.from({ length: size }, (_, i) =>
      run.get(first + i) ?? this.takeJoker(RANKS.charAt((first + i) % HIGH_ACE) + suit));
  }

  /** @param {string} face @returns {string} */
  take(face) {
    return this.remove(/** @type {string} */ (this.left.find((card) => faceOf(card) === face)));
  }

  /** One that has this face anyway, else a printed one, else any. @param {string} insteadOf */
  takeJoker(insteadOf) {
    const jokers = this.left.filter((card) => isJoker(card, this.wildRank));
    const rank = (/** @type {string} */ card) =>
      faceOf(card) === insteadOf ? (isPrintedJoker(card) ? 0 : 1) : isPrintedJoker(card) ? 2 : 3;
    const card = jokers.reduce((least, other) => (rank(other) < rank(least) ? other : least));
    return this.remove(card);
  }

  /** @param {string} card */
  remove(card) {
    this.left.splice(this.left.indexOf(card), 1);
    return card;
  }
}
