// @ts-check
/**
 * Fair at a glance: the hand's commitments, who contributed, and every check of fairdeal/1 that
 * was made here. A line is green only when this browser made that check; red when one failed.
 */
import { Cheated, tally } from "../client/form.js";
import { BOT } from "../client/seating.js";
import { Unkept } from "../client/vault.js";
import { hex } from "../fair/bytes.js";
import { isNative } from "../fair/hashing.js";
import { number } from "../format.js";
import { Dialog } from "../ui/dialog.js";
import { html, useState } from "../vendor/preact.js";
import { t, tn } from "../words.js";

/** @typedef {import("./model.js").TableModel} TableModel */
/** @typedef {"failed" | "good" | "waits"} Standing */

const CHECKS = Array.from({ length: 19 }, (_, i) => i + 1);
/** What must have been checked by the time that the cards are out. */
const BY_THE_DEAL = [1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 17, 18, 19];
const PHRASE_MAX = 200;

/** @param {TableModel} model @returns {Standing} */
export function standingOf(model) {
  const { failure } = model.session;
  if (failure) return failure instanceof Unkept ? "waits" : "failed";
  const { hand } = model;
  if (!hand || hand.unproved.length) return "waits";
  const made = checksMade(model);
  const isWhole = BY_THE_DEAL.every((check) => made.has(check));
  return (hand.deal?.isDealt || hand.over) && isWhole ? "good" : "waits";
}

/** The pinned key is compared once for each socket, not for each hand. @param {TableModel} model @returns {Map<number, number>} */
function checksMade(model) {
  const made = new Map(tally());
  if (model.watch) made.set(1, 1);
  return made;
}

/** @param {{model: TableModel}} of */
export function Shield({ model }) {
  const [isOpen, setOpen] = useState(false);
  const standing = standingOf(model);
  return html`
    <button type="button" class=${`plain shield ${standing}`} aria-haspopup="dialog" onClick=${() => setOpen(true)} aria-label=${tn("shield", standing)}>
      <svg viewBox="0 0 64 64" aria-hidden="true"><path d="M32 4c11 8 18 9 26 9 0 25-8 40-26 49C14 53 6 38 6 13c8 0 15-1 26-9z" />
        <path class="sign" d=${standing === "good" ? "M20 32l9 9 16-18" : standing === "failed" ? "M22 22l20 20M42 22 22 42" : "M22 33h.1M32 33h.1M42 33h.1"} /></svg></button>
    ${isOpen && html`<${ShieldDialog} model=${model} standing=${standing} onClose=${() => setOpen(false)} />`}`;
}

/** @param {{model: TableModel, standing: Standing, onClose: () => void}} of */
function ShieldDialog({ model, standing, onClose }) {
  const { hand, session } = model;
  const made = checksMade(model);
  const failed = session.failure instanceof Cheated ? session.failure : null;
  return html`
    <${Dialog} title=${t("fair")} onClose=${onClose} kind="fair">
      <p class=${`standing ${standing}`}>${tn("shield", standing)}</p>
      ${failed && html`<p class="failure" role="alert">${t("check_failed", { check: failed.check, what: tn("check", failed.check) })}<br /><span lang="en">${failed.text}</span></p>`}
      <p class="small">${t("fair_how")} ${!isNative && t("slow_crypto")}</p>
      <${Promised} model=${model} />
      <h3>${t("checks_here")}</h3>
      <ol class="checks">${CHECKS.map((check) => {
        const state = failed?.check === check ? "failed" : made.has(check) ? "good" : "waits";
        return html`<li class=${state} value=${check}><span aria-hidden="true">${state === "good" ? "✓" : state === "failed" ? "✕" : "·"}</span>
          <span>${check === 3 && isWithout(model) ? t("check_without") : tn("check", check)}</span> <span class="times">${state === "good" ? t("times", { count: number(made.get(check) ?? 0) }) : state === "failed" ? t("failed") : t("not_yet")}</span></li>`;
      })}</ol>
      ${hand && html`<${OwnSeed} model=${model} />`}
      <div class="buttons"><button type="button" class="quiet" onClick=${() => saveEvidence(model)}>${t("save_evidence")}</button></div>
    <//>`;
}

/** Whether this seat is listed without a seed, by its own choice. @param {TableModel} model */
const isWithout = ({ hand, seat }) =>
  hand?.deal?.signed.seats.some((one) => one.seat === seat && one.status === 0) === true;

/** Whether no person gave chance to the hand. @param {import("../client/listing.js").SignedList} signed */
const isServerOnly = (signed) => !signed.seats.some((one) => one.kind !== BOT && one.status === 1);

/** @param {{model: TableModel}} of */
function Promised({ model }) {
  const { hand, watch } = model;
  if (!hand?.opened || !watch) return html`<p>${t("no_hand_yet")}</p>`;
  const signed = hand.deal?.signed;
  const commit = hand.opened.commits[hand.attempt];
  return html`
    <dl class="promised">
      <div><dt>${t("server_promise", { hand: hand.opened.handNo })}</dt><dd><code>${commit ? hex(commit) : ""}</code></dd></div>
      ${signed && html`<div><dt>${t("who_gave")}</dt><dd><ul>${signed.seats.map((one) => html`<li>
        ${watch.seating.bySeat.get(one.seat)?.name ?? t("seat_number", { seat: one.seat + 1 })}: ${one.status === 1
          ? hand.deal?.reveals.has(one.seat) ? t("gave_and_opened") : t("gave") : t("gave_nothing")}</li>`)}</ul>
        ${isServerOnly(signed) && html`<p class="failure server-only">${t("server_only")}</p>`}</dd></div>`}
      ${hand.deal?.heads[0] && html`<div><dt>${t("deck_root")}</dt><dd><code>${hex(hand.deal.heads[0].root)}</code></dd></div>`}
    </dl>`;
}

/** Whether the player gives a seed to the next hands, and which words go into it. @param {{model: TableModel}} of */
function OwnSeed({ model }) {
  const { isSeedless } = model.session.vault;
  return html`
    <h3>${t("own_seed")}</h3>
    <label class="switch seedless"><input type="checkbox" checked=${isSeedless} aria-describedby="seedless-why"
      onChange=${(/** @type {any} */ event) => model.setSeedless(event.currentTarget.checked)} /><span>${t("seedless")}</span></label>
    <p class="small" id="seedless-why">${t("seedless_why")}</p>
    ${!isSeedless && html`<${Phrase} model=${model} />`}`;
}

/** @param {{model: TableModel}} of */
function Phrase({ model }) {
  // What is being typed is the field's own: frames that come meanwhile draw the dialog anew.
  const [typed, type] = useState(model.vault.phrase);
  return html`<label class="phrase">${t("own_phrase")}
    <input maxlength=${PHRASE_MAX} value=${typed} autocomplete="off"
      onInput=${(/** @type {any} */ event) => type(event.currentTarget.value)}
      onChange=${(/** @type {any} */ event) => model.setPhrase(event.currentTarget.value.trim())} />
    <span class="small">${t("own_phrase_why")}</span></label>`;
}

/** Give what this browser has seen to its person, as one file. @param {TableModel} model */
function saveEvidence(model) {
  const { session, vault } = model;
  const failed = session.failure instanceof Cheated ? session.failure : null;
  const document_ = {
    check: failed?.check ?? null, text: failed?.text ?? null, server_key: vault.find("server") ?? null,
    log: { key: vault.find("log key") ?? null, last: vault.find("log") ?? null }, frames: session.evidence,
  };
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(document_, null, 1)], { type: "application/json" }));
  link.download = `pakka-evidence-${model.table}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
