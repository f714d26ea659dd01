// @ts-check
/** The lines on the table: one for each suit, from its seven down to the ace and up to the king. */
import { RANKS, rankOf, suitOf } from "../../cards.js";

/** An open suit: its lowest and its highest card on the table. @typedef {{low: string, high: string}} Line */
/** By suit; a suit without its seven has no line. @typedef {ReadonlyMap<string, Line>} Lines */

/** The order of the suits in the source: spades, hearts, clubs, diamonds. */
export const SUIT_ORDER = "SHCD";

/** A card's place in its line: 0 the ace, 12 the king. @param {string} card */
export const placeOf = (card) => RANKS.indexOf(rankOf(card));

/** The cards that may be laid next: unplayed sevens, and the next at each line's ends. @param {Lines} lines @returns {Set<string>} */
export function fitting(lines) {
  const sevens = [...SUIT_ORDER].filter((suit) => !lines.has(suit)).map((suit) => `7${suit}`);
  const ends = [...lines].flatMap(([suit, { low, high }]) =>
    [RANKS[placeOf(low) - 1], RANKS[placeOf(high) + 1]].filter(Boolean).map((rank) => rank + suit));
  return new Set([...sevens, ...ends]);
}

/** Lay a card that fits. @param {Lines} lines @param {string} card @returns {Lines} */
export function withCard(lines, card) {
  const line = lines.get(suitOf(card)) ?? { low: card, high: card };
  const isBelow = placeOf(card) < placeOf(line.low);
  return new Map(lines).set(suitOf(card), isBelow ? { ...line, low: card } : { ...line, high: card });
}

/** The cards of a line, the ace's end first. @param {Line | undefined} line @returns {string[]} */
export function cardsOf(line) {
  if (!line) return [];
  return [...RANKS.slice(placeOf(line.low), placeOf(line.high) + 1)].map((rank) => rank + suitOf(line.low));
}
