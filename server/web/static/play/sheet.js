// @ts-check
/** The score sheet: what each hand of this session brought to each who played it, and the sums. */
import { get } from "../api.js";
import { number, signedHt } from "../format.js";
import { Dialog } from "../ui/dialog.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { drawingOf } from "./games.js";
import { playedOf } from "./past.js";
import { sessionOf } from "./sittings.js";

/** @typedef {import("./model.js").TableModel} TableModel */
/** @typedef {import("./past.js").Played} Played */
/** @typedef {import("./games.js").Drawing} Drawing */
/** @typedef {import("./sittings.js").HandLine} HandLine */
/** A column: one player, by whatever seat. @typedef {{pseudonym: string, name: string, points: number, amount: bigint}} Column */

const HANDS_MAX = 30;

/** @param {{model: TableModel, onClose: () => void}} of */
export function Sheet({ model, onClose }) {
  const [hands, setHands] = useState(/** @type {Played[] | null} */ (null));
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    readAll(model.table).then(setHands, () => setFailed(true));
  }, []);
  const drawing = drawingOf(model.hand?.game ?? "");
  return html`
    <${Dialog} title=${t("score_sheet")} onClose=${onClose} kind="sheet">
      ${hasFailed ? html`<p class="failure" role="alert">${t("offline")}</p>`
        : hands === null ? html`<p role="status">${t("loading")}</p>`
        : hands.length === 0 ? html`<p>${drawing.words.none()}</p>`
        : html`<${Grid} drawing=${drawing} model=${model} hands=${hands} onClose=${onClose} />`}
    <//>`;
}

/** @param {string} table @returns {Promise<Played[]>} newest first */
async function readAll(table) {
  const { hands } = await get("/me/hands?limit=100");
  return Promise.all(sessionOf(hands, table).slice(0, HANDS_MAX).map(playedOf));
}

/** @param {{drawing: Drawing, model: TableModel, hands: Played[], onClose: () => void}} of */
function Grid({ drawing, model, hands, onClose }) {
  const [reading, setReading] = useState("");
  const [hasFailed, setFailed] = useState(false);
  const columns = columnsOf(hands, model);
  /** @param {HandLine} line */
  const open = async (line) => {
    setReading(line.hand);
    setFailed(false);
    try {
      const result = await model.layOutAgain(line);
      onClose();
      model.past.value = { ...result, seat: line.seat };
    } catch {
      setReading("");
      setFailed(true);
    }
  };
  const { words } = drawing;
  const row = (/** @type {Played} */ played) => html`<tr key=${played.line.hand}>
    <th scope="row"><button type="button" class="plain" disabled=${reading !== ""} aria-busy=${reading === played.line.hand}
      onClick=${() => open(played.line)} aria-label=${words.show(played.line.number)}>${reading === played.line.hand ? "…" : number(played.line.number)}</button></th>
    ${columns.map(({ pseudonym }) => (drawing.isFree ? html`<${FreeCell} played=${[played]} pseudonym=${pseudonym} />` : html`<${Cell} played=${played} pseudonym=${pseudonym} />`))}</tr>`;
  return html`
    ${hasFailed && html`<p class="failure" role="alert">${t("offline")}</p>`}
    <div class="wide" role="region" aria-label=${t("score_sheet")} tabindex="0"><table class="score-sheet">
      <thead><tr><th scope="col">${words.column()}</th>${columns.map(({ name }) => html`<th scope="col" class="num"><span class="name">${name}</span></th>`)}</tr></thead>
      ${drawing.isFree ? matchesOf(hands).map((match) => html`<tbody key=${match[0]?.line.hand}>${match.map(row)}
        <tr class="match-sum"><th scope="row">${t("sum")}</th>${columns.map(({ pseudonym }) => html`<${FreeCell} played=${match} pseudonym=${pseudonym} isSum />`)}</tr></tbody>`)
        : html`<tbody>${hands.map(row)}</tbody>
      <tfoot><tr><th scope="row">${t("sum")}</th>${columns.map(({ points, amount }) => html`
        <td class="num"><strong class=${amount < 0n ? "minus" : "plus"}>${signedHt(amount)}</strong><span class="small">${t("points_n", { points: number(points) })}</span></td>`)}</tr></tfoot>`}
    </table></div>
    <p class="small">${words.sheetIs()}</p>`;
}

/** The hands of each match, newest first as they come. @param {readonly Played[]} hands @returns {Played[][]} */
export function matchesOf(hands) {
  /** @type {Played[][]} */
  const matches = [];
  let isNew = true;
  for (const played of hands) {
    if (isNew) matches.push([]);
    matches.at(-1)?.push(played);
    isNew = played.isFirst;
  }
  return matches;
}

/** Points where no tokens move: of a hand, or the sum of a match. @param {{played: Played[], pseudonym: string, isSum?: boolean}} of */
function FreeCell({ played, pseudonym, isSum = false }) {
  const rows = played.flatMap(({ rows: all }) => all.get(pseudonym) ?? []);
  if (rows.length === 0) return html`<td class="num">–</td>`;
  const points = number(rows.reduce((sum, row) => sum + row.points, 0)).replace("-", "−");
  return html`<td class="num">${isSum ? html`<strong>${points}</strong>` : points}</td>`;
}

/** @param {{played: Played, pseudonym: string}} of */
function Cell({ played, pseudonym }) {
  const row = played.rows.get(pseudonym);
  if (!row) return html`<td class="num">–</td>`;
  const isWinner = played.winner === pseudonym;
  return html`<td class=${`num ${isWinner ? "won" : ""}`}><strong class=${row.amount < 0n ? "minus" : "plus"}>${signedHt(row.amount)}</strong>
    <span class="small">${isWinner && html`<span aria-hidden="true">★ </span><span class="sr">${t("winner")} </span>`}${t("points_n", { points: number(row.points) })}</span></td>`;
}

/** One column for each player, oneself first. @param {Played[]} hands @param {TableModel} model @returns {Column[]} */
function columnsOf(hands, model) {
  /** @type {Map<string, Column>} */
  const columns = new Map();
  for (const { rows } of hands) {
    for (const [pseudonym, { seat, points, amount }] of rows) {
      const before = columns.get(pseudonym) ?? { pseudonym, name: model.names.find(pseudonym) ?? t("seat_number", { seat: seat + 1 }), points: 0, amount: 0n };
      columns.set(pseudonym, { ...before, points: before.points + points, amount: before.amount + amount });
    }
  }
  const isMine = (/** @type {Column} */ one) => Number(one.pseudonym === model.names.kept.me);
  return [...columns.values()].sort((one, other) => isMine(other) - isMine(one));
}
