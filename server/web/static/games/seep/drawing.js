// @ts-check
/** Seep at the table: the floor with its houses, the bid, what a card may take, build or raise. */
import { number } from "../../format.js";
import { DealerMark, FREE, FreeResult, Mark, OwnCards, namesIn, toldByAll } from "../../play/free.js";
import { g, gn } from "../../play/free_words.js";
import { nameOf, personOf } from "../../play/log.js";
import { Choices } from "../../play/tricks.js";
import { Back, Card, cardName } from "../../ui/card.js";
import { html } from "../../vendor/preact.js";
import { t } from "../../words.js";
import { isPakka, teamOf } from "./captures.js";
import { LEAD_TO_WIN } from "./scoring.js";

/** @typedef {import("../../play/model.js").TableModel<import("../../client/seep.js").SeepHand>} Model */
/** @typedef {import("./captures.js").Play} Play */

/** @param {{model: Model}} of */
function Middle({ model }) {
  const { play } = model;
  if (!play) return null;
  const { loose, houses } = play.floor;
  const own = ownTeam(model);
  const seeps = play.seeps.map((points) => points.length);
  return html`
    <div class="floor" role="group" aria-label=${g("floor")}>
      ${!play.bid && html`<div class="loose" role="img" aria-label=${g("floor_hidden")}><${Back} /><${Back} /><${Back} /><${Back} /></div>`}
      ${houses.length > 0 && html`<div class="houses">${houses.map((house) => html`<${HouseView} key=${house.value} model=${model} house=${house} />`)}</div>`}
      ${loose.length > 0 && html`<div class="loose" role="group" aria-label=${g("loose")}>${loose.map((card) => html`<${Card} key=${card} card=${card} />`)}</div>`}
      ${play.bid > 0 && !loose.length && !houses.length && html`<p class="contract">${g("floor_clear")}</p>`}
      <p class="contract">${g("taken", { own: number(play.taken[own].length), other: number(play.taken[own === 0 ? 1 : 0].length) })}${
        seeps.some(Boolean) ? ` · ${g("seeps", { own: number(Number(seeps[own])), other: number(Number(seeps[1 - own])) })}` : ""}</p>
    </div>`;
}

/** @param {Model} model @returns {0 | 1} */
const ownTeam = ({ seat }) => (teamOf(seat ?? 0) === 0 ? 0 : 1);

/** @param {{model: Model, house: import("./captures.js").House}} of */
function HouseView({ model, house }) {
  const owners = house.owners.map((seat) => nameOf(model, seat)).join(", ");
  const kind = gn("house", isPakka(house) ? "pakka" : "kacha");
  const isOurs = model.seat !== null && house.owners.some((seat) => teamOf(seat) === ownTeam(model));
  return html`
    <div class=${`house ${isPakka(house) ? "pakka" : "kacha"} ${isOurs ? "ours" : ""}`} role="img"
      aria-label=${`${g("house_of", { value: house.value })}, ${kind}, ${owners}: ${house.cards.map((card) => cardName(card, null)).join(", ")}`}>
      <span class="house-cards" aria-hidden="true">${house.cards.map((card) => html`<${Card} key=${card} card=${card} small />`)}</span>
      <span class="house-name" aria-hidden="true"><b>${number(house.value)}</b> ${kind} · ${owners}</span>
    </div>`;
}

/** @param {{model: Model}} of */
function Mine({ model }) {
  const { play, session } = model;
  if (!play || model.seat === null || play.holding.length === 0) return null;
  const isBusy = session.pendingCount > 0 || session.line !== "open";
  const all = model.isMyTurn ? play.plays : [];
  const chosen = model.selected.value[0] ?? null;
  const own = all.filter((one) => one.card === chosen);
  /** @param {Play} one */
  const make = (one) => {
    model.selected.value = [];
    void session.play(moveOf(one));
  };
  /** @param {string} card */
  const tap = (card) => {
    const ways = all.filter((one) => one.card === card);
    const [only] = ways;
    if (only && ways.length === 1) isBusy || make(only);
    else model.selected.value = chosen === card ? [] : [card];
  };
  return html`
    <${OwnCards} cards=${play.holding} legal=${model.isMyTurn && play.bid ? new Set(all.map((one) => one.card)) : null} onCard=${tap} chosen=${chosen} />
    ${model.isMyTurn && !play.bid && html`<${Choices} model=${model} label=${g("bid_now")}>
      ${play.bids.map((value) => html`<button type="button" key=${value} class="main bid" aria-label=${g("bid_value", { value })} disabled=${isBusy}
        onClick=${() => session.play({ move: "bid", value })}>${number(value)}</button>`)}<//>`}
    ${own.length > 1 && html`<${Choices} model=${model} label=${g("ways")}>
      ${own.map((one) => html`<button type="button" key=${JSON.stringify(one)} class="way" disabled=${isBusy} onClick=${() => make(one)}>
        <span>${wayText(one)}</span>${(one.cards ?? []).map((card) => html`<${Card} card=${card} small />`)}</button>`)}<//>`}`;
}

/** @param {Play} play */
function moveOf({ move, card, value, house, cards }) {
  const named = cards?.length ? { cards } : {};
  return { move, card, ...(move === "build" ? { value } : move === "raise" ? { house } : {}), ...(move === "throw" ? {} : named) };
}

/** @param {Play} play */
const wayText = ({ move, value, house }) => gn("way", move, { value, house });

/** @param {{model: Model}} of */
function Standing({ model }) {
  const { play } = model;
  if (!play) return null;
  const { lead, deals } = play.match;
  return html`<p class="match-line"><span>${g("hand_n", { number: deals + 1 })}</span><strong>${leadText(ownTeam(model) === 0 ? lead : -lead)}</strong></p>`;
}

/** @param {number} own the lead of the own pair */
function leadText(own) {
  const values = { points: number(Math.abs(own)), target: number(LEAD_TO_WIN) };
  return gn("lead", own > 0 ? "ours" : own < 0 ? "theirs" : "none", values);
}

/** @param {{model: Model, seat: number}} of */
function Marks({ model, seat }) {
  const { play } = model;
  if (!play) return null;
  const isPartner = model.seat !== null && seat === (model.seat + 2) % 4;
  const isBidder = play.bid > 0 && seat === play.after(Number(play.dealer));
  return html`<${DealerMark} model=${model} seat=${seat} />
    ${isPartner && html`<span class="mark partner">${g("partner")}</span>`}
    ${isBidder && html`<${Mark} label=${g("bid_value", { value: play.bid })}>${g("bid_value", { value: number(play.bid) })}<//>`}`;
}

/** @param {Model} model */
function asks({ play, selected }) {
  if (!play?.bid) return g("bid_now");
  if (selected.value.length) return g("ways");
  return play.playCount === 0 ? g("serve_bid", { value: play.bid }) : g("your_turn_play");
}

/** @param {Model} model @param {import("../../client/public.js").Act} act */
function told(model, act) {
  const taken = act.what === "take" || act.what === "seep";
  const own = act.card && !taken ? [act.card] : [];
  const cards = [...own, ...act.cards ?? []].map((card) => cardName(card, null)).join(", ");
  const values = { ...personOf(model, act.seat), card: act.card ? cardName(act.card, null) : "", cards, value: act.value ?? 0 };
  switch (act.what) {
    case "bid": case "throw": case "take": case "raise": case "seep": return gn("act", act.what, values);
    case "build": return gn("act", act.suit === "added" ? "added" : "build", values);
    default: return toldByAll(model, act) ?? act.what;
  }
}

/** @param {Model} model @param {import("../../client/public.js").Act} act */
const byClock = (model, act) => told(model, act);

/** @param {{result: import("../../play/model.js").Result, close: () => void}} of */
function Result({ result, close }) {
  /** @type {any} */
  const shown = result.over.ending?.shown;
  if (shown?.redealt) {
    return html`<${FreeResult} result=${result} close=${close} head=${html`<p class="my-result">${g("redeal")}</p>`}>
      <div class="laid">${shown.redealt.map((/** @type {string} */ card) => html`<${Card} card=${card} small />`)}</div><//>`;
  }
  const teams = !shown ? [] : shown.points[1] > shown.points[0] ? [1, 0] : [0, 1];
  const own = teamOf(result.seat ?? 0);
  return html`
    <${FreeResult} result=${result} close=${close} head=${shown && html`<p class="my-result">${leadText(own === 0 ? shown.lead : -shown.lead)}</p>`}>
      ${shown && shown.under !== null && html`<p>${g("under_nine", { names: namesIn(result, [shown.under, shown.under + 2]) })}</p>`}
      <ol class="score">${teams.map((team) => html`<li class=${team === result.over.winner ? "winner" : ""}>
        <div class="score-line"><span class="name">${namesIn(result, [team, team + 2])}</span><span class="num"></span>
          <span class="num"><strong>${g("points", { points: number(shown.points[team]) })}</strong></span></div>
        <span class="small">${g("card_points", { points: number(shown.card[team]), seeps: number(shown.seep[team]), count: number(shown.taken[team].length) })}</span></li>`)}</ol>
    <//>`;
}

/** @type {import("../../play/games.js").Drawing} */
export const SEEP = { ...FREE, kind: "free seep", isClockwise: false, Middle, Mine, Standing, Marks, Result, asks, told, byClock };
