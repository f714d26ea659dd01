// @ts-check
/** Tables that run just now; one is opened from a form that the game's own options make. */
import { apart } from "../apart.js";
import { ht, moment, number } from "../format.js";
import { html, useState } from "../vendor/preact.js";
import { t, tn } from "../words.js";
import { Act, PlayerLink, Rows, whole } from "./parts.js";
import { may, useAnswer } from "./who.js";
import { o, on } from "./words.js";

const LOOK_MS = 5000;

export function Tables() {
  const { body, failure, again } = useAnswer("/operator/live", LOOK_MS);
  const [isOpening, setOpening] = useState(false);
  const [act, setAct] = useState(/** @type {{kind: "drain" | "close" | "void", row: any} | null} */ (null));
  const seats = (/** @type {any} */ row) => row.table.seats.map((/** @type {any} */ seat) =>
    (seat.kind === "bot" ? t("bot_named", { name: seat.name }) : apart(seat.name))).join(", ");
  const buttons = (/** @type {any} */ row) => html`<div class="acts">
    <button type="button" class="plain" onClick=${() => setAct({ kind: "drain", row })}>${o("drain")}</button>
    <button type="button" class="plain grave-text" onClick=${() => setAct({ kind: "close", row })}>${o("close_now")}</button>
    ${row.hand_id && html`<button type="button" class="plain grave-text" onClick=${() => setAct({ kind: "void", row })}>${o("void")}</button>`}</div>`;
  return html`
    <section class="list">
      ${body && html`<p class="live">${o("live", { connections: number(body.connections), players: number(body.players), tables: number(body.tables.length) })}</p>`}
      <${Rows} id="tables" title=${on("place", "tables")} list=${whole(body?.tables, failure)} columns=${[
        { head: t("table"), of: (/** @type {any} */ row) => html`${row.table.name}
          ${row.table.practice && html` <span class="badge">${t("practice")}</span>`}
          ${row.table.closing && html` <span class="badge closing">${t("closing")}</span>`}` },
        { head: t("ht_a_point"), num: true, of: (/** @type {any} */ row) => (row.table.free ? "" : ht(row.table.options.rate)) },
        { head: t("seats"), of: (/** @type {any} */ row) => html`${row.table.seats.length}/${row.table.seat_count} <span class="small name">${seats(row)}</span>
          ${row.watching > 0 && html` <span class="small">${o("watching", { count: number(row.watching) })}</span>`}` },
        { head: t("hand"), num: true, of: (/** @type {any} */ row) => row.hand_id && `${row.table.hand} · ${row.hand_id}` },
        { head: o("process"), of: (/** @type {any} */ row) => html`<span class="small name">${row.process ?? o("moving")}</span>` },
        { head: o("transfers"), of: (/** @type {any} */ row) => html`<a href=${`#/ledger/table=${row.table.id}`} aria-label=${`${on("place", "ledger")}: ${row.table.name}`}>${on("place", "ledger")}</a>` },
        ...(may("operator") ? [{ head: o("act"), of: buttons }] : []),
      ]} />
      ${may("operator") && html`<button type="button" class="main" onClick=${() => setOpening(true)}>${o("open_table")}</button>`}
      ${body && html`<${Processes} body=${body} />`}
      ${body && html`<${Connections} tables=${body.tables} />`}
      ${isOpening && html`<${Opening} onDone=${again} onClose=${() => setOpening(false)} />`}
      ${act && html`<${OnTable} act=${act} onDone=${again} onClose=${() => setAct(null)} />`}
    </section>`;
}

/** The house's processes, as each last said. @param {{body: any}} of */
function Processes({ body }) {
  return html`<${Rows} id="processes" level=${2} title=${o("processes")} list=${whole(body.processes, "")} columns=${[
    { head: o("process"), of: (/** @type {any} */ row) => html`<span class="name">${row.name}</span>
      ${row.name === body.process && html` <span class="badge">${o("answers_here")}</span>`}` },
    { head: o("runs_since"), of: (/** @type {any} */ row) => moment(row.since) },
    { head: o("heard_at"), of: (/** @type {any} */ row) => moment(row.heard) },
    { head: on("place", "tables"), num: true, of: (/** @type {any} */ row) => number(row.tables) },
    { head: o("connections"), num: true, of: (/** @type {any} */ row) => number(row.sockets) },
  ]} />`;
}

/** Who sits where, and whether a line leads to them. @param {{tables: any[]}} of */
function Connections({ tables }) {
  const seats = tables.flatMap((live) => live.seats.map((/** @type {any} */ seat) => ({ ...seat, table: live.table.name })));
  const standing = (/** @type {any} */ row) => html`<span class=${row.connected ? "good" : "minus"}>${row.connected ? o("connected") : o("absent")}</span>
    ${row.since && html` <span class="small">${o("since_when", { at: moment(row.since) })}</span>`}
    ${row.connected && row.away && html` <span class="badge closing">${t("away")}</span>`}`;
  return html`<${Rows} id="connections" level=${2} title=${o("connections")} list=${whole(seats, "")} columns=${[
    { head: t("table"), of: (/** @type {any} */ row) => row.table },
    { head: o("seat"), num: true, of: (/** @type {any} */ row) => number(row.seat + 1) },
    { head: o("name"), of: (/** @type {any} */ row) => html`<${PlayerLink} player=${row.player} name=${row.name} />
      ${row.kind === "bot" && html` <span class="badge">${t("bot")}</span>`}` },
    { head: o("line"), of: standing },
  ]} />`;
}

/** @param {{act: {kind: "drain" | "close" | "void", row: any}, onDone: () => void, onClose: () => void}} of */
function OnTable({ act: { kind, row }, onDone, onClose }) {
  const words = { drain: o("drain"), close: o("close_now"), void: o("void") }[kind];
  const why = { drain: o("drain_why"), close: o("close_why"), void: o("void_why") }[kind];
  const path = kind === "void" ? `/operator/hands/${row.hand_id}/void` : `/operator/tables/${row.table.id}/close`;
  return html`<${Act} title=${`${row.table.name}: ${words}`} yes=${words} path=${path} isGrave=${kind !== "drain"}
    body=${() => (kind === "void" ? {} : { drain: kind === "drain" })} onDone=${onDone} onClose=${onClose}><p>${why}</p><//>`;
}

/** @param {{onDone: () => void, onClose: () => void}} of */
function Opening({ onDone, onClose }) {
  const { body } = useAnswer("/games");
  const [name, setName] = useState("rummy");
  const game = body?.games.find((/** @type {any} */ one) => one.name === name);
  /** @type {[string, any][]} */
  const options = Object.entries(game?.options.properties ?? {});
  /** @param {FormData} form */
  const read = (form) => ({
    game: name,
    name: String(form.get("name")),
    options: Object.fromEntries(options.map(([key, schema]) => [key, optionOf(schema, form.get(`option.${key}`))])),
  });
  return html`
    <${Act} title=${o("open_table")} yes=${o("open_table")} path="/operator/tables" body=${read} onDone=${onDone} onClose=${onClose}>
      <label>${o("name")}<input name="name" required maxlength="40" /></label>
      <label>${o("game")}<select onChange=${(/** @type {any} */ event) => setName(event.currentTarget.value)}>
        ${(body?.games ?? []).map((/** @type {any} */ one) => html`<option value=${one.name} selected=${one.name === name}>${tn("game", one.name)}</option>`)}</select></label>
      ${options.map(([key, schema]) => html`<${Option} key=${`${name}.${key}`} name=${key} schema=${schema} />`)}
    <//>`;
}

/** @param {{name: string, schema: any}} of */
function Option({ name, schema }) {
  const label = on("option", name);
  if (schema.type === "boolean") {
    return html`<label class="switch"><input type="checkbox" name=${`option.${name}`} defaultChecked=${schema.default} /><span>${label}</span></label>`;
  }
  return html`<label>${label}<input name=${`option.${name}`} required defaultValue=${schema.default}
    type=${schema.type === "integer" ? "number" : "text"} step="1" /></label>`;
}

/** @param {any} schema @param {FormDataEntryValue | null} given */
function optionOf(schema, given) {
  if (schema.type === "boolean") return given !== null;
  return schema.type === "integer" ? Number(given) : String(given);
}
