// @ts-check
/** Tricks: who wins one, and which cards may be played to it. The ace is high. */
import { suitOf } from "./cards.js";

/** A card on the table and who played it. @typedef {{seat: number, card: string}} Played */
/** A trick that was taken. @typedef {{winner: number, cards: Played[]}} Trick */

export const SEATS = 4;
export const HAND_CARDS = 13;
const RANKS = "23456789TJQKA";

/** A card's rank within its suit, 0 for the two. @param {string} card */
export const strength = (card) => RANKS.indexOf(card.charAt(0));

/** @param {readonly string[]} cards @param {string} suit */
export const inSuit = (cards, suit) => cards.filter((card) => suitOf(card) === suit);

/** @param {readonly string[]} cards @param {string} least */
export const higher = (cards, least) => cards.filter((card) => strength(card) > strength(least));

/** The place of the card that is winning a trick; the first was led. @param {readonly string[]} trick @param {string} trump */
export function bestOf(trick, trump) {
  const led = suitOf(trick[0] ?? "");
  const worth = (/** @type {string} */ card) => (suitOf(card) === trump ? 200 : suitOf(card) === led ? 100 : 0) + strength(card);
  return trick.reduce((best, card, at) => (worth(card) > worth(trick[best] ?? "") ? at : best), 0);
}

/** What may be played where one follows suit and has no other duty. @param {readonly string[]} holding @param {readonly string[]} trick */
export function following(holding, trick) {
  const suited = trick[0] ? inSuit(holding, suitOf(trick[0])) : [];
  return suited.length ? suited : [...holding];
}
