// @ts-check
/** Batak at the table: the auction, the bidder's trump, tricks owed and taken, eight deals. */
import { number } from "../../format.js";
import { DealerMark, FREE, FreeResult, Mark, nameIn, personIn, toldByAll } from "../../play/free.js";
import { g, gn } from "../../play/free_words.js";
import { nameOf, personOf } from "../../play/log.js";
import { Choices, SuitButtons, Trick, TrickCards, Trump, asksForCard, toldOfTrick } from "../../play/tricks.js";
import { html } from "../../vendor/preact.js";
import { t, tn } from "../../words.js";
import { DEALS, highest, owedBy } from "./rules.js";

/** @typedef {import("../../play/model.js").TableModel<import("../../client/batak.js").BatakHand>} Model */

/** @param {number} value */
const signed = (value) => number(value).replace("-", "−");

/** @param {{model: Model}} of */
function Middle({ model }) {
  const { play } = model;
  if (!play) return null;
  const { contract } = play;
  const top = highest(play.calls);
  return html`<${Trick} model=${model}>
    ${play.trump && html`<${Trump} suit=${play.trump} label=${g("trump")} />`}
    ${contract ? html`<p class="contract">${gn("contract", contract.isForced ? "forced" : "bid", { name: nameOf(model, contract.seat), tricks: contract.tricks })}</p>`
      : html`<p class="contract"><strong>${g("auction")}</strong> ${top ? gn("contract", "bid", { name: nameOf(model, top.seat), tricks: top.tricks }) : g("no_bid_yet")}</p>`}<//>`;
}

/** @param {{model: Model}} of */
function Mine({ model }) {
  const { play, session } = model;
  if (!play || model.seat === null) return null;
  const isCalling = model.isMyTurn && !play.contract;
  return html`<${TrickCards} model=${model} />
    ${isCalling && html`<${Choices} model=${model} label=${g("auction")}>
      <button type="button" class="quiet" disabled=${session.pendingCount > 0} onClick=${() => session.play({ move: "pass" })}>${g("pass")}</button>
      ${play.mayBid.map((tricks) => html`<button type="button" key=${tricks} class="bid" aria-label=${g("bid_n", { tricks })} disabled=${session.pendingCount > 0}
        onClick=${() => session.play({ move: "bid", tricks })}>${number(tricks)}</button>`)}<//>`}
    ${model.isMyTurn && play.isNaming && html`<${Choices} model=${model} label=${g("name_trump")}><${SuitButtons} model=${model} /><//>`}`;
}

/** @param {{model: Model}} of */
function Standing({ model: { play, seat } }) {
  if (!play) return null;
  return html`<p class="match-line"><span>${g("hand_of", { number: play.match.played + 1, hands: DEALS })}</span>
    ${seat !== null && play.contract && html`<span>${tricksText(play, seat)}</span>`}
    ${seat !== null && html`<strong>${g("total", { points: signed(Number(play.match.totals[seat])) })}</strong>`}</p>`;
}

/** @param {import("../../client/batak.js").BatakHand} play @param {number} seat */
const tricksText = (play, seat) =>
  g("tricks_owed", { taken: number(play.taken(seat)), owed: number(play.contract ? Number(owedBy(play.contract)[seat]) : 0) });

/** @param {{model: Model, seat: number}} of */
function Marks({ model, seat }) {
  const { play } = model;
  if (!play) return null;
  const call = play.calls.findLast((one) => one.seat === seat);
  const total = Number(play.match.totals[seat]);
  return html`<${DealerMark} model=${model} seat=${seat} />
    ${!play.contract && call && html`<${Mark} label=${call.tricks ? g("bid_n", { tricks: call.tricks }) : g("pass")}>${call.tricks ? `⟨${number(call.tricks)}⟩` : g("pass")}<//>`}
    ${play.contract && html`<${Mark} label=${tricksText(play, seat)}>${number(play.taken(seat))}/${number(Number(owedBy(play.contract)[seat]))}<//>`}
    <${Mark} label=${g("total", { points: total })}>Σ ${signed(total)}<//>`;
}

/** @param {Model} model */
function asks(model) {
  const { play } = model;
  if (!play?.contract) return g("your_turn_bid");
  return play.isNaming ? g("name_trump") : asksForCard(model);
}

/** @param {Model} model @param {import("../../client/public.js").Act} act */
function told(model, act) {
  const person = personOf(model, act.seat);
  if (act.what === "play") return toldOfTrick(model, act);
  if (act.what === "bid") return g("bid", { ...person, tricks: act.value ?? 0 });
  if (act.what === "trump") return g("named_trump", { ...person, suit: tn("suit", act.suit ?? "") });
  return toldByAll(model, act) ?? act.what;
}

/** @param {Model} model @param {import("../../client/public.js").Act} act */
const byClock = (model, act) => (act.what === "trump" ? g("clock_trump", { suit: tn("suit", act.suit ?? "") }) : FREE.byClock(model, act));

/** @param {{result: import("../../play/model.js").Result, close: () => void}} of */
function Result({ result, close }) {
  const { over } = result;
  /** @type {any} */
  const shown = over.ending?.shown;
  const rows = (shown ? [...over.rows] : []).sort((one, other) => other.points - one.points);
  const isMet = shown && shown.taken[shown.contract.seat] >= shown.contract.tricks;
  return html`
    <${FreeResult} result=${result} close=${close} head=${shown && html`<p class="my-result">${gn("contract", isMet ? "met" : "sunk", { ...personIn(result, shown.contract.seat), tricks: shown.contract.tricks })}
      ${" · "}${g("hand_of", { number: shown.number, hands: DEALS })}</p>`}>
      <ol class="score">${rows.map((row) => html`<li class=${isMet && row.seat === shown.contract.seat ? "winner" : ""}>
        <div class="score-line"><span class="name">${nameIn(result, row.seat)}</span><span class="num">${g("points", { points: signed(row.points) })}</span>
          <span class="num"><strong>${g("total", { points: signed(shown.totals[row.seat]) })}</strong></span></div>
        <span class="small">${g("tricks_owed", { taken: shown.taken[row.seat], owed: shown.owed[row.seat] })}${row.points < 0 ? ` · ${g("sunk")}` : ""}</span></li>`)}</ol>
    <//>`;
}

/** @type {import("../../play/games.js").Drawing} */
export const BATAK = { ...FREE, kind: "free tricks batak", isClockwise: false, Middle, Mine, Standing, Marks, Result, asks, told, byClock };
