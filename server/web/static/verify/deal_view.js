// @ts-check
/** The whole deal laid out: seat by seat, move by move, with a slider. */
import { RANKS, SUITS, isPrintedJoker, rankOf, suitOf } from "../cards.js";
import { readLine } from "../games/rummy/notation.js";
import { count, isJoker, kindsOf } from "../games/rummy/scoring.js";
import { closedPileOf, wildRankIn } from "../games/rummy/state.js";
import { cardElement, cardsElement, el, glyphsOf, tokensText } from "./elements.js";
import { told } from "./strings.js";

/** @typedef {import("./strings.js").Language} Language */
/** @typedef {import("../games/rummy/state.js").State} State */
/** @typedef {import("../games/rummy/state.js").SeatState} SeatState */
/** @typedef {import("../fair/fold.js").Moment} Moment */
/** @typedef {import("../fair/record.js").HandRecord} HandRecord */

/**
 * Lay the deal out at a moment, into `place`.
 * @param {HTMLElement} place @param {Language} language @param {HandRecord} record
 * @param {readonly Moment[]} moments @param {boolean} isWhole @param {number} at @param {(at: number) => void} moved
 */
export function showDeal(place, language, record, moments, isWhole, at, moved) {
  const output = el("output", { "aria-live": "polite" });
  const table = el("div", { class: "table" });
  const range = /** @type {HTMLInputElement} */ (
    el("input", { type: "range", id: "step", min: 0, max: moments.length - 1, value: at, "aria-label": told(language, "step") }));
  const back = /** @type {HTMLButtonElement} */ (el("button", { type: "button", "aria-label": told(language, "back") }, "◀"));
  const on = /** @type {HTMLButtonElement} */ (el("button", { type: "button", "aria-label": told(language, "on") }, "▶"));
  const show = (/** @type {number} */ to) => {
    const moment = /** @type {Moment} */ (moments[to]);
    const said = momentText(language, record, moment);
    const counted = told(language, "step_of", { at: to + 1, count: moments.length });
    const isLast = to === moments.length - 1;
    range.value = String(to);
    range.setAttribute("aria-valuetext", `${counted}: ${said}`);
    output.textContent = `${counted} · ${said}${isLast && !isWhole ? ` ${told(language, "stops_here")}` : ""}`;
    back.disabled = to === 0;
    on.disabled = isLast;
    table.replaceChildren(...pilesOf(language, moment.state), ...moment.state.seats.map((player) =>
      seatElement(language, record, moment.state, player)));
    moved(to);
  };
  range.addEventListener("input", () => show(Number(range.value)));
  back.addEventListener("click", () => show(Number(range.value) - 1));
  on.addEventListener("click", () => show(Number(range.value) + 1));
  place.replaceChildren(el("div", { class: "slide" }, el("div", { class: "row" }, back, range, on), output), table);
  show(at);
}

/** What a move was, in words. @param {Language} language @param {HandRecord} record @param {Moment} moment */
export function momentText(language, record, { first, last, epoch, state }) {
  const head = epoch === null ? null : record.heads[epoch];
  const dealt = head && told(language, epoch ? "said_again" : "said_deal", { epoch: head.epoch, count: head.n });
  const lines = record.events.slice(first, last).map((event) => event.line);
  const said = lines.map((line) => (line === null ? dealt : lineText(language, line, state)));
  return said.filter(Boolean).join(" ");
}

/** @param {Language} language @param {string} line @param {State} state the one after it */
function lineText(language, line, state) {
  const isAuto = line.startsWith("auto ");
  const own = isAuto ? line.slice("auto ".length) : line;
  const read = readLine(own);
  if (!read) return line;
  const { seat, move } = read;
  const place = /@(\d+)\.(\d+)/.exec(own);
  const hidden = place && state.orders[Number(place[1])]?.[Number(place[2])];
  const shown = hidden ?? own.split(" ").at(-1) ?? "";
  const card = /^(?:[A23456789TJQK][SHDC]|JK)/.test(shown) ? glyphsOf(shown) : shown;
  const key = /** @type {const} */ ({
    draw: own.includes(" open ") ? "said_open" : "said_closed", discard: "said_discard", drop: "said_drop",
    leave: "said_leave", declare: "said_declare", auto: "said_drop",
  })[move.name];
  const said = told(language, key, { seat, card });
  return isAuto ? told(language, "by_clock", { said }) : said;
}

/** @param {Language} language @param {State} state */
function pilesOf(language, state) {
  const wild = wildRankIn(state);
  const turned = state.turned;
  const rank = wild === "T" ? "10" : wild;
  const wildText = rank === null ? told(language, "only_printed") : told(language, "wild", { rank });
  return [
    el("div", { class: "pile" },
      el("h3", {}, told(language, "turned"), el("span", { class: "mark" }, wildText)),
      turned === null ? null : cardElement(language, turned, wild),
      el("p", { class: "mark" }, told(language, "closed_pile", { count: closedPileOf(state).length }))),
    el("div", { class: "pile" },
      el("h3", {}, told(language, "open_pile"),
        state.openPile.length ? null : el("span", { class: "mark" }, told(language, "empty"))),
      cardsElement(language, [...state.openPile].reverse(), wild)),
  ];
}

/** @param {Language} language @param {HandRecord} record @param {State} state @param {SeatState} player */
function seatElement(language, record, state, player) {
  const wild = wildRankIn(state);
  const { seat, out } = player;
  const isActing = state.acting === seat;
  const isOver = state.ended;
  const amount = record.result.find((row) => row.seat === seat)?.amount ?? 0n;
  const marks = [
    record.seats.find((row) => row.seat === seat)?.kind === 2 && told(language, "bot"),
    isActing && told(language, "to_move"),
    out && told(language, out),
    (out || isOver) && told(language, "points", { points: player.points }),
    isOver && state.scored?.winner === seat && told(language, "winner"),
    isOver && tokensText(amount),
    !out && !isOver && told(language, "cards_held", { count: player.cards.length }),
  ];
  const isShown = isOver && !out && state.seats.some((one) => !one.out && one.finish);
  const cards = out ? player.laidDown : player.cards;
  const drawn = isActing ? (state.drawn?.card ?? null) : null;
  return el("section", { class: `seat${isActing ? " acting" : ""}${out ? " out" : ""}`, "data-seat": seat },
    el("h3", {}, told(language, "seat", { seat }),
      ...marks.filter(Boolean).map((mark) => el("span", { class: "mark" }, String(mark)))),
    isShown ? groupsElement(language, cards, wild) : cardsElement(language, sorted(cards, wild), wild, drawn));
}

/** A holding at its best arrangement. @param {Language} language @param {readonly string[]} cards @param {string | null} wild */
function groupsElement(language, cards, wild) {
  const counted = count(cards, wild);
  const box = (/** @type {string} */ name, /** @type {readonly string[]} */ group, /** @type {string} */ kind) =>
    el("div", { class: `group ${kind}` }, el("p", {}, name), cardsElement(language, group, wild));
  const boxes = counted.groups.map((group) => {
    const kinds = kindsOf(group, wild);
    const kind = kinds.has("pure") ? "pure" : kinds.has("seq") ? "seq" : "set";
    return box(told(language, kind), group, kind);
  });
  if (counted.loose.length) boxes.push(box(told(language, "loose"), counted.loose, "loose"));
  return el("div", { class: "groups" }, ...boxes);
}

/** By suit and rank, jokers last. @param {readonly string[]} cards @param {string | null} wild */
function sorted(cards, wild) {
  const place = (/** @type {string} */ card) => {
    if (isPrintedJoker(card)) return 1000;
    const own = SUITS.indexOf(suitOf(card)) * 13 + RANKS.indexOf(rankOf(card));
    return isJoker(card, wild) ? 500 + own : own;
  };
  return [...cards].sort((one, other) => place(one) - place(other) || (one < other ? -1 : 1));
}
