// @ts-check
/** Elements and cards of the page; text only ever enters as text. */
import { isPrintedJoker, rankOf, suitOf } from "../cards.js";
import { isJoker } from "../games/rummy/scoring.js";
import { told } from "./strings.js";

/** @typedef {import("./strings.js").Language} Language */

const GLYPHS = /** @type {Readonly<Record<string, string>>} */ ({ S: "♠", H: "♥", D: "♦", C: "♣" });

/** @param {string} id @returns {any} the page's own element */
export const byId = (id) => document.getElementById(id);

/**
 * Make an element.
 * @param {string} tag @param {Readonly<Record<string, string | number | boolean | null>>} attributes null and false are left out
 * @param {...(Node | string | null)} children @returns {HTMLElement}
 */
export function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** @param {string} rank */
const shownRank = (rank) => (rank === "T" ? "10" : rank);

/** What is printed on a card: `10♥`. @param {string} card */
export const glyphsOf = (card) =>
  isPrintedJoker(card) ? "★" : shownRank(rankOf(card)) + GLYPHS[suitOf(card)];

/** @param {Language} language @param {string} card */
export function cardName(language, card) {
  if (isPrintedJoker(card)) return told(language, "joker");
  const key = rankOf(card);
  const rank = key === "A" || key === "K" || key === "Q" || key === "J" ? told(language, key) : shownRank(key);
  return told(language, key === "Q" ? "queen_name" : "card_name", { rank, suit: told(language, /** @type {"S"} */ (suitOf(card))) });
}

/** @param {Language} language @param {string} card @param {string | null} wildRank @param {boolean} [isDrawn] */
export function cardElement(language, card, wildRank, isDrawn = false) {
  const isPrinted = isPrintedJoker(card);
  const isRed = !isPrinted && "HD".includes(suitOf(card));
  const kinds = ["card", isRed && "red", isPrinted && "printed", isJoker(card, wildRank) && "wild", isDrawn && "drawn"];
  const label = cardName(language, card);
  return el("span", { class: kinds.filter(Boolean).join(" "), role: "img", "aria-label": label, title: card }, glyphsOf(card));
}

/** @param {Language} language @param {readonly string[]} cards @param {string | null} wildRank @param {string | null} [drawn] */
export const cardsElement = (language, cards, wildRank, drawn = null) =>
  el("div", { class: "cards" }, ...cards.map((card) => cardElement(language, card, wildRank, card === drawn)));

/** Tokens from millionths, with their sign. @param {bigint} micro */
export function tokensText(micro) {
  const digits = String(micro < 0n ? -micro : micro).padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "");
  const sign = micro < 0n ? "−" : "+";
  return `${sign}${digits.slice(0, -6)}${fraction && `.${fraction}`} HT`;
}
