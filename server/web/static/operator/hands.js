// @ts-check
/** Hands that are over, complaints about them, what operators did, and the public log's head. */
import { apart } from "../apart.js";
import { ht, moment, number, signedHt } from "../format.js";
import { verifyLink } from "../ui/lists.js";
import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Act, HandLink, PlayerLink, queryOf, Rows } from "./parts.js";
import { PickPlayer, PickTable } from "./pick.js";
import { may, useAnswer, useList } from "./who.js";
import { o, on } from "./words.js";

/** @param {{hand: string, record: string | null}} of */
const Proof = ({ hand, record }) => (record
  ? html`<a href=${verifyLink(hand)}>${o("replay")}</a> · <a href=${record} download>${t("record")}</a>`
  : o("cancelled"));

const columns = () => [
  { head: t("ended"), of: (/** @type {any} */ row) => moment(row.ended_at) },
  { head: t("table"), of: (/** @type {any} */ row) => `${apart(row.table_name)} · ${number(row.number)}` },
  { head: o("lines"), of: (/** @type {any} */ row) => row.seats.length > 0 && html`<ul class="lines">${row.seats.map((/** @type {any} */ seat) => html`<li>
    <span><${PlayerLink} player=${seat.player} name=${seat.name} /> · ${t("points_n", { points: seat.points })}</span>
    <span class=${`num ${seat.amount.micro.startsWith("-") ? "minus" : "plus"}`}>${signedHt(seat.amount.micro)}</span></li>`)}</ul>` },
  { head: o("commission"), num: true, of: (/** @type {any} */ row) => row.commission && ht(row.commission.micro) },
  { head: o("transfers"), of: (/** @type {any} */ row) => html`<${HandLink} hand=${row.hand} />` },
  { head: t("proof"), of: (/** @type {any} */ row) => html`<${Proof} hand=${row.hand} record=${row.record} />` },
];

/** The hand that transfers belong to, once it is over. @param {{hand: string}} of */
export function WholeHand({ hand }) {
  const list = useList(`/operator/hands?hand=${encodeURIComponent(hand)}`, "hands");
  return html`<${Rows} id="whole-hand" level=${2} title=${o("whole_hand", { hand })} list=${list} columns=${columns()} />`;
}

export function Hands() {
  const [query, setQuery] = useState("");
  const list = useList(`/operator/hands?${query}`, "hands");
  /** @param {SubmitEvent} event */
  const look = (event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    setQuery(queryOf({ player: String(form.get("player")).trim(), table: String(form.get("table")).trim() }));
  };
  return html`
    <section class="list">
      <form class="filters" aria-label=${o("filters")} onSubmit=${look}>
        <${PickPlayer} /><${PickTable} />
        <div class="buttons"><button class="main">${o("look")}</button></div>
      </form>
      <p class="small">${o("hands_after")}</p>
      <${Rows} id="hands" title=${on("place", "hands")} list=${list} columns=${columns()} />
    </section>`;
}

export function Complaints() {
  const [isOpen, setOpen] = useState(true);
  const list = useList(`/operator/complaints${isOpen ? "?answered=false" : ""}`, "complaints");
  const [asked, setAsked] = useState(/** @type {any} */ (null));
  return html`
    <section class="list">
      <label class="switch"><input type="checkbox" checked=${isOpen} onChange=${(/** @type {any} */ event) => setOpen(event.currentTarget.checked)} />
        <span>${o("open_only")}</span></label>
      <${Rows} id="complaints" title=${on("place", "complaints")} list=${list} columns=${[
        { head: t("when"), of: (/** @type {any} */ row) => moment(row.at) },
        { head: o("who"), of: (/** @type {any} */ row) => html`<${PlayerLink} player=${row.player} name=${row.name} />` },
        { head: t("hand"), of: (/** @type {any} */ row) => html`${apart(row.table_name)} · ${number(row.number)} · <${Proof} hand=${row.hand} record=${row.record} />` },
        { head: o("says"), of: (/** @type {any} */ row) => html`<p class="said">${row.text}</p>` },
        { head: o("answer"), of: (/** @type {any} */ row) => row.answer ? html`${row.answer} <span class="small">${row.answered_by}</span>`
          : may("operator") && html`<button type="button" class="plain" onClick=${() => setAsked(row)}>${o("answer")}</button>` },
      ]} />
      ${asked && html`<${Act} title=${o("answer")} yes=${o("answer")} reasonLabel=${o("answer")}
        path=${`/operator/complaints/${asked.complaint}/answer`} onDone=${list.again} onClose=${() => setAsked(null)}>
        <p class="said">${asked.text}</p><//>`}
    </section>`;
}

export function Audit() {
  const list = useList("/operator/audit", "acts");
  return html`
    <section class="list">
      <${Rows} id="audit" title=${on("place", "audit")} list=${list} columns=${[
        { head: t("when"), of: (/** @type {any} */ row) => moment(row.at) },
        { head: o("who"), of: (/** @type {any} */ row) => row.operator },
        { head: o("act"), of: (/** @type {any} */ row) => on("did", row.act) },
        { head: o("subject"), of: (/** @type {any} */ row) => row.subject },
        { head: o("reason"), of: (/** @type {any} */ row) => row.reason },
      ]} />
    </section>`;
}

export function Log() {
  const { body, failure } = useAnswer("/log");
  return html`
    <section class="list">
      <h1>${on("place", "log")}</h1>
      ${failure && html`<p class="failure" role="alert">${failure}</p>`}
      ${body && html`<dl class="log-head">
        <div><dt>${o("log_origin")}</dt><dd>${body.origin}</dd></div>
        <div><dt>${o("log_size")}</dt><dd>${number(body.size)}</dd></div>
        <div><dt>${o("log_root")}</dt><dd><code>${body.root ?? "—"}</code></dd></div>
        <div><dt>${o("log_key")}</dt><dd><code>${body.vkey}</code></dd></div></dl>
        ${body.size > 0 && html`<p><a href="/api/v1/log/checkpoint">${o("checkpoint")}</a></p>`}`}
    </section>`;
}
