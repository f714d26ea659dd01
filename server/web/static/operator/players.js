// @ts-check
/** Players: found by name; one's tokens and statement, tokens given and taken, suspended. */
import { ht, moment, number, signedHt } from "../format.js";
import { html, useState } from "../vendor/preact.js";
import { t, tn } from "../words.js";
import { Act, Download, HandLink, microOf, PlayerLink, queryOf, Rows } from "./parts.js";
import { may, useAnswer, useList } from "./who.js";
import { o, on } from "./words.js";

/** @param {any} row */
const standing = (row) => [row.kind === "bot" && t("bot"), row.guest && t("as_guest"), row.suspended && o("suspended"), row.deleted && o("deleted")]
  .filter(Boolean).join(", ");

export function Players() {
  const [prefix, setPrefix] = useState("");
  const list = useList(`/operator/players?${queryOf({ prefix })}`, "players");
  /** @param {SubmitEvent} event */
  const look = (event) => {
    event.preventDefault();
    setPrefix(String(new FormData(/** @type {HTMLFormElement} */ (event.currentTarget)).get("prefix")).trim());
  };
  return html`
    <section class="list">
      <form class="filters" aria-label=${o("filters")} onSubmit=${look}>
        <label>${o("name_begins")}<input name="prefix" maxlength="64" /></label>
        <div class="buttons"><button class="main">${o("look")}</button></div>
      </form>
      <${Rows} id="players" title=${on("place", "players")} list=${list} columns=${[
        { head: o("number"), of: (/** @type {any} */ row) => row.id },
        { head: o("name"), of: (/** @type {any} */ row) => html`<${PlayerLink} player=${row.id} name=${row.name} />` },
        { head: o("state"), of: standing },
        { head: o("since"), of: (/** @type {any} */ row) => moment(row.created_at) },
      ]} />
    </section>`;
}

/** @param {{player: string}} of */
export function PlayerPage({ player }) {
  const { body, failure, again } = useAnswer(`/operator/players/${player}`);
  const lines = useList(`/operator/players/${player}/statement`, "lines");
  const [act, setAct] = useState(/** @type {"" | "issue" | "withdraw" | "suspension"} */ (""));
  if (failure) return html`<p class="failure" role="alert">${failure}</p>`;
  if (body === null) return html`<p role="status">${t("loading")}</p>`;
  const about = body.player;
  const done = () => {
    again();
    lines.again();
  };
  return html`
    <section class="list">
      <h1 class="name">${about.name}</h1>
      <p>${o("player_is", { number: about.id })} ${standing(about)}</p>
      <dl class="figures">
        <div><dt>${t("available")}</dt><dd>${ht(body.balance.available.micro)} HT</dd></div>
        <div><dt>${t("held")}</dt><dd>${ht(body.balance.held.micro)} HT</dd></div>
      </dl>
      <div class="buttons">
        <a class="button quiet" href=${`#/ledger/player=${player}`}>${o("transfers")}</a>
        <${Download} href=${`/api/v1/operator/players/${player}/statement.csv`}>${o("csv")}<//>
        ${may("operator") && html`<button type="button" class="grave" onClick=${() => setAct("suspension")}>
          ${about.suspended ? o("restore") : o("suspend")}</button>`}
        ${may("treasurer") && html`<button type="button" onClick=${() => setAct("withdraw")}>${o("withdraw")}</button>
          <button type="button" class="main" onClick=${() => setAct("issue")}>${o("issue")}</button>`}
      </div>
      <${Rows} id="statement" level=${2} title=${t("statement")} list=${lines} columns=${[
        { head: o("number"), num: true, of: (/** @type {any} */ row) => number(Number(row.number)) },
        { head: t("when"), of: (/** @type {any} */ row) => moment(row.at) },
        { head: t("what"), of: (/** @type {any} */ row) => tn("entry", row.kind) },
        { head: t("hand"), of: (/** @type {any} */ row) => html`<${HandLink} hand=${row.hand} />` },
        { head: "HT", num: true, of: (/** @type {any} */ row) => signedHt(row.amount.micro) },
        { head: t("balance"), num: true, of: (/** @type {any} */ row) => ht(row.balance.micro) },
        { head: o("reason"), of: (/** @type {any} */ row) => row.reason },
      ]} />
      ${act === "suspension" && html`<${Act} title=${about.suspended ? o("restore") : o("suspend")} isGrave=${!about.suspended}
        yes=${about.suspended ? o("restore") : o("suspend")} path=${`/operator/players/${player}/suspension`}
        body=${() => ({ suspended: !about.suspended })} onDone=${done} onClose=${() => setAct("")} />`}
      ${(act === "issue" || act === "withdraw") && html`<${Act} title=${act === "issue" ? o("issue") : o("withdraw")}
        yes=${act === "issue" ? o("issue") : o("withdraw")} path=${`/operator/tokens/${act}`} isGrave=${act === "withdraw"}
        body=${(/** @type {FormData} */ form) => ({ player, amount: microOf(String(form.get("amount"))) })}
        onDone=${done} onClose=${() => setAct("")}>
        <p class="small">${t("not_money")}</p>
        <label>${o("amount")}<input name="amount" required inputmode="decimal" pattern="[0-9]{1,9}([.][0-9]{1,6})?" /></label>
      <//>`}
    </section>`;
}
