// @ts-check
/** How a player has laid out the own hand: groups of cards, and what each is. No drawing here. */
import { SUITS, isPrintedJoker, rankOf, suitOf } from "../cards.js";
import { count, isJoker, kindsOf, pointsOf } from "../games/rummy/scoring.js";

/** @typedef {string[][]} Groups */
/** @typedef {"pure" | "seq" | "set" | "loose"} Kind */

const ORDER = "A23456789TJQK";

/** Keep the layout, without what is gone; what is new stands alone at the end. @param {Groups} groups @param {readonly string[]} holding @param {string | null} [wildRank] @returns {Groups} */
export function reconciled(groups, holding, wildRank = null) {
  const held = new Set(holding);
  const kept = groups.map((group) => group.filter((card) => held.has(card))).filter((group) => group.length);
  const placed = new Set(kept.flat());
  const fresh = holding.filter((card) => !placed.has(card));
  if (!kept.length) return bySuit(fresh, wildRank);
  return fresh.length ? [...kept, fresh] : kept;
}

/** @param {readonly string[]} cards @param {string | null} wildRank @returns {Groups} a group for each suit, the jokers last */
export function bySuit(cards, wildRank) {
  const jokers = cards.filter((card) => isJoker(card, wildRank));
  const own = cards.filter((card) => !isJoker(card, wildRank));
  const suits = [...SUITS].map((suit) => inOrder(own.filter((card) => suitOf(card) === suit)));
  return [...suits, inOrder(jokers)].filter((group) => group.length);
}

/** @param {readonly string[]} cards @param {string | null} wildRank @returns {Groups} the cheapest arrangement, what is loose by suits behind it */
export function atBest(cards, wildRank) {
  const found = count(cards, wildRank);
  return [...found.groups, ...bySuit(found.loose, wildRank)];
}

/** @param {readonly string[]} cards */
function inOrder(cards) {
  const place = (/** @type {string} */ card) =>
    isPrintedJoker(card) ? 99 : SUITS.indexOf(suitOf(card)) * 20 + ORDER.indexOf(rankOf(card));
  return [...cards].sort((one, other) => place(one) - place(other) || (one < other ? -1 : 1));
}

/**
 * Move cards to a group, before its card `at`; a group that there is not is a new one at the end.
 * @param {Groups} groups @param {readonly string[]} cards @param {number} target @param {number} at @returns {Groups}
 */
export function moved(groups, cards, target, at) {
  const moving = new Set(cards);
  const goal = groups[target] ?? [];
  const before = goal.slice(0, at).filter((card) => !moving.has(card));
  const after = goal.slice(at).filter((card) => !moving.has(card));
  const made = [...before, ...cards, ...after];
  const others = groups.map((group, i) => (i === target ? made : group.filter((card) => !moving.has(card))));
  if (target >= groups.length) others.push(made);
  return others.filter((group) => group.length);
}

/** Move one card one place on, out of its group and into the next where it ends. @param {Groups} groups @param {string} card @param {-1 | 1} step @returns {Groups} */
export function nudged(groups, card, step) {
  const from = groups.findIndex((group) => group.includes(card));
  const group = groups[from];
  if (!group) return groups;
  const at = group.indexOf(card);
  const next = at + step;
  if (next >= 0 && next < group.length) return moved(groups, [card], from, step > 0 ? next + 1 : next);
  const target = from + step;
  const goal = groups[target];
  if (goal) return moved(groups, [card], target, step > 0 ? 0 : goal.length);
  return step > 0 && group.length > 1 ? moved(groups, [card], groups.length, 0) : groups;
}

/** @param {readonly string[]} group @param {string | null} wildRank @returns {Kind} */
export function kindOf(group, wildRank) {
  const kinds = kindsOf(group, wildRank);
  if (kinds.has("pure")) return "pure";
  if (kinds.has("seq")) return "seq";
  return kinds.has("set") ? "set" : "loose";
}

/** @param {readonly string[]} cards @param {string | null} wildRank */
export const looseValue = (cards, wildRank) => cards.reduce((sum, card) => sum + pointsOf(card, wildRank), 0);

/** What the hand would cost now, at its best arrangement. @param {readonly string[]} cards @param {string | null} wildRank */
export const costOf = (cards, wildRank) => count(cards, wildRank);

/** Whether the thirteen cards but this one are complete. @param {readonly string[]} cards @param {string} finish @param {string | null} wildRank */
export function canDeclare(cards, finish, wildRank) {
  const rest = cards.filter((card) => card !== finish);
  return rest.length === cards.length - 1 && count(rest, wildRank).canDeclare;
}

/** A card without which the hand is complete, null if there is none. @param {readonly string[]} cards @param {string | null} wildRank @returns {string | null} */
export const finishOf = (cards, wildRank) => cards.find((card) => canDeclare(cards, card, wildRank)) ?? null;
