// @ts-check
/** What the drawings of the free games share: the own hand, marks, sentences, a hand's result. */
import { RANKS, rankOf, suitOf } from "../cards.js";
import { Dialog } from "../ui/dialog.js";
import { Face, cardName } from "../ui/card.js";
import { verifyLink } from "../ui/lists.js";
import { html, useRef } from "../vendor/preact.js";
import { t, tn } from "../words.js";
import { g } from "./free_words.js";
import { inSentence, personOf } from "./log.js";

/** @typedef {import("./games.js").AnyModel} AnyModel */
/** @typedef {import("./games.js").Act} Act */

const SUITS_BY_COLOUR = "SHCD";
export const ACE_HIGH = "23456789TJQKA";

/** @param {readonly string[]} cards @param {string} ranks from the lowest @returns {string[][]} a group for each suit */
export function inSuits(cards, ranks = RANKS) {
  const order = (/** @type {string} */ card) => ranks.indexOf(rankOf(card));
  return [...SUITS_BY_COLOUR].map((suit) =>
    cards.filter((card) => suitOf(card) === suit).sort((one, other) => order(one) - order(other)))
    .filter((group) => group.length > 0);
}

/**
 * The own cards; `legal` are those that may be played now, null while nothing is asked. A card that
 * may be played is played by a tap, or by Enter; arrows go from card to card.
 * @param {{cards: readonly string[], ranks?: string, legal: ReadonlySet<string> | null, onCard: (card: string) => void, chosen?: string | null}} of
 */
export function OwnCards({ cards, ranks, legal, onCard, chosen = null }) {
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  const groups = inSuits(cards, ranks);
  if (groups.length === 0) return null;
  const flat = groups.flat();
  const first = flat.find((card) => legal?.has(card)) ?? flat[0];
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    const at = flat.findIndex((card) => card === /** @type {HTMLElement} */ (document.activeElement)?.dataset.card);
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (at < 0 || step === 0) return;
    event.preventDefault();
    const next = flat[(at + step + flat.length) % flat.length];
    /** @type {HTMLElement | null | undefined} */ (ref.current?.querySelector(`[data-card="${next}"]`))?.focus();
  };
  return html`
    <div class="hand" ref=${ref} role="group" aria-label=${t("your_hand")} onKeyDown=${key}>
      ${groups.map((group) => html`<div key=${suitOf(group[0] ?? "")} class="group" role="group" aria-label=${tn("suit", suitOf(group[0] ?? ""))}>
        <div class="fan">${group.map((card) => {
          const isLegal = legal?.has(card) === true;
          return html`<button type="button" key=${card} data-card=${card} tabindex=${card === first ? 0 : -1}
            class=${`card held ${isLegal ? "legal" : legal ? "barred" : ""} ${chosen === card ? "selected" : ""}`}
            aria-disabled=${legal !== null && !isLegal} aria-pressed=${chosen === null ? undefined : chosen === card}
            onClick=${() => isLegal && onCard(card)}><span class="sr">${cardName(card, null)}${isLegal ? `, ${g("can_be_played")}` : ""}</span><${Face} card=${card} /></button>`;
        })}</div></div>`)}
    </div>`;
}

/** @param {{model: AnyModel, seat: number}} of */
export const DealerMark = ({ model: { play }, seat }) => play?.dealer === seat
  && html`<span class="mark first" title=${g("dealer")}>${g("dealer_mark")}<span class="sr"> ${g("dealer")}</span></span>`;

/** A number at a seat, with what it is for those who don't see where it stands. @param {{label: string, children?: unknown}} of */
export const Mark = ({ label, children }) =>
  html`<span class="mark" title=${label}><span aria-hidden="true">${children}</span><span class="sr">${label}</span></span>`;

/** The sentence of what every free game knows, null for a game's own act. @param {AnyModel} model @param {Act} act @returns {string | null} */
export function toldByAll(model, act) {
  const values = { ...personOf(model, act.seat), card: act.card ? cardName(act.card, null) : "" };
  switch (act.what) {
    case "play": return g("played", values);
    case "pass": return g("passed", values);
    case "leave": return g("left_seat", values);
    case "back": return g("is_back", values);
    default: return null;
  }
}

/** What the clock did for oneself. @param {AnyModel} _ @param {Act} act @returns {string} */
export const byClock = (_, act) => (act.card ? g("clock_played", { card: cardName(act.card, null) }) : g("clock_passed"));

/** @param {Record<string, any>} options */
export const rules = ({ turn_ms, miss_limit }) => g("rules_here", { seconds: Number(turn_ms) / 1000, misses: miss_limit });

/** @type {import("./hand_words.js").HandWords} */
const WORDS = {
  number: (hand) => g("hand_n", { number: hand }),
  begins: () => g("hand_begins"),
  next: () => g("next_hand"),
  voided: () => g("hand_voided"),
  voidedWhy: () => g("hand_voided_why"),
  none: () => g("no_hand_yet"),
  column: () => g("hand"),
  show: (hand) => g("show_hand", { hand }),
  sheetIs: () => g("sheet_is"),
};

/** How a game's drawing begins: what is the same for all that are free. */
export const FREE = {
  isFree: true, words: WORDS, byClock, rules, leaveAsk: () => g("leave_ask"), keys: () => g("keys"),
};

/** @param {import("./model.js").Result} result @param {number} seat */
export const personIn = (result, seat) =>
  inSentence(seat === result.seat ? null : result.names.get(seat) ?? t("seat_number", { seat: seat + 1 }));

/** @param {import("./model.js").Result} result @param {number} seat */
export const nameIn = (result, seat) => personIn(result, seat).name;

/** @param {import("./model.js").Result} result @param {readonly number[]} seats */
export const namesIn = (result, seats) => seats.map((seat) => nameIn(result, seat)).join(", ");

/**
 * How a hand ended: what the game says in `head` and `rows`, or the points alone where the hand was
 * not seen; who has won the match; one click to verify.
 * @param {{result: import("./model.js").Result, close: () => void, head?: unknown, children?: unknown}} of
 */
export function FreeResult({ result, close, head, children }) {
  const { over, isAgain, failed = [] } = result;
  const champions = over.ending?.champions ?? [];
  const isMine = result.seat !== null && champions.includes(result.seat);
  return html`
    <${Dialog} title=${g("hand_is_over", { hand: over.handNo })} onClose=${close} kind="result free-result">
      ${head}
      ${champions.length > 0 && html`<p class=${`champion ${isMine ? "plus" : ""}`}>★ ${
        champions.length > 1 ? g("match_won_by", { names: namesIn(result, champions) })
          : isMine ? g("match_won_by_you") : g("match_won", { ...personIn(result, Number(champions[0])) })}</p>`}
      ${over.ending ? children : html`<ol class="score">${over.rows.map((row) => html`<li><div class="score-line">
        <span class="name">${nameIn(result, row.seat)}</span><span class="num">${g("points", { points: row.points })}</span></div></li>`)}</ol>`}
      ${failed.length > 0 && html`<p class="failure" role="alert">${t("record_fails", { checks: failed.join(", ") })}</p>`}
      ${isAgain && failed.length === 0 && html`<p class="small">${g("from_record")}</p>`}
      <div class="buttons">
        <a class="button quiet" href=${verifyLink(over.handId)} target="_blank" rel="noopener">${g("verify_hand")}</a>
        ${over.record && html`<a class="button quiet" href=${over.record} download>${t("record")}</a>`}
        <button type="button" class="main" onClick=${close}>${t("go_on")}</button>
      </div>
    <//>`;
}
