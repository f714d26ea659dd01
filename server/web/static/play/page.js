// @ts-check
/** The table: seats, piles, the own hand, what to do; and what stands in the way of it. */
import { whoAmI } from "../api.js";
import { Unkept } from "../client/vault.js";
import { go } from "../state.js";
import { Language, Settings } from "../ui/header.js";
import { Dialog, Question } from "../ui/dialog.js";
import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { drawingOf, useDrawing } from "./games.js";
import { Announcer, LastAct, Log, lineWords, statusOf } from "./log.js";
import { TableModel } from "./model.js";
import { Voided } from "./result.js";
import { Ring } from "./ring.js";
import { Seats } from "./seats.js";
import { Sheet } from "./sheet.js";
import { Shield } from "./shield.js";

/** @param {{table: string}} of */
export function TablePage({ table }) {
  const model = useMemo(() => new TableModel(table), [table]);
  useEffect(() => {
    model.start();
    return () => model.stop();
  }, [model]);
  const drawing = useDrawing(model);
  const isMine = model.isMyTurn;
  return html`
    <div class=${`table-page ${drawing?.kind ?? ""} ${isMine ? "my-turn" : ""}`}>
      <${Bar} model=${model} />
      <${LineBanner} model=${model} />
      <div class="felt">
        <${Seats} model=${model} />
        <div class="middle">${drawing && html`<${drawing.Middle} model=${model} />`}<${LastAct} model=${model} /></div>
      </div>
      <div class="mine-area">
        <div class="status-line"><p class="status">${isMine && html`<span class="own-clock"><${Ring} deadlineMs=${model.hand?.deadlineMs ?? 0} wholeMs=${Number(model.hand?.options.turn_ms)} now=${() => model.session.now()} /></span>`}<span>${statusOf(model)}${model.session.pendingCount > 0 && html`<span class="pending" role="img" aria-label=${t("pending")}> …</span>`}</span></p>${drawing && html`<${drawing.Standing} model=${model} />`}</div>
        <${ClockNote} model=${model} />
        ${drawing && html`<${drawing.Mine} model=${model} />`}
        <${Standing} model=${model} />
      </div>
      ${drawing && html`<${Results} model=${model} drawing=${drawing} />`}
      <${Announcer} model=${model} />
    </div>`;
}

/** The hand that has just ended, or one before it that the player looks at. @param {{model: TableModel, drawing: import("./games.js").Drawing}} of */
function Results({ model, drawing }) {
  const { past, result } = model;
  const closePast = () => {
    past.value = null;
  };
  if (past.value) return html`<${drawing.Result} key="past" result=${past.value} close=${closePast} />`;
  const close = () => model.closeResult();
  if (result.value?.over.end === "voided") return html`<${Voided} words=${drawing.words} close=${close} />`;
  return result.value && html`<${drawing.Result} key="now" result=${result.value} close=${close} />`;
}

/** @param {{model: TableModel}} of */
function Bar({ model }) {
  const [open, setOpen] = useState(/** @type {"log" | "sheet" | "menu" | null} */ (null));
  const { watch, hand } = model;
  const handNo = hand?.opened?.handNo;
  return html`
    <header class="bar">
      <a class="plain back-link" href="#/" aria-label=${t("to_lobby")}>‹</a>
      <h1>${watch?.name || t("table")}${watch?.isPractice && html` <span class="badge">${t("practice")}</span>`}
        ${handNo !== undefined && html`<span class="small"> ${drawingOf(hand?.game ?? "").words.number(handNo)}</span>`}</h1>
      <button type="button" class="plain" aria-haspopup="dialog" onClick=${() => setOpen("log")}>${t("moves")}</button>
      <button type="button" class="plain" aria-haspopup="dialog" onClick=${() => setOpen("sheet")}>${t("score")}</button>
      <${Shield} model=${model} />
      <button type="button" class="plain" aria-haspopup="dialog" aria-label=${t("menu")} onClick=${() => setOpen("menu")}>☰</button>
      ${open === "log" && html`<${Log} model=${model} onClose=${() => setOpen(null)} />`}
      ${open === "sheet" && html`<${Sheet} model=${model} onClose=${() => setOpen(null)} />`}
      ${open === "menu" && html`<${TableMenu} model=${model} onClose=${() => setOpen(null)} />`}
    </header>`;
}

/** @param {{model: TableModel, onClose: () => void}} of */
function TableMenu({ model, onClose }) {
  const [isAsked, ask] = useState(false);
  const { session, watch, seat, play } = model;
  const drawing = drawingOf(watch?.hand.game ?? "");
  const isOut = Boolean(watch?.seating.myAbsence);
  const isIn = seat !== null && play?.inPlay.includes(seat) === true;
  const leave = async () => {
    if (await session.tell("table.leave")) {
      await whoAmI();
      go("");
    }
  };
  return html`
    <${Dialog} title=${watch?.name ?? t("table")} onClose=${onClose}>
      ${watch && html`<p>${drawing.rules(watch.hand.options)}</p>`}
      <p class="small">${t("not_money")}</p>
      <${Language} />
      <${Settings} />
      <p class="small">${drawing.keys()}</p>
      <div class="buttons">
        ${seat !== null && html`<button type="button" class="quiet" onClick=${() => session.tell(isOut ? "table.back" : "table.sit_out")}>${isOut ? t("come_back") : t("sit_out")}</button>
          <button type="button" class="quiet grave-text" onClick=${() => (isIn ? ask(true) : leave())}>${t("leave")}</button>`}
      </div>
      ${isAsked && html`<${Question} title=${t("leave")} text=${drawing.leaveAsk()} yes=${t("leave")} isGrave=${true} onNo=${() => ask(false)} onYes=${leave} />`}
    <//>`;
}

/** What is wrong with the line, said at once. @param {{model: TableModel}} of */
function LineBanner({ model }) {
  const { line, failure } = model.session;
  const [isStale, setStale] = useState(false);
  useEffect(() => {
    if (line === "open") void buildIsOld().then(setStale);
  }, [line]);
  if (failure instanceof Unkept) return html`<div class="banner bad" role="alert">${t("no_room")} <button type="button" onClick=${() => location.reload()}>${t("load_again")}</button></div>`;
  if (failure) return html`<div class="banner bad" role="alert">${t("stopped_why")}</div>`;
  if (isStale) return html`<div class="banner" role="alert">${t("new_version")} <button type="button" onClick=${() => location.reload()}>${t("load_again")}</button></div>`;
  if (line === "open") return null;
  return html`<div class=${`banner ${line === "connecting" ? "" : "bad"}`} role="alert">${lineWords(line)}
    ${line === "replaced" && html` <button type="button" onClick=${() => model.session.start()}>${t("use_here")}</button>`}
    ${line === "signed_out" && html` <button type="button" onClick=${() => location.reload()}>${t("load_again")}</button>`}</div>`;
}

/** Whether the server runs another build than this page. @returns {Promise<boolean>} */
async function buildIsOld() {
  const build = document.querySelector('meta[name="pakka-build"]')?.getAttribute("content");
  try {
    const text = await (await fetch("/", { headers: { accept: "text/html" } })).text();
    return !text.includes(`content="${build}"`);
  } catch {
    return false;
  }
}

/** What the clock played while one was away. @param {{model: TableModel}} of */
function ClockNote({ model }) {
  const acts = model.clockPlayed.value;
  if (acts.length === 0) return null;
  return html`<p class="clock-note" role="status"><span>${t("clock_played", { what: acts.map((act) => drawingOf(model.hand?.game ?? "").byClock(model, act)).join(", ") })}</span>
    <button type="button" class="plain" onClick=${() => {
      model.clockPlayed.value = [];
    }} aria-label=${t("close")}>✕</button></p>`;
}

/** Where there is no hand of one's own: why, and what one can do. @param {{model: TableModel}} of */
function Standing({ model }) {
  const { watch, seat, play, session } = model;
  if (!watch || watch.needsSnapshot) return null;
  if (watch.seating.replaced) {
    return html`<div class="buttons"><p class="small" role="status">${t("bot_plays_for_you")}</p>
      <button type="button" class="main" disabled=${session.pendingCount > 0} onClick=${() => session.tell("table.back")}>${t("take_back")}</button></div>`;
  }
  if ((play?.holding.length ?? 0) > 0) return null;
  if (seat === null) {
    const isFull = watch.seating.bySeat.size >= watch.seating.size;
    return html`<div class="buttons"><button type="button" class="main" disabled=${isFull || session.pendingCount > 0} onClick=${() => session.sit()}>${isFull ? t("full") : t("sit_down")}</button></div>`;
  }
  if (watch.seating.myAbsence) return html`<div class="buttons"><button type="button" class="main" onClick=${() => session.tell("table.back")}>${t("come_back")}</button></div>`;
  const out = play?.out.get(seat);
  return out ? html`<p class="small">${t("you_are_out", { points: out.points })}</p>` : null;
}
