// @ts-check
/** My hands, and my statement: page by page, newest hands first; and the way to my matches. */
import { ApiError, get, textOf } from "../api.js";
import { ht, moment, number, signedHt } from "../format.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { t, tn } from "../words.js";
import { Report } from "./report.js";

/**
 * Load a list page by page.
 * @param {string} path @param {string} field
 * @returns {{rows: any[] | null, more: (() => void) | null, failure: string}}
 */
export function usePages(path, field) {
  const [rows, setRows] = useState(/** @type {any[] | null} */ (null));
  const [next, setNext] = useState(/** @type {number | null} */ (null));
  const [failure, setFailure] = useState("");
  /** @param {number | null} after */
  const load = async (after) => {
    try {
      const body = await get(`${path}?limit=50${after === null ? "" : `&after=${after}`}`);
      setRows((old) => [...(after === null ? [] : old ?? []), ...body[field]]);
      setNext(body.next);
      setFailure("");
    } catch (error) {
      setFailure(await textOf(error instanceof ApiError ? error.code : "fault"));
    }
  };
  useEffect(() => {
    setRows(null);
    void load(null);
  }, [path]);
  return { rows, more: next === null ? null : () => load(next), failure };
}

/** @param {string} hand the record's own address: a page that is told nothing else can check it */
export const verifyLink = (hand) => `/verify?hand=${hand}`;

/** What one has played, in three lists. @param {{place: "hands" | "matches" | "standings"}} of */
export const Played = ({ place }) => html`
  <nav class="tabs" aria-label=${t("played_lists")}>${PLAYED.map((one) => html`
    <a key=${one} href=${`#/${one}`} aria-current=${one === place ? "page" : undefined}>${t(PLAYED_WORDS[one])}</a>`)}</nav>`;

const PLAYED = /** @type {const} */ (["hands", "matches", "standings"]);
const PLAYED_WORDS = /** @type {const} */ ({ hands: "my_hands", matches: "my_matches", standings: "standings" });

export function Hands() {
  const { rows, more, failure } = usePages("/me/hands", "hands");
  return html`
    <section class="list" aria-labelledby="hands">
      <${Played} place="hands" />
      <h1 id="hands">${t("my_hands")}</h1>
      ${failure && html`<p class="failure" role="alert">${failure}</p>`}
      ${rows === null ? !failure && html`<p role="status">${t("loading")}</p>` : rows.length === 0 ? html`<p>${t("no_hands")}</p>` : html`
        <div class="wide" role="region" aria-labelledby="hands" tabindex="0"><table>
          <thead><tr><th scope="col">${t("ended")}</th><th scope="col">${t("table")}</th><th scope="col">${t("hand")}</th><th scope="col" class="num">${t("points")}</th>
            <th scope="col" class="num">HT</th><th scope="col">${t("proof")}</th></tr></thead>
          <tbody>${rows.map((row) => html`<tr key=${row.hand}>
            <td>${moment(row.ended_at)}</td><td class="where">${row.table_name}<span class="small">${tn("game", row.game)}</span></td><td>${number(row.number)}</td><td class="num">${number(row.points)}</td>
            ${row.free ? html`<td class="num"><abbr title=${t("free_table")}>–</abbr></td>`
              : html`<td class=${`num ${row.amount.micro.startsWith("-") ? "minus" : "plus"}`}>${signedHt(row.amount.micro)}</td>`}
            <td><a href=${verifyLink(row.hand)}>${t("verify")}</a> · <a href=${row.record} download>${t("record")}</a>
              <${Report} hand=${row.hand} complaint=${row.complaint} /></td>
          </tr>`)}</tbody></table></div>`}
      ${more && html`<button type="button" class="quiet" onClick=${more}>${t("more")}</button>`}
    </section>`;
}

export function Statement() {
  const { rows, more, failure } = usePages("/me/statement", "lines");
  return html`
    <section class="list" aria-labelledby="statement">
      <h1 id="statement">${t("statement")}</h1>
      <p class="small">${t("not_money")}</p>
      ${failure && html`<p class="failure" role="alert">${failure}</p>`}
      ${rows === null ? !failure && html`<p role="status">${t("loading")}</p>` : html`
        <div class="wide" role="region" aria-labelledby="statement" tabindex="0"><table>
          <thead><tr><th scope="col">${t("when")}</th><th scope="col">${t("what")}</th><th scope="col" class="num">HT</th><th scope="col" class="num">${t("balance")}</th></tr></thead>
          <tbody>${rows.map((row) => html`<tr>
            <td>${moment(row.at)}</td><td>${tn("entry", row.kind)}${row.hand && html` · <a href=${verifyLink(row.hand)}>${t("hand_number", { hand: row.hand })}</a>`}</td>
            <td class=${`num ${row.amount.micro.startsWith("-") ? "minus" : "plus"}`}>${signedHt(row.amount.micro)}</td>
            <td class="num">${ht(row.balance.micro)}</td>
          </tr>`)}</tbody></table></div>`}
      ${more && html`<button type="button" class="quiet" onClick=${more}>${t("more")}</button>`}
    </section>`;
}
