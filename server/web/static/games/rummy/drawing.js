// @ts-check
/** Rummy at the table: piles in the middle, the hand in groups, what it costs; and its words. */
import { ht } from "../../format.js";
import { Actions, useActs } from "../../play/actions.js";
import { reconciled } from "../../play/groups.js";
import { Cost, Hand } from "../../play/hand.js";
import { HOUSE_WORDS } from "../../play/hand_words.js";
import { personOf } from "../../play/log.js";
import { Piles } from "../../play/piles.js";
import { RummyResult } from "../../play/result.js";
import { Card, cardName } from "../../ui/card.js";
import { html } from "../../vendor/preact.js";
import { t } from "../../words.js";

/** @typedef {import("../../play/model.js").TableModel} TableModel */
/** @typedef {import("../../client/public.js").Act} Act */

/** @param {{model: TableModel}} of */
function Mine({ model }) {
  const acts = useActs(model);
  return html`<${Hand} model=${model} onDiscard=${acts.discard} onDeclare=${acts.declare} />
    <${Actions} model=${model} acts=${acts} />${acts.question}`;
}

/** @param {{model: TableModel, seat: number}} of */
const Marks = ({ model: { play }, seat }) => play?.first === seat
  && html`<span class="mark first" title=${t("first_seat")}>${t("dealer_mark")}<span class="sr"> ${t("first_seat")}</span></span>`;

/** What a seat took from the open pile and still holds. @param {{model: TableModel, seat: number}} of */
function Beside({ model: { play }, seat }) {
  const known = [...(play?.known.get(seat) ?? [])];
  return known.length > 0 && html`<span class="known" aria-label=${t("took_open")}>
    ${known.map((card) => html`<${Card} card=${card} wildRank=${play?.wildRank ?? null} small />`)}</span>`;
}

/** @param {TableModel} model @param {Act} act @returns {string} */
function told(model, act) {
  const values = { name: personOf(model, act.seat).doer, card: act.card ? cardName(act.card, model.play?.wildRank ?? null) : "" };
  switch (act.what) {
    case "closed": return t("drew_closed", values);
    case "open": return t("drew_open", values);
    case "discard": return t("discarded", values);
    case "declare": return t("declared", values);
    case "leave": return t("left", values);
    default: return t("dropped", values);
  }
}

/** @param {TableModel} model @param {Act} act @returns {string} */
function byClock(model, act) {
  if (act.what === "closed") return t("clock_drew");
  if (act.card) return t("clock_discarded", { card: cardName(act.card, model.play?.wildRank ?? null) });
  return t("clock_dropped");
}

/** @param {Record<string, any>} options */
const rules = (options) => t("rules_here", {
  rate: ht(options.rate), percent: Number(options.commission_bps) / 100,
  seconds: Number(options.turn_ms) / 1000, misses: options.miss_limit,
});

/** @type {import("../../play/games.js").Drawing} */
export const RUMMY = {
  kind: "rummy", isClockwise: true, isFree: false, words: HOUSE_WORDS,
  Middle: Piles, Mine, Standing: Cost, Marks, Beside, Result: RummyResult,
  layOut: (groups, play) => reconciled(groups, play.holding, play.wildRank),
  asks: (model) => (model.play?.drawn ? t("your_turn_discard") : t("your_turn_draw")),
  told, byClock, rules, leaveAsk: () => t("leave_ask"), keys: () => t("keys"),
};
