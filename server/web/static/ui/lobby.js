// @ts-check
/** The tables that are open, game by game: rate, seats, who sits there; and sitting down. */
import { apart, initial } from "../apart.js";
import { get } from "../api.js";
import { ht, number } from "../format.js";
import { go, me, storage, visit } from "../state.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { t, tn } from "../words.js";
import { Question } from "./dialog.js";

/** @typedef {{seat: number, name: string, kind: string, away: boolean}} Seat */
/**
 * @typedef {{id: string, name: string, game: string, practice: boolean, closing: string | null,
 *   phase: string, hand: number | null, seat_count: number, seats: Seat[], options: Record<string, any>}} Table
 */

const LOOK_MS = 3000;
/** The dearest hand: thirteen cards of ten points. */
export const DEAREST_POINTS = 130;

/** @param {Table} table @returns {bigint} micro-HT that are held for a hand; none at a free table, which has no rate */
export const heldAt = (table) => BigInt(table.options.rate ?? 0) * BigInt(DEAREST_POINTS);

/** @param {Table} table whether no tokens move there */
const isFree = (table) => table.options.rate === undefined;

/** @param {() => Promise<void>} look */
function useLook(look) {
  useEffect(() => {
    look();
    const timer = setInterval(() => document.hidden || look(), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
}

export function Lobby() {
  const [tables, setTables] = useState(/** @type {Table[] | null} */ (null));
  const [isAway, setAway] = useState(false);
  const [asked, setAsked] = useState(/** @type {Table | null} */ (null));
  useLook(async () => {
    try {
      setTables((await get("/tables")).tables);
      setAway(false);
    } catch {
      setAway(true);
    }
  });
  const { games, shown, show } = useGames(tables ?? []);
  const sorted = [...(tables ?? [])].sort((one, other) =>
    Number(other.practice) - Number(one.practice) || one.seat_count - other.seat_count
    || Number(one.options.rate ?? 0) - Number(other.options.rate ?? 0) || (one.name < other.name ? -1 : 1));
  return html`
    <section class="lobby" aria-labelledby="tables">
      <h1 id="tables">${t("tables")}</h1>
      <p class="small">${t("not_money")}</p>
      ${isAway && html`<p class="failure" role="alert">${t("offline")}</p>`}
      ${tables === null && !isAway && html`<p role="status">${t("loading")}</p>`}
      ${tables?.length === 0 && html`<p>${t("no_tables")}</p>`}
      ${games.length > 1 && html`<div class="tabs games" role="group" aria-label=${t("game")}>${["", ...games].map((game) => html`
        <button type="button" key=${game} aria-pressed=${game === shown} onClick=${() => show(game)}>${game ? tn("game", game) : t("all_games")}</button>`)}</div>`}
      ${games.filter((game) => !shown || game === shown).map((game) => html`
        <h2 key=${game} id=${`game-${game}`} class="game-name">${tn("game", game)}</h2>
        <ul class="tables" aria-labelledby=${`game-${game}`}>${sorted.filter((table) => table.game === game).map((table) => html`
          <${TableCard} key=${table.id} table=${table} onSit=${() => setAsked(table)} />`)}</ul>`)}
      ${asked && html`<${Question} title=${asked.name} yes=${t("sit_down")}
        text=${isFree(asked) ? t("free_sit", { game: tn("game", asked.game) })
          : t("held_is", { held: ht(heldAt(asked)), points: DEAREST_POINTS, rate: ht(asked.options.rate) })}
        onNo=${() => setAsked(null)} onYes=${() => {
          visit.setItem("pakka.sit", asked.id);
          go(`table/${asked.id}`);
        }} />`}
    </section>`;
}

/** The games that have tables, rummy first, and which of them is shown: "" for all. @param {Table[]} tables */
function useGames(tables) {
  const [wanted, setWanted] = useState(storage.getItem("pakka.game") ?? "");
  const games = [...new Set(tables.map((table) => table.game))].sort((one, other) =>
    Number(other === "rummy") - Number(one === "rummy") || (tn("game", one) < tn("game", other) ? -1 : 1));
  /** @param {string} game */
  const show = (game) => {
    setWanted(game);
    storage.setItem("pakka.game", game);
  };
  return { games, shown: games.includes(wanted) ? wanted : "", show };
}

/** @param {{table: Table, onSit: () => void}} of */
function TableCard({ table, onSit }) {
  const isFull = table.seats.length >= table.seat_count;
  const isPoor = me.value ? BigInt(me.value.balance.available.micro) < heldAt(table) : false;
  const { miss_limit: misses, turn_ms: turn, commission_bps: commission } = table.options;
  return html`
    <li class=${`table-card ${table.practice ? "practice" : ""}`}>
      <div class="table-head">
        <h3>${table.name}</h3>
        ${table.practice && html`<span class="badge">${t("practice")}</span>`}
        ${table.closing && html`<span class="badge closing">${t("closing")}</span>`}
      </div>
      ${isFree(table) ? html`<p class="rate">${t("free_table")}</p>`
        : html`<p class="rate"><strong>${ht(table.options.rate)}</strong> ${t("ht_a_point")}</p>`}
      <${Oval} table=${table} />
      <p class="small">${isFree(table) ? t("table_free", { game: tn("game", table.game), seconds: turn / 1000, misses })
        : t("table_small", { game: tn("game", table.game), seconds: turn / 1000, percent: commission / 100, misses })}</p>
      ${table.hand !== null && html`<p class="small">${isFree(table) ? t("free_hand_number", { hand: number(table.hand) }) : t("hand_number", { hand: number(table.hand) })}</p>`}
      <div class="buttons">
        <a class="button quiet" href=${`#/table/${table.id}`}>${t("look_in")}</a>
        <button type="button" class="main" disabled=${isFull || isPoor || table.closing !== null} onClick=${onSit}>
          ${isFull ? t("full") : isPoor ? t("too_dear") : t("sit_down")}</button>
      </div>
    </li>`;
}

/** @param {{table: Table}} of */
function Oval({ table }) {
  const bySeat = new Map(table.seats.map((seat) => [seat.seat, seat]));
  const places = Array.from({ length: table.seat_count }, (_, seat) => bySeat.get(seat) ?? null);
  const names = table.seats.map((seat) => (seat.kind === "bot" ? t("bot_named", { name: seat.name }) : seat.name));
  return html`
    <div class="oval">
      <div class="dots" aria-hidden="true">${places.map((seat) => html`<span class=${`dot ${seat ? seat.kind : "free"} ${seat?.away ? "away" : ""}`}>
        ${seat ? initial(seat.name) : ""}</span>`)}</div>
      <p class="sitting">${t("seats_taken", { taken: table.seats.length, seats: table.seat_count })}${names.length > 0 && html`: <span class="names">${names.map(apart).join(", ")}</span>`}</p>
    </div>`;
}
