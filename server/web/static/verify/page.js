// @ts-check
/** The verifier's page: takes a record, shows a line for each check, and the deal laid out. */
import { failedOf, GAME, verifyRecord } from "../fair/checks.js";
import { hex } from "../fair/bytes.js";
import { isNative } from "../fair/hashing.js";
import { worded } from "../fair/wording.js";
import { showDeal } from "./deal_view.js";
import { showPacks } from "./pack_view.js";
import { byId, el } from "./elements.js";
import { HINDI } from "./hindi.js";
import { Unreadable, fetchRecord, pinnedKeys, readFile, recordAddress } from "./source.js";
import { firstLanguage, keepLanguage } from "./language.js";
import { told } from "./strings.js";

/** @typedef {import("./strings.js").Key} Key */
/** @typedef {import("../fair/checks.js").Report} Report */
/** @typedef {import("../fair/checks.js").Line} Line */

const isOnline = location.protocol === "http:" || location.protocol === "https:";

/** Games that have a name of their own in both languages. */
const NAMED = /** @type {readonly Key[]} */ (["rummy", "seep", "court_piece", "batak", "badam_satti", "sevens"]);

/** What the page shows; everything is drawn from this, so that the language may change at any time. */
const shown = {
  /** @type {import("./strings.js").Language} */
  language: firstLanguage(),
  /** @type {Line[]} */
  lines: [],
  /** @type {Report | null} */
  report: null,
  /** @type {Key | null} what is going on, or what went wrong */
  status: null,
  isBusy: false,
  at: 0,
  hand: "",
  run: 0,
};

/** @param {Key} key @param {Readonly<Record<string, string | number | bigint>>} [parts] */
const text = (key, parts) => told(shown.language, key, parts);

/** @param {import("../fair/wording.js").Problem} problem */
const said = (problem) => worded(problem, shown.language === "hi" ? HINDI : {});

// --- what happens

/** Check what a source gives; a later source stops an earlier one. @param {() => Promise<Uint8Array>} source @param {string} hand */
async function check(source, hand) {
  const run = shown.run + 1;
  Object.assign(shown, { run, hand, lines: [], report: null, status: "reading", isBusy: true, at: 0 });
  draw();
  try {
    const pinned = await pinnedKeys(byId("server-key").value.trim().toLowerCase(), byId("log-key").value.trim());
    const data = await source();
    const report = await verifyRecord(data, pinned, async (line) => {
      if (shown.run !== run) throw new Unreadable("reading");
      shown.lines.push(line);
      shown.status = "checking";
      drawOutcome();
      await new Promise((resume) => setTimeout(resume));
    });
    if (shown.run === run) Object.assign(shown, { report, status: null, lines: report.lines });
  } catch (error) {
    if (shown.run === run) shown.status = error instanceof Unreadable ? error.key : "fault";
  }
  if (shown.run !== run) return;
  shown.isBusy = false;
  draw();
}

/** @param {string} hand */
const checkHand = (hand) => check(() => fetchRecord(hand), hand);

/** @param {FileList | undefined | null} files */
function checkFile(files) {
  const file = files?.[0];
  if (file) check(() => readFile(file), "");
}

// --- what is drawn

function draw() {
  document.documentElement.lang = shown.language;
  document.title = text("title");
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = text(/** @type {Key} */ (element.getAttribute("data-text")));
  }
  const language = byId("language");
  language.textContent = text("switch_to");
  language.setAttribute("aria-label", text("switch_label"));
  language.lang = shown.language === "hi" ? "en" : "hi";
  drawOutcome();
  drawHand();
  drawChecks();
}

function drawOutcome() {
  // a screen reader hears the outcome, not each of the nineteen steps to it
  byId("outcome").setAttribute("aria-busy", String(shown.isBusy));
  byId("outcome").replaceChildren(...outcome());
}

/** @returns {Node[]} */
function outcome() {
  const { report, status, isBusy } = shown;
  if (status) {
    const words = text(status, { done: shown.lines.length });
    return [el("p", { class: isBusy ? "banner" : "banner bad" }, words)];
  }
  if (!report) return [];
  if (report.refused) {
    const why = `${said(report.refused.text)} (${report.refused.code})`;
    return [el("p", { class: "banner bad" }, el("b", {}, text("refused")), why)];
  }
  const failed = failedOf(report);
  if (failed.length) {
    const numbers = failed.join(", ");
    return [el("p", { class: "banner bad" }, el("b", {}, text("some_fail", { numbers })), text("some_fail_why"))];
  }
  const game = report.evidence?.record.game ?? GAME;
  if (report.lines.some(({ verdict }) => verdict === "not-here")) {
    return [el("p", { class: "banner" }, el("b", {}, text("not_all_here")), text("other_game", { game }))];
  }
  return [el("p", { class: "banner good" }, el("b", {}, text("all_hold")), text("all_hold_why"))];
}

function drawChecks() {
  const notes = shown.report?.notes ?? [];
  byId("checks-part").hidden = shown.isBusy || !shown.lines.length;
  byId("checks").replaceChildren(...shown.lines.map(lineElement));
  byId("notes-part").hidden = !notes.length;
  byId("notes").replaceChildren(...notes.map((note) => el("li", {}, said(note))));
}

/** @param {Line} line */
function lineElement({ number, title, verdict, problems }) {
  return el("li", { "data-verdict": verdict },
    el("span", { class: "number" }, String(number)),
    el("div", {},
      el("span", { class: `verdict ${verdict}` }, text(verdict)),
      said({ template: title, parts: {} }),
      ...problems.map((problem) => el("p", { class: "problem" }, said(problem)))));
}

function drawHand() {
  const evidence = shown.report?.evidence;
  byId("hand-part").hidden = !evidence;
  if (!evidence) {
    byId("deal").replaceChildren();
    return;
  }
  const { record } = evidence;
  const address = shown.hand && recordAddress(shown.hand);
  const known = NAMED.find((name) => name === record.game);
  const game = known ? text(known) : record.game;
  const about = { game, number: record.hand_no, seats: record.seats.length };
  byId("about").replaceChildren(
    el("dt", {}, text("game")), el("dd", {}, text("hand_of", about)),
    el("dt", {}, text("its_key")), el("dd", {}, el("code", {}, hex(record.server_pub))),
    ...(address
      ? [el("dt", {}, text("by_command")), el("dd", {}, el("code", {}, `pakka verify ${address}`)),
        el("dt", {}, text("save_record")),
        el("dd", {}, el("a", { href: address, download: `pakka-hand-${shown.hand}.json` }, text("save_record")))]
      : []),
  );
  const { moments = [], isWhole = false, faults = [] } = shown.report?.replay ?? {};
  byId("no-moves").textContent = "";
  if (moments.length) {
    showDeal(byId("deal"), shown.language, record, moments, isWhole, shown.at, (at) => { shown.at = at; });
    return;
  }
  byId("deal").replaceChildren();
  if (record.game !== GAME) showPacks(byId("deal"), shown.language, evidence);
  const number = faults[0]?.check ?? 17;
  byId("no-moves").textContent =
    record.game === GAME ? text("no_moves", { number }) : shown.report?.replay ? "" : text("other_game", { game: record.game });
}

// --- what is listened to

function listen() {
  byId("language").addEventListener("click", () => {
    shown.language = shown.language === "hi" ? "en" : "hi";
    keepLanguage(shown.language);
    draw();
  });
  byId("ask").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const typed = byId("hand").value.trim();
    const hand = /(?:\/hands\/|[?#&]hand=)(\d+)/.exec(typed)?.[1] ?? typed;
    if (!isOnline) return;
    history.replaceState(null, "", `#hand=${encodeURIComponent(hand)}`);
    checkHand(hand);
  });
  byId("file").addEventListener("change", (/** @type {any} */ event) => {
    checkFile(event.target.files);
    event.target.value = "";
  });
  globalThis.addEventListener("hashchange", openLink);
  for (const name of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      document.body.classList.toggle("over", name === "dragover");
    });
  }
  document.addEventListener("drop", (event) => checkFile(event.dataTransfer?.files));
}

/** Check the hand that the link names: `?hand=7` or `#hand=7`. */
function openLink() {
  const inHash = new URLSearchParams(location.hash.slice(1)).get("hand");
  const hand = inHash ?? new URLSearchParams(location.search).get("hand");
  if (!isOnline || hand === null) return;
  byId("hand").value = hand;
  checkHand(hand);
}

function begin() {
  byId("no-subtle").hidden = isNative;
  byId("by-number").hidden = !isOnline;
  byId("from-disk").hidden = isOnline;
  byId("save-page").hidden = !isOnline;
  listen();
  draw();
  openLink();
}

begin();
