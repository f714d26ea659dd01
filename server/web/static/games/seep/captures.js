// @ts-check
/**
 * The floor of Seep: what a card takes from it, what joins a house, and how it lies after a play.
 * A choice is the cards of disjoint sets, each adding up to the value, after which no set of that
 * value is left among the loose cards. The cards are the bits of a number, in the order they lie in.
 */
import { RANKS, rankOf } from "../../cards.js";

/** A pile that only its own value takes; each owner keeps a card of it in hand. @typedef {{value: number, cards: string[], owners: number[]}} House */
/** What lies open: `loose` in the order it came, `houses` by their value. @typedef {{loose: string[], houses: House[]}} Floor */
/** `cards` are those of the floor that are taken or that join. @typedef {{move: "throw" | "take" | "build" | "raise", card: string, value: number, house: number, cards: string[] | null}} Play */

export const HOUSE_VALUES = [9, 10, 11, 12, 13];

/** @param {string} card an ace 1, a king 13 */
export const valueOf = (card) => RANKS.indexOf(rankOf(card)) + 1;

/** Partners sit opposite. @param {number} seat */
export const teamOf = (seat) => seat % 2;

/** Whether a house's value is there more than once. @param {House} house */
export const isPakka = (house) => sumOf(house.cards) > house.value;

/** @param {Floor} floor @param {number} value */
export const findHouse = (floor, value) => floor.houses.find((house) => house.value === value) ?? null;

/** Every card on the floor. @param {Floor} floor */
export const cardsOn = (floor) => [...floor.houses.flatMap((house) => house.cards), ...floor.loose];

/** What a card of that value may take, whole: nothing if it can take nothing. @param {Floor} floor @param {number} value @returns {string[][]} */
export function takes(floor, value) {
  const held = findHouse(floor, value)?.cards ?? [];
  return completeSets(floor.loose, value).filter((more) => held.length > 0 || more.length > 0).map((more) => [...held, ...more]);
}

/** Which loose cards may go with a played card into the house of that value. @param {Floor} floor @param {string} card @param {number} value @returns {string[][]} */
export function joins(floor, card, value) {
  const lack = value - valueOf(card);
  if (lack < 0) return [];
  const found = completeSets(floor.loose, value, lack);
  return lack || findHouse(floor, value) ? found : found.filter((choice) => choice.length > 0);
}

/** The floor after a play whose cards are named. @param {Floor} floor @param {number} seat @param {Play} play @returns {Floor} */
export function laid(floor, seat, play) {
  const cards = play.cards ?? [];
  if (play.move === "throw") return { ...floor, loose: [...floor.loose, play.card] };
  if (play.move === "take") return without(floor, cards);
  if (play.move === "build") {
    const owners = findHouse(floor, play.value)?.owners ?? [];
    const all = owners.some((owner) => teamOf(owner) === teamOf(seat)) ? owners : [...owners, seat];
    return withHouse(floor, play.value, [play.card, ...cards], all);
  }
  const house = /** @type {House} */ (findHouse(floor, play.house));
  const owners = findHouse(floor, play.value)?.owners ?? [];
  const left = { ...floor, houses: floor.houses.filter((other) => other !== house) };
  return withHouse(left, play.value, [...house.cards, play.card, ...cards], [...owners, seat]);
}

/** Take cards away; a house of which a card goes is gone as a whole. @param {Floor} floor @param {readonly string[]} cards @returns {Floor} */
const without = ({ loose, houses }, cards) => ({
  loose: loose.filter((card) => !cards.includes(card)),
  houses: houses.filter((house) => !house.cards.some((card) => cards.includes(card))),
});

/** @param {Floor} floor @param {number} value @param {string[]} cards @param {number[]} owners @returns {Floor} */
function withHouse(floor, value, cards, owners) {
  const old = findHouse(floor, value);
  const made = { value, cards: [...(old?.cards ?? []), ...cards], owners: [...new Set(owners)].sort((one, other) => one - other) };
  const houses = [...floor.houses.filter((house) => house !== old), made].sort((one, other) => one.value - other.value);
  return { loose: floor.loose.filter((card) => !cards.includes(card)), houses };
}

/**
 * Every complete choice of loose cards for a value, the one with most cards first; one empty choice
 * if nothing adds up. With `lack`, one set adds up to that instead: no choice if there is none.
 * @param {readonly string[]} loose @param {number} value @param {number} [lack] @returns {string[][]}
 */
export function completeSets(loose, value, lack = 0) {
  const values = loose.map(valueOf);
  const sets = sums(values, value);
  if (!sets.length && !lack) return [[]];
  const all = 2 ** values.length - 1;
  /** @type {Set<number>} */
  const found = new Set();
  for (const own of lack ? sums(values, lack) : [0]) for (const rest of rests(all & ~own, sets, new Map())) found.add(rest);
  const size = (/** @type {number} */ bits) => loose.filter((_, at) => (bits >> at) & 1).length;
  return [...found].map((rest) => all & ~rest).sort((one, other) => size(other) - size(one) || one - other)
    .map((taken) => loose.filter((_, at) => (taken >> at) & 1));
}

/**
 * What may be left of `cards` when no set is left in it: the first set that is still there can't
 * stay, so one that shares a card with it is taken.
 * @param {number} cards @param {readonly number[]} sets @param {Map<number, Set<number>>} known @returns {Set<number>}
 */
function rests(cards, sets, known) {
  const before = known.get(cards);
  if (before) return before;
  const still = sets.filter((one) => (one & cards) === one);
  const first = still[0];
  const found = new Set(first === undefined ? [cards]
    : still.filter((one) => one & first).flatMap((one) => [...rests(cards & ~one, still, known)]));
  known.set(cards, found);
  return found;
}

/** The sets of cards, as bits, that add up to `total`. @param {readonly number[]} values @param {number} total @returns {number[]} */
function sums(values, total) {
  /** @type {number[][]} */
  const ways = Array.from({ length: total + 1 }, (_, sum) => (sum === 0 ? [0] : []));
  values.forEach((value, at) => {
    for (let least = total - value; least >= 0; least -= 1) {
      ways[least + value]?.push(...(ways[least] ?? []).map((one) => one | (1 << at)));
    }
  });
  return ways[total] ?? [];
}

/** @param {readonly string[]} cards */
export const sumOf = (cards) => cards.reduce((sum, card) => sum + valueOf(card), 0);
