// @ts-check
/** A table's page behind its drawing: the session, the own layout, what was noticed meanwhile. */
import { textOf } from "../api.js";
import { Session } from "../client/session.js";
import { Vault } from "../client/vault.js";
import { objectAt } from "../kept.js";
import { me, settings, storage, tell, visit } from "../state.js";
import { signal } from "../vendor/preact.js";
import { chime } from "./chime.js";
import { drawingOf } from "./games.js";
import { Names } from "./names.js";
import { laidOut } from "./past.js";

/** @typedef {import("../client/closing.js").HandOver} HandOver */
/**
 * How a hand ended; one that is laid out again from its record also has what failed in it.
 * @typedef {{over: HandOver, names: Map<number, string>, seat: number | null, turned: string | null,
 *   isAgain?: boolean, failed?: number[]}} Result
 */

/** @param {any} groups @returns {groups is string[][]} */
const isLayout = (groups) => Array.isArray(groups) && groups.every(Array.isArray);

/** @template {import("../client/public.js").PublicHand} [Hand=import("../client/rummy.js").RummyHand] */
export class TableModel {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    const owner = me.value?.player.id ?? "";
    const socket = `${location.protocol.replace("http", "ws")}//${location.host}/ws`;
    this.vault = new Vault(storage, owner);
    this.vault.phrase = String(this.vault.find("phrase") ?? "");
    this.vault.isSeedless = this.vault.find(`seedless ${owner}`) === true;
    /** Counts up with every change of what the session holds. */
    this.tick = signal(0);
    this.groups = signal(/** @type {string[][]} */ ([]));
    this.selected = signal(/** @type {string[]} */ ([]));
    this.result = signal(/** @type {Result | null} */ (null));
    /** A hand before this one that the player looks at. */
    this.past = signal(/** @type {Result | null} */ (null));
    this.names = new Names(table);
    /** The hand whose result is being read from its record, -1 if none was. */
    this.readNo = -1;
    /** What the clock played for this seat since it was last told. */
    this.clockPlayed = signal(/** @type {import("../client/public.js").Act[]} */ ([]));
    this.seenActs = 0;
    this.handNo = -1;
    this.wasMyTurn = false;
    /** @type {HandOver | null} */
    this.lastOver = null;
    this.wantsSeat = visit.getItem("pakka.sit") === table;
    this.own = new Session(table, this.vault, {
      onChange: () => this.#changed(),
      onFrame: () => {},
      onRefused: (code) => void textOf(code).then(tell),
    }, socket);
    this.loseLine = () => this.session.wire.lose();
    this.comeBack = () => {
      if (!document.hidden) this.session.wire.hurry();
    };
  }

  /** The session; who reads it while drawing is drawn anew with every change. */
  get session() {
    this.tick.value;
    return this.own;
  }

  start() {
    this.session.start();
    addEventListener("online", this.comeBack);
    addEventListener("offline", this.loseLine);
    document.addEventListener("visibilitychange", this.comeBack);
  }

  stop() {
    this.session.stop();
    removeEventListener("online", this.comeBack);
    removeEventListener("offline", this.loseLine);
    document.removeEventListener("visibilitychange", this.comeBack);
  }

  get watch() {
    return this.session.watch;
  }

  get hand() {
    return this.session.watch?.hand ?? null;
  }

  /** The hand as its lines tell it, null while no cards are out. @returns {Hand | null} */
  get play() {
    const deal = this.hand?.deal;
    return deal?.isDealt ? /** @type {any} */ (deal.play) : null;
  }

  get seat() {
    return this.session.watch?.seating.me ?? null;
  }

  get isMyTurn() {
    const seat = this.seat;
    const play = this.play;
    return seat !== null && play !== null && this.hand?.phase === "play"
      && this.hand.turnSeats.includes(seat) && this.watch?.seating.isPilot === true && play.mayAct(seat) && !this.session.failure;
  }

  /** @param {string[][]} groups */
  layOut(groups) {
    this.groups.value = groups;
    visit.setItem(`pakka.layout.${this.table}`, JSON.stringify({ hand: this.handNo, groups }));
  }

  /** @param {string} card */
  toggle(card) {
    const now = this.selected.value;
    this.selected.value = now.includes(card) ? now.filter((one) => one !== card) : [...now, card];
  }

  /** @param {string} phrase */
  setPhrase(phrase) {
    this.vault.phrase = phrase;
    this.vault.keep("phrase", phrase);
    this.tick.value += 1;
  }

  /** @param {boolean} is */
  setSeedless(is) {
    this.vault.isSeedless = is;
    this.vault.keep(`seedless ${this.vault.owner}`, is);
    this.tick.value += 1;
  }

  #changed() {
    this.#sitDown();
    if (this.watch) this.names.note(this.watch.seating);
    this.#newHand();
    this.#layout();
    this.#noteResult();
    this.#noteMissed();
    this.#noteClock();
    if (this.isMyTurn && !this.wasMyTurn && settings.value.sounds) chime();
    this.wasMyTurn = this.isMyTurn;
    this.tick.value += 1;
  }

  #sitDown() {
    if (!this.wantsSeat || !this.watch || this.watch.needsSnapshot) return;
    this.wantsSeat = false;
    visit.removeItem("pakka.sit");
    if (this.seat === null) void this.session.sit();
  }

  #newHand() {
    const handNo = this.play ? this.hand?.opened?.handNo ?? -1 : -1;
    if (handNo === this.handNo || handNo === -1) return;
    this.handNo = handNo;
    const seen = objectAt(storage, `pakka.acts.${this.table}`);
    this.seenActs = seen.hand === handNo ? Number(seen.count) || 0 : 0;
    this.clockPlayed.value = [];
    this.selected.value = [];
    this.result.value = null;
    const kept = objectAt(visit, `pakka.layout.${this.table}`);
    this.groups.value = kept.hand === handNo && isLayout(kept.groups) ? kept.groups : [];
  }

  #layout() {
    const { play } = this;
    if (!play) return;
    const groups = drawingOf(this.hand?.game ?? "").layOut?.(this.groups.value, play) ?? [];
    if (JSON.stringify(groups) !== JSON.stringify(this.groups.value)) this.layOut(groups);
    const held = this.selected.value.filter((card) => play.holding.includes(card));
    if (held.length !== this.selected.value.length) this.selected.value = held;
  }

  #noteResult() {
    const over = this.hand?.over ?? null;
    if (!over || over === this.lastOver || !this.watch) return;
    this.lastOver = over;
    if (over.end === "cancelled" || (over.end === "closed" && !over.hands.length)) return;
    const names = new Map([...this.watch.seating.bySeat].map(([seat, one]) => [seat, one.name]));
    this.result.value = { over, names, seat: this.seat, turned: over.packs[0]?.[13 * over.rows.length] ?? null };
    this.selected.value = [];
  }

  /** A hand that closed without this page: its record tells how, until the next one is dealt. */
  #noteMissed() {
    const last = this.watch?.last;
    if (!last || this.play || this.readNo === last.handNo || this.result.value || this.lastSeen() >= last.handNo) return;
    if (this.lastOver?.handNo === last.handNo && this.lastOver.hands.length) return;
    this.readNo = last.handNo;
    this.layOutAgain(last).then((result) => {
      const isNews = result && result.seat !== null && !this.play && !this.result.value;
      if (isNews) this.result.value = result;
    }, () => {
      this.readNo = -1;
    });
  }

  /** @param {{hand: string, record: string}} line @returns {Promise<Result>} */
  layOutAgain(line) {
    return laidOut(line, (pseudonyms) => this.names.of(pseudonyms), this.own.keys);
  }

  /** The player has seen a result; it is not shown again by itself. */
  closeResult() {
    const handNo = this.result.value?.over.handNo;
    if (handNo !== undefined) visit.setItem(`pakka.seen.${this.table}`, String(handNo));
    this.result.value = null;
  }

  lastSeen() {
    return Number(visit.getItem(`pakka.seen.${this.table}`) ?? -1);
  }

  #noteClock() {
    const { play, seat } = this;
    if (!play || play.acts.length === this.seenActs) return;
    const mine = play.acts.slice(this.seenActs).filter((act) => act.isAuto && act.seat === seat);
    this.seenActs = play.acts.length;
    storage.setItem(`pakka.acts.${this.table}`, JSON.stringify({ hand: this.handNo, count: this.seenActs }));
    if (mine.length) this.clockPlayed.value = [...this.clockPlayed.value, ...mine];
  }
}
