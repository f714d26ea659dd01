// @ts-check
/** Badam Satti and Sevens at the table: a line for each suit, the own cards that fit, the pool. */
import { RANKS } from "../../cards.js";
import { number } from "../../format.js";
import { DealerMark, FREE, FreeResult, Mark, OwnCards, nameIn, personIn, toldByAll } from "../../play/free.js";
import { g } from "../../play/free_words.js";
import { Card, Face, Suit, cardName } from "../../ui/card.js";
import { html } from "../../vendor/preact.js";
import { t, tn } from "../../words.js";
import { SUIT_ORDER, cardsOf, placeOf } from "./lines.js";

/** @typedef {import("../../play/model.js").TableModel<import("../../client/sevens.js").SevensHand>} Model */

/** @param {{model: Model}} of */
function Middle({ model }) {
  const { play } = model;
  const fits = new Set(model.isMyTurn ? play?.playable : []);
  return html`
    <div class="lines" role="group" aria-label=${g("lines")}>
      ${[...SUIT_ORDER].map((suit) => html`<${LineOf} key=${suit} suit=${suit} line=${play?.lines.get(suit)} fits=${fits} last=${lastCard(model)} />`)}
      ${play?.hasChips && html`<p class="pool"><span aria-hidden="true">● </span>${g("pool", { chips: number(play.pool) })}</p>`}
    </div>`;
}

/** @param {Model} model */
const lastCard = ({ play }) => play?.acts.findLast((act) => act.card)?.card ?? null;

/** A suit's line: thirteen places from the ace to the king. @param {{suit: string, line: import("./lines.js").Line | undefined, fits: Set<string>, last: string | null}} of */
function LineOf({ suit, line, fits, last }) {
  const cards = new Set(cardsOf(line));
  const name = tn("suit", suit);
  const label = line ? g("line", { suit: name, low: tn("rank", line.low.charAt(0)), high: tn("rank", line.high.charAt(0)) })
    : g("line_closed", { suit: name });
  return html`
    <div class=${`line s-${suit}`} role="img" aria-label=${label}>
      ${[...RANKS].map((rank) => {
        const card = rank + suit;
        if (cards.has(card)) return html`<span key=${card} class=${`card ${card === last ? "last" : ""}`} style=${{ gridColumn: placeOf(card) + 1 }}><${Face} card=${card} /></span>`;
        const isSeven = rank === "7";
        return (isSeven || fits.has(card)) && html`<span key=${card} class=${`card gap ${fits.has(card) ? "fits" : ""}`} style=${{ gridColumn: placeOf(card) + 1 }}>
          <span class="gap-name">${rank === "T" ? "10" : rank}<${Suit} suit=${suit} /></span></span>`;
      })}
    </div>`;
}

/** @param {{model: Model}} of */
function Mine({ model }) {
  const { play, session } = model;
  if (!play || model.seat === null || play.holding.length === 0) return null;
  const isBusy = session.pendingCount > 0 || session.line !== "open";
  const legal = model.isMyTurn ? new Set(play.playable) : null;
  return html`
    <${OwnCards} cards=${play.holding} legal=${legal} onCard=${(/** @type {string} */ card) => isBusy || void session.play({ move: "play", card })} />
    ${legal?.size === 0 && html`<div class="actions" role="toolbar" aria-label=${t("actions")} aria-busy=${isBusy}>
      <button type="button" class="main" disabled=${isBusy} onClick=${() => session.play({ move: "pass" })}>${g("pass")}</button></div>`}`;
}

/** @param {{model: Model}} of */
function Standing({ model: { play, seat } }) {
  if (!play) return null;
  return html`<p class="match-line"><span>${g("hand_of", { number: play.match.played + 1, hands: play.hands })}</span>
    ${seat !== null && html`<strong>${scoreText(play.hasChips, Number(play.match.scores[seat]))}</strong>`}</p>`;
}

/** @param {boolean} hasChips @param {number} score */
const scoreText = (hasChips, score) => (hasChips ? g("chips_n", { chips: signed(score) }) : g("total", { points: number(score) }));

/** @param {number} value */
const signed = (value) => (value > 0 ? `+${number(value)}` : number(value).replace("-", "−"));

/** @param {{model: Model, seat: number}} of */
function Marks({ model, seat }) {
  const { play } = model;
  const passes = play?.passes[seat] ?? 0;
  const score = Number(play?.match.scores[seat]);
  return html`<${DealerMark} model=${model} seat=${seat} />
    ${play && html`<${Mark} label=${scoreText(play.hasChips, score)}>${play.hasChips ? signed(score) : `Σ ${number(score)}`}<//>`}
    ${passes > 0 && html`<${Mark} label=${g("passes", { count: passes })}>${g("pass")} ${number(passes)}<//>`}`;
}

/** @param {Model} model */
function asks({ play }) {
  if (!play) return "";
  if (play.lines.size === 0) return g("open_with", { card: cardName(play.opener, null) });
  return play.playable.length ? g("your_turn_play") : g("must_pass");
}

/** @param {{result: import("../../play/model.js").Result, close: () => void}} of */
function Result({ result, close }) {
  const { over } = result;
  /** @type {any} */
  const shown = over.ending?.shown;
  const rows = (shown ? [...over.rows] : []).sort((one, other) => (shown?.hasChips ? other.points - one.points : one.points - other.points));
  return html`
    <${FreeResult} result=${result} close=${close} head=${shown && html`<p class="my-result">${g("hand_won", personIn(result, shown.winner))}
      ${" · "}${g("hand_of", { number: shown.number, hands: shown.hands })}</p>`}>
      <ol class="score">${rows.map((row) => html`<li class=${row.seat === shown.winner ? "winner" : ""}>
        <div class="score-line"><span class="name">${nameIn(result, row.seat)}</span>
          <span class="num">${shown.hasChips ? g("chips_n", { chips: signed(row.points) }) : g("points", { points: number(row.points) })}</span>
          <span class="num"><strong>${shown.hasChips ? g("chips_total", { chips: signed(shown.scores[row.seat]) }) : scoreText(false, shown.scores[row.seat])}</strong></span></div>
        <div class="laid">${(over.hands.find((one) => one.seat === row.seat)?.loose ?? []).map((card) => html`<${Card} card=${card} small />`)}</div>
      </li>`)}</ol>
    <//>`;
}

/** @type {import("../../play/games.js").Drawing} */
export const SEVENS = {
  ...FREE, kind: "free sevens", isClockwise: true, Middle, Mine, Standing, Marks, Result, asks,
  told: (model, act) => toldByAll(model, act) ?? act.what,
};
