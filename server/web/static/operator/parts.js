// @ts-check
/**
 * What the console's pages are made of: tables of rows, an act with its reason, filters.
 * On a phone a row is a card (styles/operator.css); its roles say that it is still a table's row.
 */
import { write } from "../api.js";
import { tell } from "../state.js";
import { Dialog } from "../ui/dialog.js";
import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { wordsOf } from "./who.js";
import { o } from "./words.js";

/** @typedef {import("../vendor/preact.js").Child} Child */
/** @typedef {{head: string, of: (row: any) => Child, num?: boolean}} Column */

/**
 * @param {{id: string, title: string, list: {rows: any[] | null, more: (() => void) | null, failure: string},
 *   columns: Column[], level?: number}} of
 */
export function Rows({ id, title, list, columns, level = 1 }) {
  const { rows, more, failure } = list;
  return html`
    ${level === 1 ? html`<h1 id=${id}>${title}</h1>` : html`<h2 id=${id}>${title}</h2>`}
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    ${rows === null ? !failure && html`<p role="status">${t("loading")}</p>`
      : rows.length === 0 ? html`<p class="nothing">${o("nothing")}</p>` : html`
      <div class="wide" role="region" aria-labelledby=${id} tabindex="0"><table role="table">
        <thead role="rowgroup"><tr role="row">${columns.map((one) => html`<th role="columnheader" scope="col" class=${one.num ? "num" : ""}>${one.head}</th>`)}</tr></thead>
        <tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${columns.map((one) => html`
          <td role="cell" data-head=${one.head} class=${one.num ? "num" : ""}><div>${one.of(row)}</div></td>`)}</tr>`)}</tbody>
      </table></div>`}
    ${more && html`<button type="button" class="quiet" onClick=${more}>${t("more")}</button>`}`;
}

/** A list that is there at once. @param {any[] | undefined} rows @param {string} failure */
export const whole = (rows, failure) => ({ rows: rows ?? null, more: null, failure });

/**
 * An act that is written down with its reason; `fields` come before it.
 * @param {{title: string, path: string, yes: string, body?: (form: FormData) => object, isGrave?: boolean,
 *   reasonLabel?: string, onDone: (answer: any) => void, onClose: () => void, children?: Child}} of
 */
export function Act({ title, path, yes, body = () => ({}), isGrave = false, reasonLabel, onDone, onClose, children }) {
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  /** @param {SubmitEvent} event */
  const act = async (event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    setBusy(true);
    try {
      const answer = await write("POST", path, { ...body(form), reason: String(form.get("reason")) });
      tell(o("done"));
      onClose();
      onDone(answer);
    } catch (error) {
      setFailure(await wordsOf(error));
      setBusy(false);
    }
  };
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <form onSubmit=${act}>
        ${children}
        <label>${reasonLabel ?? o("reason")}<input name="reason" required maxlength="500" pattern=".*\\S.*" /></label>
        ${failure && html`<p class="failure" role="alert">${failure}</p>`}
        <div class="buttons">
          <button type="button" class="quiet" onClick=${onClose}>${t("cancel")}</button>
          <button class=${isGrave ? "grave" : "main"} disabled=${isBusy}>${yes}</button>
        </div>
      </form>
    <//>`;
}

/** @param {{href: string, children?: Child}} of */
export const Download = ({ href, children }) => html`<a class="button quiet" href=${href} download>${children}</a>`;

/** HT as people write it, in micro-HT; empty where it isn't an amount. @param {string} written */
export function microOf(written) {
  const found = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(written.trim());
  if (!found) return "";
  return (BigInt(found[1] ?? "0") * 1_000_000n + BigInt((found[2] ?? "").padEnd(6, "0"))).toString();
}

/** The query of a form's filled fields. @param {Record<string, string>} values */
export const queryOf = (values) => new URLSearchParams(Object.entries(values).filter(([, value]) => value !== "")).toString();

/** @param {{player: string | null, name: string | null}} of */
export const PlayerLink = ({ player, name }) =>
  player ? html`<a class="name" href=${`#/players/${player}`}>${name ?? o("deleted")}</a>` : null;

/** @param {{hand: string | null}} of */
export const HandLink = ({ hand }) => (hand ? html`<a href=${`#/ledger/hand=${hand}`}>${hand}</a>` : null);
