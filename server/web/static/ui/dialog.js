// @ts-check
/** A dialog that takes the focus and gives it back; Escape closes it. */
import { html, useEffect, useRef } from "../vendor/preact.js";
import { t } from "../words.js";

/** @typedef {import("../vendor/preact.js").Child} Child */

/**
 * @param {{title: string, onClose: () => void, children?: Child, kind?: string}} of
 */
export function Dialog({ title, onClose, children, kind = "" }) {
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return html`
    <dialog ref=${ref} class=${`dialog ${kind}`} aria-label=${title}
      onClose=${onClose} onClick=${(/** @type {MouseEvent} */ event) => event.target === ref.current && onClose()}>
      <div class="dialog-box">
        <header><h2>${title}</h2>
          <button type="button" class="plain" aria-label=${t("close")} onClick=${onClose}>✕</button></header>
        ${children}
      </div>
    </dialog>`;
}

/**
 * A question with one act; the safe answer has the focus.
 * @param {{title: string, text: string, yes: string, isGrave?: boolean, onYes: () => void, onNo: () => void}} of
 */
export function Question({ title, text, yes, isGrave = false, onYes, onNo }) {
  return html`
    <${Dialog} title=${title} onClose=${onNo} kind="question">
      <p>${text}</p>
      <div class="buttons">
        <button type="button" class="quiet" autofocus onClick=${onNo}>${t("cancel")}</button>
        <button type="button" class=${isGrave ? "grave" : "main"} onClick=${onYes}>${yes}</button>
      </div>
    <//>`;
}
