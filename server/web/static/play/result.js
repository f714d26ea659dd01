// @ts-check
/** How the hand ended: everybody's groups, points, tokens and the commission; one click to verify. */
import { ht, signedHt } from "../format.js";
import { Card } from "../ui/card.js";
import { Dialog } from "../ui/dialog.js";
import { verifyLink } from "../ui/lists.js";
import { html } from "../vendor/preact.js";
import { wildRankOf } from "../games/rummy/scoring.js";
import { t, tn } from "../words.js";
import { kindOf } from "./groups.js";

/** @typedef {import("../client/closing.js").Shown} Shown */

/** @param {{result: import("./model.js").Result, close: () => void}} of */
export function RummyResult({ result, close }) {
  const { over, names, seat: me, isAgain, failed = [] } = result;
  const wildRank = result.turned ? wildRankOf(result.turned) : null;
  const rows = [...over.rows].sort((one, other) => Number(other.seat === over.winner) - Number(one.seat === over.winner) || one.points - other.points);
  const mine = over.rows.find((row) => row.seat === me);
  return html`
    <${Dialog} title=${t("hand_over", { hand: over.handNo })} onClose=${close} kind="result">
      ${mine && html`<p class=${`my-result ${mine.amount < 0n ? "minus" : "plus"}`}>${mine.seat === over.winner ? t("you_won") : t("you_lost")} <strong>${signedHt(mine.amount)} HT</strong></p>`}
      <ol class="score">${rows.map((row) => html`
        <li class=${row.seat === over.winner ? "winner" : ""}>
          <div class="score-line"><span class="name">${row.seat === over.winner && html`<span class="trophy" aria-hidden="true">★ </span>`}${names.get(row.seat) ?? t("seat_number", { seat: row.seat + 1 })}${row.seat === over.winner && html`<span class="sr"> ${t("winner")}</span>`}</span>
            <span class="num">${t("points_n", { points: row.points })}</span><span class=${`num ${row.amount < 0n ? "minus" : "plus"}`}>${signedHt(row.amount)} HT</span></div>
          <${Laid} shown=${over.hands.find((one) => one.seat === row.seat)} wildRank=${wildRank} />
        </li>`)}</ol>
      ${failed.length > 0 && html`<p class="failure" role="alert">${t("record_fails", { checks: failed.join(", ") })}</p>`}
      ${isAgain && failed.length === 0 && html`<p class="small">${t("from_record")}</p>`}
      <p class="small">${t("commission_was", { amount: ht(over.commission) })}</p>
      <div class="buttons">
        <a class="button quiet" href=${verifyLink(over.handId)} target="_blank" rel="noopener">${t("verify_hand")}</a>
        ${over.record && html`<a class="button quiet" href=${over.record} download>${t("record")}</a>`}
        <button type="button" class="main" onClick=${close}>${t("go_on")}</button>
      </div>
    <//>`;
}

/** A hand that nobody has played to its end. @param {{words: import("./hand_words.js").HandWords, close: () => void}} of */
export const Voided = ({ words, close }) => html`
  <${Dialog} title=${words.voided()} onClose=${close}><p>${words.voidedWhy()}</p>
    <div class="buttons"><button type="button" class="main" onClick=${close}>${t("go_on")}</button></div><//>`;

/** @param {{shown: Shown | undefined, wildRank: string | null}} of */
function Laid({ shown, wildRank }) {
  if (!shown) return null;
  return html`
    <div class="laid">${shown.out && html`<span class="mark away">${tn("out", shown.out)}</span>`}
      ${shown.groups.map((cards) => html`<span class=${`mini ${kindOf(cards, wildRank)}`} role="group" aria-label=${tn("kind", kindOf(cards, wildRank))}>
        ${cards.map((card) => html`<${Card} card=${card} wildRank=${wildRank} small />`)}</span>`)}
      ${shown.loose.length > 0 && html`<span class="mini loose" role="group" aria-label=${t("loose")}>
        ${shown.loose.map((card) => html`<${Card} card=${card} wildRank=${wildRank} small />`)}</span>`}</div>`;
}
