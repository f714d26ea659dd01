// @ts-check
/**
 * The exact search for the cheapest arrangement of a holding, as `server/games/rummy/melds.py` has
 * it, choice by choice: both find the same groups.
 *
 * A holding is one whole number: two bits for each face count how often it is there, and a suit has
 * fourteen places (the ace at 0, the king at 12, the ace once more at 13), so that a run is a shift.
 * Jokers, printed or of the wild rank, are a plain number.
 */
import { PRINTED_JOKER, RANKS, SUITS, faceOf } from "../../cards.js";

/** @typedef {"two_sequences" | "pure_only" | "none"} Case which of the three counts applies */
/**
 * A group in the normal form: its own cards, the jokers it needs, its points while loose.
 * @typedef {object} Group
 * @property {bigint} mask
 * @property {number} jokers
 * @property {number} value
 * @property {boolean} isRun
 * @property {readonly (readonly [place: number, face: string])[]} own
 */
/** @typedef {{points: number, kind: Case, groups: Group[]}} Found the pure run is the first group */
/** @typedef {readonly [Group, Way] | null} Way */

/** The place of an ace above the king; place 0 is the same card below the two. */
export const HIGH_ACE = 13;

const SUIT_BITS = BigInt(2 * (HIGH_ACE + 1));
const ACE_SHIFT = BigInt(2 * HIGH_ACE);
const PURE_RUN_MAX = 5; // cards; a longer one holds its second sequence itself

/** @param {string} rank @returns {number} points of a natural card (rules.md 6.1) */
export const pointsOfRank = (rank) => (rank >= "2" && rank <= "9" ? Number(rank) : 10);

/**
 * Find the fewest points that a holding can cost. TypeError if a text is no card.
 * @param {readonly string[]} hand up to 14 cards of up to three packs
 * @param {string | null} wildRank
 * @returns {Found}
 */
export function best(hand, wildRank) {
  let [counts, jokers, total] = [0n, 0, 0];
  for (const card of hand) {
    const face = faceOf(card);
    const bit = BITS.get(face);
    if (bit === undefined && face !== PRINTED_JOKER) throw new TypeError(`not a card: ${card}`);
    counts += bit ?? 0n;
    if (bit === undefined || face[0] === wildRank) jokers += 1;
    else total += pointsOfRank(face.charAt(0));
  }
  const present = (counts | (counts >> 1n)) & ONES;
  const places = present | ((present & ACES) << ACE_SHIFT);
  const starts = places & (places >> 2n) & (places >> 4n) & RUN_STARTS;
  if (!starts) return { points: total, kind: "none", groups: [] };
  return searched(counts, jokers, total, wildRank, starts);
}

/** @param {bigint} counts @param {number} jokers @param {number} total @param {string | null} wildRank @param {bigint} starts @returns {Found} */
function searched(counts, jokers, total, wildRank, starts) {
  const wild = wildMask(wildRank);
  const runs = pureRuns(starts, wildRank);
  const naturals = counts & ~(wild * 3n);
  const dearest = /** @type {Group} */ (runs[0]);
  const atMost = total - dearest.value;
  const search = new Search();
  let least = atMost + 1;
  for (const run of runs) {
    if (run.own.length > PURE_RUN_MAX) continue;
    const own = run.mask & wild;
    const left = naturals - (run.mask ^ own);
    least = search.visit(left, jokers - (own ? 1 : 0), true, 0, total - run.value, least, [run, null]);
  }
  if (search.plan === null) return { points: atMost, kind: "pure_only", groups: [dearest] };
  return { points: least, kind: "two_sequences", groups: groupsOf(search.plan) };
}

class Search {
  constructor() {
    /** @type {Way} */
    this.plan = null;
  }

  /**
   * Decide the cards in `counts`, lowest first; return `least` or fewer points.
   * @param {bigint} counts
   * @param {number} jokers
   * @param {boolean} needs whether a second sequence is still wanted
   * @param {number} loose points that can't be grouped any more
   * @param {number} total points that are not grouped yet
   * @param {number} least
   * @param {Way} way
   * @returns {number}
   */
  visit(counts, jokers, needs, loose, total, least, way) {
    if (needs && !counts && jokers >= 3) [needs, way] = [false, [THREE_JOKERS, way]];
    if (!needs && total < least) [least, this.plan] = [total, way];
    if (loose >= least) return least;
    let present = (counts | (counts >> 1n)) & ONES;
    let lowest = lowestOfGroups(present, jokers, needs);
    while (lowest) {
      const low = lowest & -lowest;
      for (const group of groupsAmong(present & /** @type {bigint} */ (REACH.get(low)), jokers)) {
        const still = needs && !group.isRun;
        const less = total - group.value;
        const rest = counts - group.mask;
        if ((rest | (rest >> 1n)) & lowest || (still && !rest)) {
          least = this.visit(rest, jokers - group.jokers, still, loose, less, least, [group, way]);
        } else if (less < least && !still) {
          [least, this.plan] = [less, [group, way]];
        }
        if (loose >= least) return least;
      }
      lowest ^= low;
      if (!lowest) return least;
      const copies = counts & (low * 3n);
      loose += /** @type {number} */ (VALUES.get(low)) * Number(copies / low);
      if (loose >= least) return least;
      counts ^= copies;
      present ^= low;
    }
    return least;
  }
}

/** Find the cards that may be the lowest of a group. @param {bigint} present @param {number} jokers @param {boolean} needsRun */
function lowestOfGroups(present, jokers, needsRun) {
  if (jokers >= 2) return present;
  const places = present | ((present & ACES) << ACE_SHIFT);
  const second = present >> SUIT_BITS;
  const third = second >> SUIT_BITS;
  const fourth = third >> SUIT_BITS;
  let [runs, sets] = [0n, 0n];
  if (jokers) {
    runs = places & ((places >> 2n) | (places >> 4n));
    runs = (runs | (((runs >> 22n) | (runs >> 24n)) & ACES)) & present;
    sets = present & (second | third | fourth);
  } else {
    runs = places & (places >> 2n) & (places >> 4n);
    runs = (runs | ((runs >> 22n) & ACES)) & present;
    sets = present & ((second & third) | ((second | third) & fourth));
  }
  return needsRun && !runs ? 0n : runs | sets;
}

/** List the pure runs, dearest first. @param {bigint} starts @param {string | null} wildRank */
function pureRuns(starts, wildRank) {
  const longer = pureRunsFrom(wildRank);
  /** @type {Group[]} */
  const runs = [];
  for (let rest = starts; rest; ) {
    const first = rest & -rest;
    rest ^= first;
    let inARow = 1;
    while (starts & (first << BigInt(2 * inARow))) inARow += 1;
    runs.push(.../** @type {Group[]} */ (longer.get(first)).slice(0, inARow));
  }
  return runs.sort((one, other) => other.value - one.value);
}

/** @param {Way} way @returns {Group[]} */
function groupsOf(way) {
  const groups = [];
  for (let rest = way; rest; rest = rest[1]) groups.push(rest[0]);
  return groups.reverse();
}

// --- tables, made once

/** @param {number} suit @param {number} place */
const bitOf = (suit, place) => 1n << (SUIT_BITS * BigInt(suit) + BigInt(2 * (place % 13)));

/** @param {number} from @param {number} to @returns {number[]} */
const range = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

const PLACES = range(0, 4).flatMap((suit) =>
  range(0, 13).map((place) => /** @type {const} */ ([suit, place])),
);
/** @param {readonly (readonly [number, number])[]} places */
const maskOf = (places) => places.reduce((sum, [suit, place]) => sum + bitOf(suit, place), 0n);

const ACES = maskOf(PLACES.filter(([, place]) => place === 0));
const RUN_STARTS = maskOf(PLACES.filter(([, place]) => place < HIGH_ACE - 1));
const ONES = maskOf(PLACES);
const VALUES = new Map(PLACES.map(([s, p]) => [bitOf(s, p), pointsOfRank(RANKS.charAt(p))]));
const BITS = new Map(PLACES.map(([s, p]) => [RANKS.charAt(p) + SUITS.charAt(s), bitOf(s, p)]));
/** @type {Group} */
const THREE_JOKERS = { mask: 0n, jokers: 3, value: 0, isRun: true, own: [] };

/**
 * Make a group of at least `size` cards from its own (suit, place); one rank may be free.
 * @param {readonly (readonly [number, number])[]} places @param {number} size @param {boolean} isRun
 * @param {string | null} freeRank @returns {Group}
 */
function groupOf(places, size, isRun, freeRank = null) {
  const own = places.map(
    ([suit, place]) => /** @type {const} */ ([place, RANKS.charAt(place % 13) + SUITS.charAt(suit)]),
  );
  const paid = own.filter(([, face]) => face[0] !== freeRank);
  const value = paid.reduce((sum, [, face]) => sum + pointsOfRank(face.charAt(0)), 0);
  return { mask: maskOf(places), jokers: Math.max(3, size) - own.length, value, isRun, own };
}

/** @param {number} suit @param {readonly number[]} places @param {string | null} [freeRank] */
function runOf(suit, places, freeRank = null) {
  const size = /** @type {number} */ (places.at(-1)) - /** @type {number} */ (places[0]) + 1;
  return groupOf(places.map((place) => /** @type {const} */ ([suit, place])), size, true, freeRank);
}

/** @param {readonly number[]} items @param {number} size @returns {number[][]} in the order of their places */
function combinations(items, size) {
  if (size === 0) return [[]];
  return items.flatMap((item, i) =>
    combinations(items.slice(i + 1), size - 1).map((others) => [item, ...others]),
  );
}

/** List the groups whose lowest card is this one. @param {number} suit @param {number} place */
function groupsFrom(suit, place) {
  /** @type {Group[]} */
  const groups = [];
  const higher = range(place + 1, Math.min(place + 5, 13));
  for (const size of range(0, higher.length + 1)) {
    for (const others of combinations(higher, size)) groups.push(runOf(suit, [place, ...others]));
  }
  if (place === 0) {
    for (const size of range(1, 5)) {
      const below = combinations(range(HIGH_ACE - 4, HIGH_ACE), size);
      for (const others of below) groups.push(runOf(suit, [...others, HIGH_ACE]));
    }
  }
  for (const size of range(1, 4 - suit)) {
    for (const others of combinations(range(suit + 1, 4), size)) {
      const suits = [suit, ...others];
      groups.push(groupOf(suits.map((s) => /** @type {const} */ ([s, place])), suits.length, false));
    }
  }
  return groups.sort((a, b) => a.jokers - b.jokers || b.value - a.value);
}

const GROUPS = new Map(PLACES.map(([s, p]) => [bitOf(s, p), groupsFrom(s, p)]));
/** By the lowest card: all cards in one of its groups. */
const REACH = new Map(
  [...GROUPS].map(([low, groups]) => [low, groups.reduce((all, group) => all | group.mask, 0n)]),
);

/** @type {Map<bigint, Group[]>[]} */
const AMONG = [];

/** List the groups of the lowest of `cards`. @param {bigint} cards @param {number} jokers */
function groupsAmong(cards, jokers) {
  const kept = (AMONG[jokers] ??= new Map());
  let found = kept.get(cards);
  if (!found) {
    const all = /** @type {Group[]} */ (GROUPS.get(cards & -cards));
    found = all.filter((group) => group.jokers <= jokers && (group.mask & cards) === group.mask);
    kept.set(cards, found);
  }
  return found;
}

/** @type {Map<string | null, Map<bigint, Group[]>>} */
const PURE_RUNS = new Map();

/** Table pure runs by the first card's bit, then by size from three. @param {string | null} wildRank */
function pureRunsFrom(wildRank) {
  let table = PURE_RUNS.get(wildRank);
  if (!table) {
    table = new Map(
      PLACES.filter(([, first]) => first < HIGH_ACE - 1).map(([suit, first]) => {
        const sizes = range(3, Math.min(14 - first, 13) + 1);
        return [bitOf(suit, first), sizes.map((n) => runOf(suit, range(first, first + n), wildRank))];
      }),
    );
    PURE_RUNS.set(wildRank, table);
  }
  return table;
}

/** @param {string | null} wildRank */
const wildMask = (wildRank) =>
  wildRank === null ? 0n : maskOf(range(0, 4).map((suit) => [suit, RANKS.indexOf(wildRank)]));
