// @ts-check
/** Court Piece at the table: who chooses trump, tricks of two teams, courts, the session's score. */
import { number } from "../../format.js";
import { DealerMark, FREE, FreeResult, Mark, namesIn, toldByAll } from "../../play/free.js";
import { g, gn } from "../../play/free_words.js";
import { nameOf, personOf } from "../../play/log.js";
import { Choices, SuitButtons, Trick, TrickCards, Trump, asksForCard, toldOfTrick } from "../../play/tricks.js";
import { Card, cardName } from "../../ui/card.js";
import { html } from "../../vendor/preact.js";
import { t, tn } from "../../words.js";
import { partnerOf, teamOf } from "./rules.js";

/** @typedef {import("../../play/model.js").TableModel<import("../../client/court_piece.js").CourtPieceHand>} Model */

/** @param {{model: Model}} of */
function Middle({ model }) {
  const { play } = model;
  if (!play) return null;
  const chooses = play.hasPassed ? partnerOf(play.chooser) : play.chooser;
  return html`<${Trick} model=${model}>
    ${play.trump ? html`<${Trump} suit=${play.trump} label=${g("rang")} />` : html`<p class="contract">${g("chooses_trump", { name: nameOf(model, chooses) })}</p>`}
    ${!play.trump && play.drawn.length > 0 && html`<div class="drawn"><span class="small">${g("first_draw")}</span>
      ${play.drawn.map((card, seat) => html`<span key=${card} class="drew"><${Card} card=${card} small /><span class="small">${nameOf(model, seat)}</span></span>`)}</div>`}
    ${play.trump && html`<p class="contract">${g("team_tricks", { own: number(teamTricks(play, ownTeam(model))), other: number(teamTricks(play, 1 - ownTeam(model))) })}</p>`}<//>`;
}

/** @param {Model} model */
const ownTeam = ({ seat }) => teamOf(seat ?? 0);

/** @param {import("../../client/court_piece.js").CourtPieceHand} play @param {number} team */
const teamTricks = (play, team) => play.taken(team) + play.taken(team + 2);

/** @param {{model: Model}} of */
function Mine({ model }) {
  const { play, session } = model;
  if (!play || model.seat === null) return null;
  return html`<${TrickCards} model=${model} />
    ${model.isMyTurn && !play.trump && html`<${Choices} model=${model} label=${g("choose_trump")}>
      <${SuitButtons} model=${model} />
      ${!play.hasPassed && html`<button type="button" class="quiet" disabled=${session.pendingCount > 0} onClick=${() => session.play({ move: "pass" })}>${g("pass_to_partner")}</button>`}<//>`}`;
}

/** @param {{model: Model}} of */
function Standing({ model }) {
  const { play } = model;
  if (!play) return null;
  const team = ownTeam(model);
  const { score, target, played } = play.match;
  const values = { own: number(Number(score[team])), other: number(Number(score[1 - team])), target: number(target) };
  return html`<p class="match-line"><span>${g("hand_n", { number: played + 1 })}</span><strong>${gn("score_by", String(play.options.counting), values)}</strong></p>`;
}

/** @param {{model: Model, seat: number}} of */
function Marks({ model, seat }) {
  const { play } = model;
  if (!play) return null;
  const isPartner = model.seat !== null && seat === partnerOf(model.seat);
  const taken = play.taken(seat);
  return html`<${DealerMark} model=${model} seat=${seat} />
    ${seat === (play.namer ?? play.chooser) && html`<${Mark} label=${g("chooser")}>${g("chooser_mark")}<//>`}
    ${isPartner && html`<span class="mark partner">${g("partner")}</span>`}
    ${taken > 0 && html`<${Mark} label=${g("tricks_n", { count: taken })}>${g("tricks_n", { count: number(taken) })}<//>`}`;
}

/** @param {Model} model */
const asks = (model) => (model.play?.trump ? asksForCard(model) : g("choose_trump"));

/** @param {Model} model @param {import("../../client/public.js").Act} act */
function told(model, act) {
  const person = personOf(model, act.seat);
  if (act.what === "play") return toldOfTrick(model, act);
  if (act.what === "pass") return g("passed_to", { ...person, partner: act.value === model.seat ? t("you_inside") : g("to_one", { name: nameOf(model, act.value ?? 0) }) });
  if (act.what === "trump") return g("named_rang", { ...person, suit: tn("suit", act.suit ?? "") });
  if (act.what === "luck") return g("luck", { card: cardName(act.card ?? "", null), suit: tn("suit", act.suit ?? "") });
  return toldByAll(model, act) ?? act.what;
}

/** @param {Model} model @param {import("../../client/public.js").Act} act */
const byClock = (model, act) => (act.what === "luck" ? told(model, act) : FREE.byClock(model, act));

/** @param {{result: import("../../play/model.js").Result, close: () => void}} of */
function Result({ result, close }) {
  const { over } = result;
  /** @type {any} */
  const shown = over.ending?.shown;
  const first = shown ? [shown.result.team, 1 - shown.result.team] : [];
  return html`
    <${FreeResult} result=${result} close=${close} head=${shown && html`<p class="my-result">${gn("won_by", shown.result.court === "none" ? (shown.result.team === shown.result.callers ? "callers" : "others") : shown.result.court,
      { names: namesIn(result, [shown.result.team, shown.result.team + 2]) })}</p>`}>
      <ol class="score">${first.map((team) => html`<li class=${team === shown.result.team ? "winner" : ""}>
        <div class="score-line"><span class="name">${namesIn(result, [team, team + 2])}</span><span class="num">${g("tricks_n", { count: number(shown.taken[team]) })}</span>
          <span class="num"><strong>${gn("score_of", shown.counting, { score: number(shown.standing.score[team]), target: number(shown.standing.target) })}</strong></span></div>
        ${team === shown.result.team && html`<span class="small">+${number(shown.gained)}${shown.bonus > 0 ? ` · ${g("bonus", { bonus: number(shown.bonus) })}` : ""}</span>`}</li>`)}</ol>
    <//>`;
}

/** @type {import("../../play/games.js").Drawing} */
export const COURT_PIECE = { ...FREE, kind: "free tricks court-piece", isClockwise: false, Middle, Mine, Standing, Marks, Result, asks, told, byClock };
