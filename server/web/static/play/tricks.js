// @ts-check
/** A trick in the middle of the table, each card before its seat; trump; what one may choose. */
import { Face, Suit, cardName } from "../ui/card.js";
import { html, useRef } from "../vendor/preact.js";
import { tn } from "../words.js";
import { ACE_HIGH, OwnCards } from "./free.js";
import { g, gn } from "./free_words.js";
import { nameOf, personOf } from "./log.js";

/** @typedef {import("./model.js").TableModel<import("../client/tricks.js").TrickHand & {playable: string[]} & import("../client/public.js").PublicHand>} Model */

const SEATS = 4;
/** What a trick is called: Court Piece has its own word in Hindi. @param {import("./games.js").AnyModel} model */
const trickOf = (model) => (model.hand?.game === "court_piece" ? "court_piece" : "batak");
const SUITS_BY_COLOUR = "SHCD";

/** Cards before their seats; between two tricks the last one lies there still, its winner's card marked. @param {{model: Model, children?: unknown}} of */
export function Trick({ model, children }) {
  const { play } = model;
  if (!play) return null;
  const last = play.tricks.at(-1);
  const isLast = play.trick.length === 0;
  const cards = isLast ? last?.cards ?? [] : play.trick;
  const from = model.seat ?? 0;
  const where = isLast ? gn("last_trick", trickOf(model), { name: nameOf(model, last?.winner ?? 0) }) : g("trick");
  const label = `${where}: ${cards.map((one) => `${nameOf(model, one.seat)} ${cardName(one.card, null)}`).join(", ")}`;
  return html`
    <div class=${`trick ${isLast ? "taken" : ""}`}>
      <div class="trick-cards" role=${cards.length ? "img" : undefined} aria-label=${cards.length ? label : undefined}>${cards.map(({ seat, card }) => html`
        <span key=${card} class=${`card step-${(seat - from + SEATS) % SEATS} ${isLast && seat === last?.winner ? "won" : ""}`}><${Face} card=${card} /></span>`)}</div>
      <div class="trick-middle">${children}</div>
    </div>`;
}

/** The trump suit, as what the game calls it. @param {{suit: string, label: string}} of */
export const Trump = ({ suit, label }) => html`<p class=${`trump s-${suit}`}><span class="small">${label}</span> <${Suit} suit=${suit} /><span class="sr">${tn("suit", suit)}</span></p>`;

/** The own cards: those that may be played now shine. @param {{model: Model}} of */
export function TrickCards({ model }) {
  const { play, session } = model;
  if (!play) return null;
  const isBusy = session.pendingCount > 0 || session.line !== "open";
  const legal = model.isMyTurn && play.trump ? new Set(play.playable) : null;
  return html`<${OwnCards} cards=${play.holding} ranks=${ACE_HIGH} legal=${legal}
    onCard=${(/** @type {string} */ card) => isBusy || void session.play({ move: "play", card })} />`;
}

/** Buttons in a row, one of which is the answer; arrows go from one to the next. @param {{model: import("./games.js").AnyModel, label: string, children?: unknown}} of */
export function Choices({ model, label, children }) {
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const buttons = [...(ref.current?.querySelectorAll("button:not([disabled])") ?? [])];
    const at = buttons.indexOf(/** @type {Element} */ (document.activeElement));
    if (!step || at < 0) return;
    event.preventDefault();
    /** @type {HTMLElement | undefined} */ (buttons[(at + step + buttons.length) % buttons.length])?.focus();
  };
  return html`<div class="actions choices" ref=${ref} role="toolbar" aria-label=${label} aria-busy=${model.session.pendingCount > 0} onKeyDown=${key}>${children}</div>`;
}

/** A button for each suit. @param {{model: Model}} of */
export const SuitButtons = ({ model: { session } }) => [...SUITS_BY_COLOUR].map((suit) => html`
  <button type="button" key=${suit} class=${`suit-button s-${suit}`} disabled=${session.pendingCount > 0}
    onClick=${() => session.play({ move: "trump", suit })}><${Suit} suit=${suit} /> ${tn("suit", suit)}</button>`);

/** A card as a sentence; the fourth of a trick says who takes it. @param {import("./games.js").AnyModel} model @param {import("./games.js").Act} act */
export function toldOfTrick(model, act) {
  const said = g("played", { ...personOf(model, act.seat), card: act.card ? cardName(act.card, null) : "" });
  return act.value === undefined ? said : `${said}. ${gn("takes_trick", trickOf(model), personOf(model, act.value))}`;
}

/** @param {Model} model @returns {string} what one's own turn asks for, once trump is fixed */
export const asksForCard = ({ play }) => (play?.trick.length ? g("your_turn_play") : g("your_turn_lead"));
