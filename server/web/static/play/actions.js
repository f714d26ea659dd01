// @ts-check
/** What one can do now: draw, discard, declare, drop; lay out the hand. Each asks where it is grave. */
import { Question } from "../ui/dialog.js";
import { cardName } from "../ui/card.js";
import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { atBest, bySuit, canDeclare, finishOf } from "./groups.js";
import { group } from "./hand.js";

/** @typedef {import("./model.js").TableModel} TableModel */
/** @typedef {{title: string, text: string, yes: string, isGrave: boolean, act: () => void}} Asked */

const WRONG_DECLARE = 80;

/** @param {TableModel} model */
export function useActs(model) {
  const [asked, ask] = useState(/** @type {Asked | null} */ (null));
  const { play, seat, session } = model;
  const wildRank = play?.wildRank ?? null;

  /** @param {string} card */
  const discard = (card) => {
    if (!model.isMyTurn || !play?.drawn) return;
    if (!play.options.return_open_card && play.taken === card) return;
    void session.play({ move: "discard", card });
  };
  /** @param {string} card */
  const declare = (card) => {
    if (!model.isMyTurn || !play?.drawn) return;
    const isRight = canDeclare(play.holding, card, wildRank);
    const groups = model.groups.value.map((cards) => cards.filter((one) => one !== card)).filter((cards) => cards.length);
    const name = cardName(card, wildRank);
    ask({
      title: t("declare"),
      text: isRight ? t("declare_right", { card: name }) : t("declare_wrong", { card: name, points: WRONG_DECLARE }),
      yes: isRight ? t("declare") : t("declare_anyway"),
      isGrave: !isRight,
      act: () => void session.play({ move: "declare", finish: card, groups }),
    });
  };
  const drop = () => {
    if (seat === null || !play) return;
    const points = play.dropPrice(seat);
    ask({
      title: t("drop"), text: t("drop_ask", { points }), yes: t("drop_for", { points }), isGrave: true,
      act: () => void session.play({ move: "drop" }),
    });
  };
  const question = asked && html`
    <${Question} title=${asked.title} text=${asked.text} yes=${asked.yes} isGrave=${asked.isGrave}
      onNo=${() => ask(null)} onYes=${() => {
        asked.act();
        ask(null);
      }} />`;
  return { discard, declare, drop, question };
}

/** @param {{model: TableModel, acts: ReturnType<typeof useActs>}} of */
export function Actions({ model, acts }) {
  const { play, seat, session } = model;
  if (!play || seat === null || play.holding.length === 0) return null;
  const isBusy = session.pendingCount > 0 || session.line !== "open";
  const chosen = model.selected.value;
  const hasDrawn = play.drawn !== null && model.isMyTurn;
  const mustDraw = model.isMyTurn && play.drawn === null;
  const one = chosen.length === 1 ? /** @type {string} */ (chosen[0]) : null;
  const finish = hasDrawn ? one ?? finishOf(play.holding, play.wildRank) : null;
  const isBack = one !== null && !play.options.return_open_card && play.taken === one;
  return html`
    <div class="actions" role="toolbar" aria-label=${t("actions")} aria-busy=${isBusy}>
      ${mustDraw && html`
        <button type="button" class="main" disabled=${isBusy} onClick=${() => session.play({ move: "draw", from: "closed" })}>${t("draw_closed")}</button>
        <button type="button" class="main" disabled=${isBusy || play.whyNotOpen !== null} onClick=${() => session.play({ move: "draw", from: "open" })}>${t("draw_open")}</button>
        <button type="button" class="quiet grave-text" disabled=${isBusy} onClick=${acts.drop}>${t("drop_for", { points: play.dropPrice(seat) })}</button>`}
      ${hasDrawn && html`
        <button type="button" class="main" disabled=${isBusy || one === null || isBack} onClick=${() => one !== null && acts.discard(one)}>${t("discard")}</button>
        <button type="button" class=${finish !== null && one === null ? "shine" : "quiet"} disabled=${isBusy || finish === null}
          onClick=${() => finish !== null && acts.declare(finish)}>${t("declare")}</button>`}
      <button type="button" class="quiet" disabled=${chosen.length === 0} onClick=${() => group(model)}>${t("group")}</button>
      <button type="button" class="quiet" onClick=${() => model.layOut(bySuit(play.holding, play.wildRank))}>${t("sort")}</button>
      <button type="button" class="quiet" onClick=${() => model.layOut(atBest(play.holding, play.wildRank))}>${t("arrange")}</button>
    </div>`;
}
