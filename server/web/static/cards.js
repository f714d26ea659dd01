// @ts-check
/** A card is its text: face, then `#d` for the copy from pack d >= 1. Packs, and each card's number. */

/** @typedef {string} Card */

export const RANKS = "A23456789TJQK";
export const SUITS = "SHDC";
export const PRINTED_JOKER = "JK";

/** @param {Card} card */
export const isPrintedJoker = (card) => card.startsWith(PRINTED_JOKER);

/** What is printed on the card: `7H` for `7H#1`. @param {Card} card */
export const faceOf = (card) => card.slice(0, 2);

/** @param {Card} card @returns {string} one of `RANKS`; a printed joker has none */
export function rankOf(card) {
  if (isPrintedJoker(card)) throw new TypeError("a printed joker has no rank");
  return card.charAt(0);
}

/** @param {Card} card @returns {string} one of `SUITS`; a printed joker has none */
export function suitOf(card) {
  if (isPrintedJoker(card)) throw new TypeError("a printed joker has no suit");
  return card.charAt(1);
}

/** All cards; a card's index is its number. @param {number} packs @param {number} jokers @returns {Card[]} */
export function packOf(packs, jokers) {
  const faces = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  const copy = (/** @type {string} */ face, /** @type {number} */ d) => (d ? `${face}#${d}` : face);
  const naturals = Array.from({ length: packs }, (_, d) => faces.map((face) => copy(face, d))).flat();
  return [...naturals, ...Array.from({ length: jokers }, (_, d) => copy(PRINTED_JOKER, d))];
}
