// @ts-check
/** Reporting a hand that is over to the operators, once, in one's own words. */
import { ApiError, textOf, write } from "../api.js";
import { tell } from "../state.js";
import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Dialog } from "./dialog.js";

/** @param {{hand: string}} of */
export function Report({ hand }) {
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState("");
  /** @param {SubmitEvent} event */
  const send = async (event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    try {
      await write("POST", `/hands/${hand}/complaint`, { text: String(form.get("text")) });
      setOpen(false);
      tell(t("reported"));
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
