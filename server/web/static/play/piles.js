// @ts-check
/** The middle of the table: closed pile, open pile, the card that was turned up. */
import { number } from "../format.js";
import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { Back, Card, Face, cardName } from "../ui/card.js";

/** @typedef {import("./model.js").TableModel} TableModel */

/** @param {{model: TableModel}} of */
export function Piles({ model }) {
  const { play, seat } = model;
  if (!play) return html`<div class="piles waiting-cards"><${Back} /></div>`;
  const canDraw = model.isMyTurn && play.drawn === null && model.session.pendingCount === 0;
  const top = play.openTop;
  const canOpen = canDraw && play.whyNotOpen === null;
  const isDiscard = model.isMyTurn && play.drawn !== null && seat !== null;
  const turned = play.turned;
  return html`
    <div class="piles">
      <div class="pile wild">${turned && html`<${Card} card=${turned} wildRank=${play.wildRank} />`}
        <span class="pile-name">${t("wild")}</span></div>
      <div class=${`pile closed ${canDraw ? "can" : ""}`}>
        <button type="button" disabled=${!canDraw} onClick=${() => model.session.play({ move: "draw", from: "closed" })}>
          <span class="sr">${t("draw_closed_of", { count: play.closedCount })}</span><${Back} /><span class="count" aria-hidden="true">${number(play.closedCount)}</span></button>
        <span class="pile-name">${t("closed_pile")}</span></div>
      <div class=${`pile open ${canOpen ? "can" : ""} ${isDiscard ? "takes" : ""}`} data-drop="discard">
        <button type="button" disabled=${!canOpen} onClick=${() => model.session.play({ move: "draw", from: "open" })}>
          <span class="sr">${top ? t("draw_open_of", { card: cardName(top, play.wildRank), count: play.openPile.length }) : t("open_is_empty")}</span>
          ${top ? html`<span class="card" data-face=${top}><${Face} card=${top} wildRank=${play.wildRank} /></span>` : html`<span class="card gap"></span>`}
          <span class="count" aria-hidden="true">${number(play.openPile.length)}</span></button>
        <span class="pile-name">${t("open_pile")}</span></div>
      ${isDiscard && html`<div class="pile finish" data-drop="declare"><span class="card gap">${t("finish_here")}</span>
        <span class="pile-name">${t("declare")}</span></div>`}
    </div>`;
}
