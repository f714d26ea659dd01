// @ts-check
/** The seats around the table: names, bots and absent players, dealer, clock, what a seat holds. */
import { initial } from "../apart.js";
import { BOT } from "../client/seating.js";
import { html } from "../vendor/preact.js";
import { t, tn } from "../words.js";
import { drawingOf } from "./games.js";
import { Ring } from "./ring.js";

/** @typedef {import("./games.js").AnyModel} TableModel */

const REACH_X = 43;
const REACH_Y = 38;

/** @param {{model: TableModel}} of */
export function Seats({ model }) {
  const { watch } = model;
  if (!watch) return null;
  const size = watch.seating.size;
  const from = watch.seating.me ?? 0;
  const seats = Array.from({ length: size }, (_, step) => (from + step) % size);
  return html`<ol class=${`seats of-${size}`} aria-label=${t("seats")}>
    ${seats.map((seat, step) => html`<${SeatView} key=${seat} model=${model} seat=${seat} step=${step} size=${size} />`)}</ol>`;
}

/** @param {{model: TableModel, seat: number, step: number, size: number}} of */
function SeatView({ model, seat, step, size }) {
  const { watch, hand, play, session } = model;
  if (!watch || !hand) return null;
  const sitting = watch.seating.bySeat.get(seat);
  const drawing = drawingOf(hand.game);
  const angle = Math.PI / 2 + ((drawing.isClockwise ? 2 : -2) * Math.PI * step) / size;
  const [x, y] = [50 + REACH_X * Math.cos(angle), 50 + REACH_Y * Math.sin(angle)];
  const place = { "--x": `${x}%`, "--y": `${y}%`, order: drawing.isClockwise ? step : size - step };
  const isMe = seat === watch.seating.me;
  if (!sitting) {
    return html`<li class="seat free" style=${place}>
      ${watch.seating.me === null
        ? html`<button type="button" class="take" onClick=${() => session.sit(seat)}>${t("sit_here")}</button>`
        : html`<span class="empty">${t("free_seat")}</span>`}</li>`;
  }
  const isDealt = play?.seats.includes(seat) === true;
  const out = play?.out.get(seat);
  const isTurn = hand.phase === "play" && (play?.acting ?? hand.turnSeats[0]) === seat;
  const isAsked = hand.phase !== "play" && hand.waiting.includes(seat);
  return html`
    <li data-seat=${seat} class=${`seat ${isMe ? "mine" : ""} ${isTurn ? "turn" : ""} ${out || (play && !isDealt) ? "out" : ""}`} style=${place}>
      <span class="avatar" aria-hidden="true">${initial(sitting.name)}
        ${isTurn && html`<${Ring} deadlineMs=${hand.deadlineMs} wholeMs=${Number(hand.options.turn_ms)} now=${() => session.now()} />`}</span>
      <span class="who"><span class="name">${isMe ? t("you_named", { name: sitting.name }) : sitting.name}</span>
        <span class="marks">
          ${play && html`<${drawing.Marks} model=${model} seat=${seat} />`}
          ${sitting.kind === BOT && html`<span class="mark bot">${t("bot")}</span>`}
          ${sitting.substitute && html`<span class="mark stands-in" title=${t("substitute")}>${t("substitute_mark")}<span class="sr"> ${t("substitute")}</span></span>`}
          ${sitting.away && html`<span class="mark away">${t("away")}</span>`}
          ${sitting.leaving && html`<span class="mark away">${t("leaving")}</span>`}
          ${sitting.sitsOut && html`<span class="mark away">${t("sits_out")}</span>`}
          ${isAsked && html`<span class="mark asked">…</span>`}
        </span>
        <span class="holds">${out ? t("out_with", { why: tn("out", out.why), points: out.points })
          : play && isDealt ? cardsText(play.cardCount(seat)) : ""}</span></span>
      ${play && !isMe && !out && drawing.Beside && html`<${drawing.Beside} model=${model} seat=${seat} />`}
    </li>`;
}

/** @param {number} count */
const cardsText = (count) => (count === 1 ? t("one_card") : t("card_count", { count }));
