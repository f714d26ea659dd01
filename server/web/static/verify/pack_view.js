// @ts-check
/** The deal of a game whose rules are not in this page: its packs in their order, and what was said. */
import { packOf } from "../cards.js";
import { cardsElement, el, glyphsOf } from "./elements.js";
import { told } from "./strings.js";

/** @typedef {import("./strings.js").Language} Language */

const CARD = /\b(?:[A23456789TJQK][SHDC]|JK)(?:#[1-9])?/g;

/**
 * Lay out each shuffle as the published seed makes it, and the moves as the record has them.
 * @param {HTMLElement} place @param {Language} language @param {import("../fair/evidence.js").Evidence} evidence
 */
export function showPacks(place, language, { record, shoes }) {
  const cards = packOf(Number(record.packs), Number(record.printed_jokers));
  const packs = shoes.map(({ order }) => order.map((number) => String(cards[number])));
  const lines = record.events.flatMap(({ line }) => (line === null ? [] : [line]));
  place.replaceChildren(el("div", { class: "table packs" },
    ...packs.map((pack) => el("section", { class: "pile" }, el("h3", {}, told(language, "pack_order")), cardsElement(language, pack, null))),
    el("section", { class: "pile" }, el("h3", {}, told(language, "as_said")),
      el("ol", { class: "as-said" }, ...lines.map((line) => el("li", { title: line }, line.replace(CARD, glyphsOf)))))));
}
