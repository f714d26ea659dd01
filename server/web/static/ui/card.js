// @ts-check
/** Card faces of our own: large indices that are read at 360 px, also where cards overlap. */
import { isPrintedJoker, rankOf, suitOf } from "../cards.js";
import { isJoker } from "../games/rummy/scoring.js";
import { html } from "../vendor/preact.js";
import { t, tn } from "../words.js";

/** @type {Record<string, string>} */
const SHAPES = {
  S: "M32 4C40 18 58 26 58 41a13 13 0 0 1-22 9c1 5 3 8 6 11H22c3-3 5-6 6-11A13 13 0 0 1 6 41C6 26 24 18 32 4z",
  H: "M32 60C26 46 4 38 4 20a15 15 0 0 1 28-7 15 15 0 0 1 28 7c0 18-22 26-28 40z",
  D: "M32 3c6 11 13 20 22 29-9 9-16 18-22 29-6-11-13-20-22-29C19 23 26 14 32 3z",
  C: "M32 4a13 13 0 0 1 11 20 14 14 0 1 1-7 23c1 6 3 10 6 14H22c3-4 5-8 6-14a14 14 0 1 1-7-23A13 13 0 0 1 32 4z",
};
const CROWN = "M6 50 4 18l14 12L32 8l14 22 14-12-2 32zM8 54h48v6H8z";
const STAR = "M32 3l8 18 20 2-15 14 4 20-17-10-17 10 4-20L4 23l20-2z";

/** @param {{suit: string}} of */
export const Suit = ({ suit }) =>
  html`<svg class="suit" viewBox="0 0 64 64" aria-hidden="true"><path d=${SHAPES[suit]} /></svg>`;

/** @param {string} rank */
const written = (rank) => (rank === "T" ? "10" : rank);

/** @param {string} card @param {string | null} wildRank @returns {string} the card as it is read out */
export function cardName(card, wildRank) {
  if (isPrintedJoker(card)) return t("joker");
  const name = t("card_name", { rank: tn("rank", rankOf(card)), suit: tn("suit", suitOf(card)) });
  return isJoker(card, wildRank) ? t("wild_named", { card: name }) : name;
}

/** The face alone; who shows it says what it is. @param {{card: string, wildRank?: string | null}} of */
export function Face({ card, wildRank = null }) {
  if (isPrintedJoker(card)) {
    return html`<span class="face joker" aria-hidden="true"><span class="index"><b>★</b></span>
      <svg class="pip" viewBox="0 0 64 64"><path d=${STAR} /></svg><span class="joker-word">JOKER</span></span>`;
  }
  const [rank, suit] = [rankOf(card), suitOf(card)];
  const isCourt = "JQK".includes(rank);
  return html`<span class=${`face s-${suit} ${isJoker(card, wildRank) ? "wild" : ""}`} aria-hidden="true">
    <span class="index"><b class=${rank === "T" ? "ten" : ""}>${written(rank)}</b><${Suit} suit=${suit} /></span>
    <span class=${`pip ${isCourt ? "court" : ""}`}>
      ${isCourt && html`<svg viewBox="0 0 64 64"><path d=${CROWN} /></svg>`}<${Suit} suit=${suit} /></span>
    ${isJoker(card, wildRank) && html`<span class="wild-mark">★</span>`}</span>`;
}

/** @param {{card: string, wildRank?: string | null, small?: boolean}} of */
export const Card = ({ card, wildRank = null, small = false }) => html`
  <span class=${`card ${small ? "small" : ""}`} role="img" aria-label=${cardName(card, wildRank)}><${Face} card=${card} wildRank=${wildRank} /></span>`;

/** A card with its back up. */
export const Back = () => html`<span class="card back" aria-hidden="true"><svg viewBox="0 0 64 64"><path d="M32 4c11 8 18 9 26 9 0 25-8 40-26 49C14 53 6 38 6 13c8 0 15-1 26-9z" /></svg></span>`;
