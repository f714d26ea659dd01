// @ts-check
/** The own hand: groups in colours that say what they are; by touch, mouse and keyboard. */
import { html, useRef } from "../vendor/preact.js";
import { t, tn } from "../words.js";
import { Face, cardName } from "../ui/card.js";
import { useDrag } from "./drag.js";
import { costOf, kindOf, looseValue, moved, nudged } from "./groups.js";

/** @typedef {import("./model.js").TableModel} TableModel */

/** @param {{model: TableModel, onDiscard: (card: string) => void, onDeclare: (card: string) => void}} of */
export function Hand({ model, onDiscard, onDeclare }) {
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  const wasDragged = useDrag(ref, model, onDiscard, onDeclare);
  const { play } = model;
  const groups = model.groups.value;
  if (!play || play.holding.length === 0) return null;
  const { wildRank } = play;
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    const focused = document.activeElement;
    const card = focused instanceof HTMLElement ? focused.dataset.card : undefined;
    if (!card || event.ctrlKey || event.altKey || event.metaKey) return;
    const flat = groups.flat();
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step !== 0 && event.shiftKey) model.layOut(nudged(groups, card, step));
    else if (step !== 0) focusCard(ref.current, flat[(flat.indexOf(card) + step + flat.length) % flat.length]);
    else if (event.key === "x" || event.key === "Delete") onDiscard(card);
    else if (event.key === "g" && model.selected.value.length) group(model);
    else return;
    event.preventDefault();
    if (step !== 0 && event.shiftKey) requestAnimationFrame(() => focusCard(ref.current, card));
  };
  return html`
    <div class="hand" ref=${ref} role="group" aria-label=${t("your_hand")} onKeyDown=${key}>
      ${groups.map((cards, at) => html`<${Group} key=${cards[0]} model=${model} cards=${cards} at=${at} wildRank=${wildRank}
        wasDragged=${wasDragged} isFirst=${at === 0} />`)}
      <div class="new-group" data-drop="new" aria-hidden="true">+</div>
    </div>`;
}

/** @param {HTMLElement | null} hand @param {string | undefined} card */
function focusCard(hand, card) {
  const found = card === undefined ? null : hand?.querySelector(`[data-card="${card}"]`);
  if (found instanceof HTMLElement) found.focus();
}

/** Make one group of the cards that are selected. @param {TableModel} model */
export function group(model) {
  const chosen = model.selected.value;
  const order = model.groups.value.flat().filter((card) => chosen.includes(card));
  model.layOut(moved(model.groups.value, order, model.groups.value.length, 0));
  model.selected.value = [];
}

/**
 * @param {{model: TableModel, cards: string[], at: number, wildRank: string | null,
 *   wasDragged: () => boolean, isFirst: boolean}} of
 */
function Group({ model, cards, at, wildRank, wasDragged, isFirst }) {
  const kind = kindOf(cards, wildRank);
  const label = kind === "loose" ? t("loose_points", { points: looseValue(cards, wildRank) }) : tn("kind", kind);
  return html`
    <div class=${`group ${kind}`} data-group=${at} role="group" aria-label=${label}>
      <div class="fan">${cards.map((card, i) => html`
        <button type="button" key=${card} class=${`card held ${model.selected.value.includes(card) ? "selected" : ""} ${model.play?.drawnCard === card ? "drawn" : ""}`}
          data-card=${card} tabindex=${isFirst && i === 0 ? 0 : -1} aria-pressed=${model.selected.value.includes(card)}
          onClick=${() => wasDragged() || model.toggle(card)}><span class="sr">${cardName(card, wildRank)}</span><${Face} card=${card} wildRank=${wildRank} /></button>`)}</div>
      <span class="kind" aria-hidden="true">${label}</span>
    </div>`;
}

/** @param {{model: TableModel}} of */
export function Cost({ model }) {
  const { play } = model;
  if (!play || play.holding.length === 0) return null;
  const found = costOf(play.holding, play.wildRank);
  return html`<p class=${`cost ${found.kind}`}><span>${t("costs_now")}</span> <strong>${found.points}</strong>
    <span class="small">${tn("count", found.kind)}</span></p>`;
}
