// @ts-check
/** Figures: the trial balance, the invariants as last checked, the accounts; commission as charts. */
import { ht, moment, number } from "../format.js";
import { lang } from "../state.js";
import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Download, PlayerLink, Rows, whole } from "./parts.js";
import { useAnswer, useList } from "./who.js";
import { o, on } from "./words.js";

const PERIODS = [7, 30, 90, 366];

export function Trial() {
  const { body, failure } = useAnswer("/operator/trial-balance");
  const accounts = useList("/operator/accounts", "accounts");
  const house = useList("/operator/house", "lines");
  return html`
    <section class="list">
      <${Rows} id="trial" title=${on("place", "trial")} list=${whole(body?.kinds, failure)} columns=${[
        { head: o("account"), of: (/** @type {any} */ row) => on("account", row.kind) },
        { head: o("count"), num: true, of: (/** @type {any} */ row) => number(row.accounts) },
        { head: "HT", num: true, of: (/** @type {any} */ row) => ht(row.posted.micro) },
        { head: t("held"), num: true, of: (/** @type {any} */ row) => ht(row.held.micro) },
      ]} />
      ${body && html`<p class=${`sum ${body.sum.micro === "0" ? "good" : "failure"}`}>${o("sum_is", { sum: ht(body.sum.micro) })}</p>
        <${Checked} check=${body.check} />`}
      <${Rows} id="accounts" level=${2} title=${o("accounts")} list=${accounts} columns=${[
        { head: o("account"), of: (/** @type {any} */ row) => row.player ? html`<${PlayerLink} player=${row.player} name=${row.name} />` : on("account", row.kind) },
        { head: "HT", num: true, of: (/** @type {any} */ row) => ht(row.posted.micro) },
        { head: t("held"), num: true, of: (/** @type {any} */ row) => ht(row.held.micro) },
        { head: o("state"), of: (/** @type {any} */ row) => row.frozen && o("frozen") },
      ]} />
      <${Rows} id="house" level=${2} title=${o("house_statement")} list=${house} columns=${[
        { head: t("when"), of: (/** @type {any} */ row) => moment(row.at) },
        { head: t("hand"), of: (/** @type {any} */ row) => row.hand },
        { head: "HT", num: true, of: (/** @type {any} */ row) => ht(row.amount.micro) },
        { head: t("balance"), num: true, of: (/** @type {any} */ row) => ht(row.balance.micro) },
      ]} />
    </section>`;
}

/** @param {{check: any}} of */
function Checked({ check }) {
  if (check === null) return html`<p>${o("never_checked")}</p>`;
  const figures = (/** @type {any} */ one) => Object.entries(one.figures).map(([name, value]) => `${name} ${value}`).join(", ");
  return html`
    <h2 id="checks">${o("invariants")}</h2>
    <p class=${check.holds ? "good" : "failure"}>${check.holds ? o("all_hold", { at: moment(check.at) }) : o("one_fails", { at: moment(check.at) })}</p>
    <ul class="checks-list" lang="en">${check.invariants.map((/** @type {any} */ one) => html`
      <li class=${one.holds ? "good" : "failure"}>${one.holds ? "✓" : "✗"} ${one.name} <span class="small">${figures(one)}</span></li>`)}</ul>`;
}

export function Commission() {
  const [days, setDays] = useState(30);
  const { body, failure } = useAnswer(`/operator/commission?days=${days}`);
  const day = (/** @type {string} */ iso) => new Intl.DateTimeFormat(`${lang.value}-IN`, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(iso));
  const bars = (body?.days ?? []).map((/** @type {any} */ one) => ({ label: day(one.day), micro: BigInt(one.amount.micro) }));
  const tables = (body?.tables ?? []).slice(0, 20).map((/** @type {any} */ one) => ({ label: one.name, micro: BigInt(one.amount.micro) }));
  return html`
    <section class="list">
      <label class="period">${o("period")}<select onChange=${(/** @type {any} */ event) => setDays(Number(event.currentTarget.value))}>
        ${PERIODS.map((one) => html`<option value=${one} selected=${one === days}>${o("days", { days: one })}</option>`)}</select></label>
      ${bars.length > 0 && html`<${Chart} title=${o("by_day")} bars=${bars} />`}
      <${Rows} id="commission" title=${on("place", "commission")} list=${whole(body && [...body.days].reverse(), failure)} columns=${[
        { head: o("day"), of: (/** @type {any} */ row) => day(row.day) },
        { head: o("hands"), num: true, of: (/** @type {any} */ row) => number(row.hands) },
        { head: "HT", num: true, of: (/** @type {any} */ row) => ht(row.amount.micro) },
      ]} />
      ${tables.length > 0 && html`<${Chart} title=${o("by_table")} bars=${tables} />`}
      <${Rows} id="by-table" level=${2} title=${o("by_table")} list=${whole(body?.tables, "")} columns=${[
        { head: t("table"), of: (/** @type {any} */ row) => html`<a href=${`#/ledger/table=${row.table}`}>${row.name}</a>` },
        { head: o("hands"), num: true, of: (/** @type {any} */ row) => number(row.hands) },
        { head: "HT", num: true, of: (/** @type {any} */ row) => ht(row.amount.micro) },
      ]} />
      <${Download} href="/api/v1/operator/entries.csv?kind=settle">${o("csv")}<//>
    </section>`;
}

const [WIDTH, HEIGHT] = [640, 180];

/**
 * Bars over a common ground; the table beside it says the same to who can't see them.
 * @param {{title: string, bars: {label: string, micro: bigint}[]}} of
 */
function Chart({ title, bars }) {
  const most = bars.reduce((max, bar) => (bar.micro > max ? bar.micro : max), 1n);
  const step = WIDTH / bars.length;
  const tall = (/** @type {bigint} */ micro) => (micro > 0n ? Number((micro * BigInt(HEIGHT * 100)) / most) / 100 : 0);
  return html`
    <figure class="chart">
      <figcaption>${title} · ${o("most", { amount: ht(most) })}</figcaption>
      <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT + 1}`} role="img" aria-label=${title} preserveAspectRatio="none">
        <line x1="0" x2=${WIDTH} y1=${HEIGHT} y2=${HEIGHT} />
        ${bars.map((bar, at) => html`<rect x=${at * step + step * 0.1} width=${step * 0.8} y=${HEIGHT - tall(bar.micro)} height=${tall(bar.micro)}>
          <title>${`${bar.label}: ${ht(bar.micro)} HT`}</title></rect>`)}
      </svg>
    </figure>`;
}
