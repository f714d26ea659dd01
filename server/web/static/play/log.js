// @ts-check
/** What happened in the hand: what others took from the open pile, what they discarded. */
import { Card } from "../ui/card.js";
import { Dialog } from "../ui/dialog.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { t, tn } from "../words.js";
import { drawingOf } from "./games.js";

/** @typedef {import("./games.js").AnyModel} TableModel */
/** @typedef {import("../client/public.js").Act} Act */

/** @param {TableModel} model @param {number} seat */
export const nameOf = (model, seat) => (seat === model.seat ? t("you") : namedOf(model, seat));

/** @param {TableModel} model @param {number} seat */
const namedOf = (model, seat) => model.watch?.seating.bySeat.get(seat)?.name ?? t("seat_number", { seat: seat + 1 });

/** Who did something, and whose it is: Hindi joins both to a pronoun. @param {string | null} name null for oneself */
export const inSentence = (name) => (name === null ? { name: t("you"), doer: t("you_did"), whose: t("you_own") }
  : { name, doer: t("one_did", { name }), whose: t("one_own", { name }) });

/** @param {TableModel} model @param {number} seat */
export const personOf = (model, seat) => inSentence(seat === model.seat ? null : namedOf(model, seat));

/** @param {TableModel} model @param {Act} act @returns {string} the act as a sentence */
export function told(model, act) {
  return (act.isAuto ? t("by_clock") : "") + drawingOf(model.hand?.game ?? "").told(model, act);
}

/** @param {{model: TableModel, onClose: () => void}} of */
export function Log({ model, onClose }) {
  const { play } = model;
  return html`
    <${Dialog} title=${t("what_happened")} onClose=${onClose}>
      ${!play || play.acts.length === 0 ? html`<p>${t("nothing_yet")}</p>` : html`
        <ol class="log" reversed>${[...play.acts].reverse().map((/** @type {Act} */ act) => html`<li key=${act.k}>
          ${act.card && html`<${Card} card=${act.card} wildRank=${play.wildRank ?? null} small />`}<span>${told(model, act)}</span></li>`)}</ol>`}
    <//>`;
}

/** @param {TableModel} model @returns {string} what this moment asks for */
export function statusOf(model) {
  const { watch, hand, play, seat, session } = model;
  if (session.failure) return t("stopped");
  if (!watch || !hand || watch.needsSnapshot) return t("coming_in");
  if (watch.isClosed) return t("table_closed");
  if (model.isMyTurn) return drawingOf(hand.game).asks(model);
  if (hand.phase === "play" && play) {
    if (play.waits) return t("reshuffling");
    const acting = play.acting ?? hand.turnSeats[0] ?? null;
    return acting === null ? t("counting") : t("turn_of", { name: nameOf(model, acting) });
  }
  if (hand.phase === "commit") return drawingOf(hand.game).words.begins();
  if (hand.phase === "reveal") return t("phase_reveal");
  if (hand.phase === "reshuffle") return t("reshuffling");
  if (seat === null) return t("looking_on");
  return hand.over || hand.deadlineMs ? drawingOf(hand.game).words.next() : t("waiting_players");
}

/**
 * Says turns and moves to those who don't see them. What is told alike twice, as two rounds of passes are, is said
 * twice: a new move is a new element, which a reader reads even where its words are those of the last one.
 *
 * @param {{model: TableModel}} of
 */
export function Announcer({ model }) {
  const [announced, setAnnounced] = useState({ k: -1, line: "" });
  const { play } = model;
  const last = play?.acts[play.acts.length - 1];
  const k = last?.k ?? -1;
  const line = `${last ? `${told(model, last)}. ` : ""}${statusOf(model)}`;
  useEffect(() => setAnnounced({ k, line }), [k, line]);
  return html`<p class="sr" role="log" aria-live="polite" aria-atomic="true">
    <span key=${announced.k} data-k=${announced.k}>${announced.line}</span></p>`;
}

/** The last thing that somebody else did, in one line. @param {{model: TableModel}} of */
export function LastAct({ model }) {
  const last = model.play?.acts[model.play.acts.length - 1];
  if (!last) return null;
  return html`<p class="last-act" aria-hidden="true">${told(model, last)}</p>`;
}

/** @param {string} why */
export const lineWords = (why) => tn("line", why);
