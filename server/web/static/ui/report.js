// @ts-check
/** Reporting a hand that is over to the operators, once, in one's own words; and their answer. */
import { ApiError, textOf, write } from "../api.js";
import { moment } from "../format.js";
import { tell } from "../state.js";
import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Dialog } from "./dialog.js";

/** @typedef {{text: string, at: string, answer: string | null, answered_at: string | null}} Complaint */

/** @param {{hand: string, complaint: Complaint | null}} of */
export function Report({ hand, complaint }) {
  const [said, setSaid] = useState(complaint);
  return said ? html`<${Said} complaint=${said} />` : html`<${Ask} hand=${hand} onSaid=${setSaid} />`;
}

/** @param {{complaint: Complaint}} of */
function Said({ complaint: { text, at, answer, answered_at } }) {
  return html`
    <details class="reported">
      <summary>${answer === null ? t("reported_waits") : t("reported_answered")}</summary>
      <p class="small">${t("you_said", { at: moment(at) })}</p><p class="said">${text}</p>
      ${answer !== null && html`<p class="small">${t("answer_was", { at: moment(answered_at ?? at) })}</p><p class="said">${answer}</p>`}
    </details>`;
}

/** @param {{hand: string, onSaid: (complaint: Complaint) => void}} of */
function Ask({ hand, onSaid }) {
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState("");
  /** @param {SubmitEvent} event */
  const send = async (event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const text = String(form.get("text"));
    try {
      await write("POST", `/hands/${hand}/complaint`, { text });
      tell(t("reported"));
      onSaid({ text, at: new Date().toISOString(), answer: null, answered_at: null });
    } catch (error) {
      setFailure(await textOf(error instanceof ApiError ? error.code : "fault"));
    }
  };
  return html`
    <button type="button" class="plain report" onClick=${() => setOpen(true)}>${t("report")}</button>
    ${isOpen && html`<${Dialog} title=${t("report")} onClose=${() => setOpen(false)}>
      <form onSubmit=${send}>
        <label>${t("report_what")}<textarea name="text" required maxlength="1000" rows="4"></textarea></label>
        ${failure && html`<p class="failure" role="alert">${failure}</p>`}
        <div class="buttons"><button type="button" class="quiet" onClick=${() => setOpen(false)}>${t("cancel")}</button>
          <button class="main">${t("report")}</button></div>
      </form><//>`}`;
}
