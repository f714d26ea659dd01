// @ts-check
/** Cards that are dragged: between groups, to a new one, onto the open pile, to the finish. */
import { useEffect, useRef } from "../vendor/preact.js";
import { moved } from "./groups.js";

/** @typedef {import("./model.js").TableModel} TableModel */
/** @typedef {{card: string, element: HTMLElement, x: number, y: number, isMoving: boolean, pointer: number}} Drag */

const FAR_ENOUGH = 8;

/**
 * @param {import("../vendor/preact.js").Ref<HTMLElement | null>} ref the hand
 * @param {TableModel} model @param {(card: string) => void} onDiscard @param {(card: string) => void} onDeclare
 * @returns {() => boolean} whether the click that comes now ends a drag
 */
export function useDrag(ref, model, onDiscard, onDeclare) {
  const drag = useRef(/** @type {Drag | null} */ (null));
  const ended = useRef(0);
  const acts = useRef({ onDiscard, onDeclare });
  acts.current = { onDiscard, onDeclare };
  const hasHand = model.groups.value.length > 0;
  useEffect(() => {
    const hand = ref.current;
    if (!hand) return undefined;
    /** @param {PointerEvent} event */
    const down = (event) => {
      const element = event.target instanceof Element ? event.target.closest("[data-card]") : null;
      if (!(element instanceof HTMLElement) || event.button !== 0) return;
      drag.current = { card: String(element.dataset.card), element, x: event.clientX, y: event.clientY, isMoving: false, pointer: event.pointerId };
    };
    /** @param {PointerEvent} event */
    const move = (event) => {
      const now = drag.current;
      if (!now || event.pointerId !== now.pointer) return;
      const [x, y] = [event.clientX - now.x, event.clientY - now.y];
      if (!now.isMoving && Math.hypot(x, y) < FAR_ENOUGH) return;
      if (!now.isMoving) {
        now.isMoving = true;
        now.element.classList.add("dragged");
        document.documentElement.classList.add("dragging");
      }
      now.element.style.transform = `translate(${x}px, ${y}px) rotate(3deg)`;
      mark(targetAt(event, now.element));
    };
    /** @param {PointerEvent} event */
    const up = (event) => {
      const now = drag.current;
      if (!now || event.pointerId !== now.pointer) return;
      drag.current = null;
      if (!now.isMoving) return;
      ended.current = event.timeStamp;
      const target = event.type === "pointerup" ? targetAt(event, now.element) : null;
      now.element.classList.remove("dragged");
      now.element.style.transform = "";
      document.documentElement.classList.remove("dragging");
      mark(null);
      if (target) drop(model, now.card, target, event, acts.current);
    };
    hand.addEventListener("pointerdown", down);
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
    return () => {
      hand.removeEventListener("pointerdown", down);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
    };
  }, [hasHand]);
  return () => performance.now() - ended.current < 50;
}

/**
 * What lies under the pointer and takes cards. The dragged card itself is above all of it: a drawing
 * in the middle of a drag may take away the class that lets the pointer through.
 * @param {PointerEvent} event @param {HTMLElement} dragged @returns {HTMLElement | null}
 */
function targetAt(event, dragged) {
  const under = document.elementsFromPoint(event.clientX, event.clientY).find((one) => !dragged.contains(one));
  const found = under?.closest("[data-drop], [data-group]");
  return found instanceof HTMLElement ? found : null;
}

/** @param {HTMLElement | null} target */
function mark(target) {
  for (const one of document.querySelectorAll(".drop-here")) if (one !== target) one.classList.remove("drop-here");
  target?.classList.add("drop-here");
}

/**
 * @param {TableModel} model @param {string} card @param {HTMLElement} target @param {PointerEvent} event
 * @param {{onDiscard: (card: string) => void, onDeclare: (card: string) => void}} acts
 */
function drop(model, card, target, event, acts) {
  const groups = model.groups.value;
  const cards = model.selected.value.includes(card) ? groups.flat().filter((one) => model.selected.value.includes(one)) : [card];
  if (target.dataset.drop === "discard") acts.onDiscard(card);
  else if (target.dataset.drop === "declare") acts.onDeclare(card);
  else {
    const at = target.dataset.drop === "new" ? groups.length : Number(target.dataset.group);
    model.layOut(moved(groups, cards, at, placeIn(target, event.clientX)));
    model.selected.value = [];
  }
}

/** Before which card of a group something was dropped. @param {HTMLElement} group @param {number} x */
function placeIn(group, x) {
  const cards = [...group.querySelectorAll("[data-card]")];
  const at = cards.findIndex((card) => {
    const box = card.getBoundingClientRect();
    return x < box.left + 14;
  });
  return at < 0 ? cards.length : at;
}
