// @ts-check
/** Figures: the trial balance, the invariants as last checked, the accounts; commission as charts. */
import { write } from "../api.js";
import { ht, moment, number } from "../format.js";
import { lang } from "../state.js";
import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Download, PlayerLink, Rows, whole } from "./parts.js";
import { may, useAnswer, useList, wordsOf } from "./who.js";
import { o, on } from "./words.js";

const PERIODS = [7, 30, 90, 366];

export function Trial() {
  const { body, failure, again } = useAnswer("/operator/trial-balance");
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
        <${Checked} check=${body.check} onChecked=${again} />`}
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

/** @param {{check: any, onChecked: () => void}} of */
function Checked({ check, onChecked }) {
  const figures = (/** @type {any} */ one) => Object.entries(one.figures).map(([name, value]) => `${name} ${value}`).join(", ");
  return html`
    <h2 id="checks">${o("invariants")}</h2>
    ${check === null ? html`<p>${o("never_checked")}</p>`
      : html`<p class=${check.holds ? "good" : "failure"}>${check.holds ? o("all_hold", { at: moment(check.at) }) : o("one_fails", { at: moment(check.at) })}</p>`}
    ${may("operator") && html`<${CheckNow} onChecked=${onChecked} />`}
    ${check && html`<ul class="checks-list" lang="en">${check.invariants.map((/** @type {any} */ one) => html`
      <li class=${one.holds ? "good" : "failure"}>${one.holds ? "✓" : "✗"} ${one.name} <span class="small">${figures(one)}</span></li>`)}</ul>`}`;
}

/** @param {{onChecked: () => void}} of */
function CheckNow({ onChecked }) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const check = async () => {
    setBusy(true);
    setFailure("");
    try {
      await write("POST", "/operator/ledger/check");
      onChecked();
    } catch (error) {
      setFailure(await wordsOf(error));
    }
    setBusy(false);
  };
  return html`
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <button type="button" class="check-now" disabled=${isBusy} onClick=${check}>${isBusy ? o("checking") : o("check_now")}</button>`;
}

export function Commission() {
  const [days, setDays] = useState(30);
  const { body, failure } = useAnswer(`/operator/commission?days=${days}`);
  const day = (/** @type {string} */ iso) => new Intl.DateTimeFormat(`${lang.value}-IN`, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(iso));
  const everyDay = body?.days ?? [];
  const tables = body?.tables ?? [];
  const most = tables.reduce((/** @type {bigint} */ max, /** @type {any} */ one) => (BigInt(one.amount.micro) > max ? BigInt(one.amount.micro) : max), 1n);
  const busy = everyDay.filter((/** @type {any} */ one) => one.hands > 0 || one.amount.micro !== "0").reverse();
  return html`
    <section class="list">
      <h1 id="place">${on("place", "commission")}</h1>
      <label class="period">${o("period")}<select onChange=${(/** @type {any} */ event) => setDays(Number(event.currentTarget.value))}>
        ${PERIODS.map((one) => html`<option value=${one} selected=${one === days}>${o("days", { days: one })}</option>`)}</select></label>
      ${everyDay.length > 0 && html`<${Chart} title=${o("by_day")}
        bars=${everyDay.map((/** @type {any} */ one) => ({ label: day(one.day), micro: BigInt(one.amount.micro) }))} />`}
      <${Rows} id="by-table" level=${2} title=${o("by_table")} list=${whole(body?.tables, "")} columns=${[
        { head: t("table"), of: (/** @type {any} */ row) => html`<a href=${`#/ledger/table=${row.table}`}>${row.name}</a>` },
        { head: o("hands"), num: true, of: (/** @type {any} */ row) => number(row.hands) },
        { head: "HT", num: true, of: (/** @type {any} */ row) => ht(row.amount.micro) },
        { head: o("share"), of: (/** @type {any} */ row) => html`<${Bar} micro=${BigInt(row.amount.micro)} most=${most} />` },
      ]} />
      <${Rows} id="commission" level=${2} title=${o("by_day")} list=${whole(body && busy, failure)} columns=${[
        { head: o("day"), of: (/** @type {any} */ row) => day(row.day) },
        { head: o("hands"), num: true, of: (/** @type {any} */ row) => number(row.hands) },
        { head: "HT", num: true, of: (/** @type {any} */ row) => ht(row.amount.micro) },
      ]} />
      <p class="small">${o("idle_days")}</p>
      <${Download} href="/api/v1/operator/entries.csv?kind=settle">${o("csv")}<//>
    </section>`;
}

const [WIDTH, HEIGHT] = [640, 180];

/** A bar in a row: the number beside it says the same. @param {{micro: bigint, most: bigint}} of */
const Bar = ({ micro, most }) => html`
  <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
    <rect width=${micro > 0n ? Number((micro * 1000n) / most) : 0} height="10" /></svg>`;

/**
 * Bars over a common ground; the table below it says the same to who can't see them.
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
      <div class="ends"><span>${bars[0]?.label}</span><span>${bars.at(-1)?.label}</span></div>
    </figure>`;
}
