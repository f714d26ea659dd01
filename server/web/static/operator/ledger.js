// @ts-check
/** The ledger: transfers by filters, each with its lines; as a file; undone by a treasurer. */
import { ht, moment, signedHt } from "../format.js";
import { html, useState } from "../vendor/preact.js";
import { t, tn } from "../words.js";
import { Act, Download, HandLink, PlayerLink, queryOf, Rows } from "./parts.js";
import { WholeHand } from "./hands.js";
import { PickPlayer, PickTable } from "./pick.js";
import { may, useList } from "./who.js";
import { o, on } from "./words.js";

const KINDS = ["settle", "issue", "withdraw", "adjust", "reversal", "grant"];

/** @param {FormDataEntryValue | null} local a time without a zone, as the browser's clock has it */
const instant = (local) => (local ? new Date(String(local)).toISOString() : "");

/** @param {{first: string}} of the filter that a link came with: `hand=12` */
export function Ledger({ first }) {
  const [query, setQuery] = useState(first);
  const [undone, setUndone] = useState(/** @type {string | null} */ (null));
  const list = useList(`/operator/entries${query ? `?${query}` : ""}`, "entries");
  const given = new URLSearchParams(first);
  const hand = new URLSearchParams(query).get("hand");
  /** @param {SubmitEvent} event */
  const look = (event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const text = (/** @type {string} */ name) => String(form.get(name) ?? "").trim();
    setQuery(queryOf({
      kind: text("kind"), player: text("player"), table: text("table"), hand: text("hand"), reason: text("reason"),
      since: instant(form.get("since")), until: instant(form.get("until")),
    }));
  };
  return html`
    <section class="list">
      <form class="filters" aria-label=${o("filters")} onSubmit=${look}>
        <label>${o("kind")}<select name="kind"><option value="">${o("any")}</option>
          ${KINDS.map((kind) => html`<option value=${kind}>${tn("entry", kind)}</option>`)}</select></label>
        <${PickPlayer} first=${given.get("player") ?? ""} />
        <label>${o("hand_number")}<input name="hand" inputmode="numeric" pattern="[1-9][0-9]{0,17}" defaultValue=${given.get("hand") ?? ""} /></label>
        <${PickTable} first=${given.get("table") ?? ""} />
        <label>${o("reason_begins")}<input name="reason" maxlength="500" /></label>
        <label>${o("since")}<input name="since" type="datetime-local" /></label>
        <label>${o("until")}<input name="until" type="datetime-local" /></label>
        <div class="buttons"><button class="main">${o("look")}</button>
          <${Download} href=${`/api/v1/operator/entries.csv${query ? `?${query}` : ""}`}>${o("csv")}<//></div>
      </form>
      <${Rows} id="ledger" title=${on("place", "ledger")} list=${list} columns=${[
        { head: t("when"), of: (/** @type {any} */ row) => moment(row.at) },
        { head: o("entry"), of: (/** @type {any} */ row) => html`${row.entry} · ${tn("entry", row.kind)}` },
        { head: t("hand"), of: (/** @type {any} */ row) => html`<${HandLink} hand=${row.hand} />` },
        { head: o("moved"), num: true, of: (/** @type {any} */ row) => ht(row.moved.micro) },
        { head: o("lines"), of: (/** @type {any} */ row) => html`<${Lines} postings=${row.postings} />` },
        { head: o("reason"), of: (/** @type {any} */ row) => html`${row.reason} <span class="small">${row.actor}</span>` },
        ...(may("treasurer") ? [{ head: o("act"), of: (/** @type {any} */ row) => row.kind !== "reversal" && html`
          <button type="button" class="plain" onClick=${() => setUndone(row.entry)}>${o("undo")}</button>` }] : []),
      ]} />
      ${hand && html`<${WholeHand} key=${hand} hand=${hand} />`}
      ${undone && html`<${Act} title=${o("undo_title", { entry: undone })} yes=${o("undo")} isGrave=${true}
        path=${`/operator/entries/${undone}/reversal`} onDone=${list.again} onClose=${() => setUndone(null)} />`}
    </section>`;
}

/** @param {{postings: any[]}} of */
const Lines = ({ postings }) => html`<ul class="lines">${postings.map((line) => html`<li>
  <span>${line.player ? html`<${PlayerLink} player=${line.player} name=${line.name} />` : on("account", line.account)}</span>
  <span class=${`num ${line.amount.micro.startsWith("-") ? "minus" : "plus"}`}>${signedHt(line.amount.micro)}</span></li>`)}</ul>`;
