// @ts-check
/** What happened in the hand: what others took from the open pile, what they discarded. */
import { Card, cardName } from "../ui/card.js";
import { Dialog } from "../ui/dialog.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { t, tn } from "../words.js";

/** @typedef {import("./model.js").TableModel} TableModel */
/** @typedef {import("../client/rummy.js").Act} Act */

/** @param {TableModel} model @param {number} seat */
const nameOf = (model, seat) => model.watch?.seating.bySeat.get(seat)?.name ?? t("seat_number", { seat: seat + 1 });

/** Who did something: Hindi joins its "by" to a pronoun. @param {TableModel} model @param {number} seat */
const doerOf = (model, seat) => (seat === model.seat ? t("you_did") : t("one_did", { name: nameOf(model, seat) }));

/** @param {TableModel} model @param {Act} act @returns {string} the act as a sentence */
export function told(model, act) {
  const values = { name: doerOf(model, act.seat), card: act.card ? cardName(act.card, model.play?.wildRank ?? null) : "" };
  return (act.isAuto ? t("by_clock") : "") + sentence(act, values);
}

/** What the clock did for oneself. @param {TableModel} model @param {Act} act @returns {string} */
export function actByClock(model, act) {
  if (act.what === "closed") return t("clock_drew");
  if (act.card) return t("clock_discarded", { card: cardName(act.card, model.play?.wildRank ?? null) });
  return t("clock_dropped");
}

/** @param {Act} act @param {{name: string, card: string}} values */
function sentence(act, values) {
  switch (act.what) {
    case "closed": return t("drew_closed", values);
    case "open": return t("drew_open", values);
    case "discard": return t("discarded", values);
    case "declare": return t("declared", values);
    case "leave": return t("left", values);
    default: return t("dropped", values);
  }
}

/** @param {{model: TableModel, onClose: () => void}} of */
export function Log({ model, onClose }) {
  const { play } = model;
  return html`
    <${Dialog} title=${t("what_happened")} onClose=${onClose}>
      ${!play || play.acts.length === 0 ? html`<p>${t("nothing_yet")}</p>` : html`
        <ol class="log" reversed>${[...play.acts].reverse().map((act) => html`<li key=${act.k}>
          ${act.card && html`<${Card} card=${act.card} wildRank=${play.wildRank} small />`}<span>${told(model, act)}</span></li>`)}</ol>`}
    <//>`;
}

/** @param {TableModel} model @returns {string} what this moment asks for */
export function statusOf(model) {
  const { watch, hand, play, seat, session } = model;
  if (session.failure) return t("stopped");
  if (!watch || !hand || watch.needsSnapshot) return t("coming_in");
  if (watch.isClosed) return t("table_closed");
  if (model.isMyTurn) return play?.drawn ? t("your_turn_discard") : t("your_turn_draw");
  if (hand.phase === "play" && play) {
    if (play.waits) return t("reshuffling");
    return play.acting === null ? t("counting") : t("turn_of", { name: nameOf(model, play.acting) });
  }
  if (hand.phase === "commit") return t("phase_commit");
  if (hand.phase === "reveal") return t("phase_reveal");
  if (hand.phase === "reshuffle") return t("reshuffling");
  if (seat === null) return t("looking_on");
  return hand.over || hand.deadlineMs ? t("next_hand_soon") : t("waiting_players");
}

/** Says turns and moves to those who don't see them. @param {{model: TableModel}} of */
export function Announcer({ model }) {
  const [line, setLine] = useState("");
  const { play } = model;
  const last = play?.acts[play.acts.length - 1];
  const status = statusOf(model);
  const said = `${last ? `${told(model, last)}. ` : ""}${status}`;
  useEffect(() => setLine(said), [said]);
  return html`<p class="sr" role="log" aria-live="polite" aria-atomic="true">${line}</p>`;
}

/** The last thing that somebody else did, in one line. @param {{model: TableModel}} of */
export function LastAct({ model }) {
  const last = model.play?.acts[model.play.acts.length - 1];
  if (!last) return null;
  return html`<p class="last-act" aria-hidden="true">${told(model, last)}</p>`;
}

/** @param {string} why */
export const lineWords = (why) => tn("line", why);
