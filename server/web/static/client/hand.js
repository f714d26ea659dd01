// @ts-check
/** The open hand of a table as this browser follows it: from its opening to its close. */
import { hex } from "../fair/bytes.js";
import { checkCancel, checkClose, checkVoid } from "./closing.js";
import { DealWatch } from "./deal.js";
import { beginTally, demand, found, numberOf, textOf } from "./form.js";
import { PROGRAMS, dealerOf } from "./games.js";
import { checkList, seatIn } from "./listing.js";
import { checkOpen } from "./opening.js";

/** @typedef {import("./form.js").Part} Part */
/** @typedef {import("./opening.js").LogHead} LogHead */
/** @typedef {import("./listing.js").OwnCommit} OwnCommit */

export class HandWatch {
  /**
   * @param {string} table @param {import("./opening.js").KeyAt} keyAt
   * @param {import("./vault.js").Vault} vault @param {import("./seating.js").Seating} seating
   * @param {import("./part.js").OwnPart} part
   */
  constructor(table, keyAt, vault, seating, part) {
    this.table = table;
    this.keyAt = keyAt;
    this.vault = vault;
    this.seating = seating;
    this.part = part;
    this.game = "";
    this.rules = "";
    /** @type {Part} */
    this.options = {};
    this.phase = "waiting";
    /** @type {number[]} */
    this.waiting = [];
    /** @type {number[]} */
    this.turnSeats = [];
    this.attempt = 0;
    this.turn = 0;
    this.deadlineMs = 0;
    /** @type {import("./opening.js").OpenHand | null} */
    this.opened = null;
    /** @type {DealWatch<import("./public.js").PublicHand> | null} */
    this.deal = null;
    /** How the last hand ended. @type {import("./closing.js").HandOver | null} */
    this.over = null;
    /** Log entries that are still to be proved. @type {LogHead[]} */
    this.unproved = [];
    /** @type {OwnCommit | null} */
    this.own = null;
    /** What the next hand gets; undefined if the last one was not seen to its end. @type {import("./games.js").Carry | undefined} */
    this.carry = undefined;
    /** Whether the last hand that closed was not its match's last. */
    this.isInMatch = false;
    /** @type {Set<string>} */
    this.sent = new Set();
    /** @type {Set<string>} */
    this.asked = new Set();
  }

  /** Find the deal's command that is due from `seat`; each is given out once. @param {number} seat @returns {Promise<Part | null>} */
  async due(seat) {
    const { opened, deal } = this;
    if (!opened || !this.waiting.includes(seat)) return null;
    const key = `${opened.handNo} ${this.attempt}`;
    if (this.phase === "commit") {
      if (this.unproved.length || !this.#once(`commit ${key}`)) return null;
      const [own, frame] = await this.part.commit(opened, this.attempt, seat);
      this.own = own;
      return frame;
    }
    if (!deal || !(await this.part.canReveal(opened, deal.signed, seat))) return null;
    if (this.phase === "reveal" && this.#once(`reveal ${key}`)) return this.part.reveal(opened, deal.signed, seat);
    if (deal.call && this.#once(`again ${key} ${deal.call.epoch}`)) {
      return this.part.revealAgain(opened, deal.signed, seat, deal.call);
    }
    return null;
  }

  /** A command that the server did not take may be due again. @param {Part} frame */
  notTaken(frame) {
    const name = { "deal.commit": "commit", "deal.reveal": "reveal" }[String(frame.t)];
    const key = `${frame.hand} ${frame.d?.attempt}`;
    if (name) this.sent.delete(`${name} ${key}`);
    else this.sent.delete(`again ${frame.hand} ${this.attempt} ${frame.d?.epoch}`);
  }

  /** @param {string} key */
  #once(key) {
    const isNew = !this.sent.has(key);
    this.sent.add(key);
    return isNew;
  }

  // --- the hand's events, each checked

  /** Check an opening and that its number is fresh at this table. @param {Part} part */
  async open(part) {
    if (this.opened?.handNo !== part.hand) beginTally();
    const opened = await checkOpen(part, this.table, this.keyAt);
    const pin = `hand ${this.table}`;
    const leaf = hex(opened.log.leaf);
    const last = this.vault.find(pin);
    const isFresh = !last || opened.handNo > last[0] || (opened.handNo === last[0] && leaf === last[1]);
    demand(isFresh, 2, `hand ${opened.handNo} is opened again, or out of order`);
    if (!last || last[1] !== leaf) this.vault.keep(pin, [opened.handNo, leaf]);
    if (this.opened?.handNo !== opened.handNo) {
      if (this.opened?.handNo !== opened.handNo - 1) this.carry = undefined;
      this.opened = opened;
      this.deal = null;
      this.own = null;
      this.attempt = 0;
      this.prove(opened.log);
    }
  }

  /** Note a log entry: before this seat commits again, the log must be proved to have it. @param {LogHead} head */
  prove(head) {
    this.unproved.push(head);
  }

  /** @param {Part} part */
  phaseBegan(part) {
    const attempt = numberOf(part, "attempt");
    demand(attempt >= this.attempt, 2, `attempt ${attempt} comes after ${this.attempt}`);
    if (attempt !== this.attempt) {
      this.attempt = attempt;
      this.deal = null;
      this.own = null;
    }
    this.phase = textOf(part, "phase");
    this.waiting = [...part.waiting];
    this.deadlineMs = numberOf(part, "deadline");
    if (this.phase === "commit") {
      this.turnSeats = [];
      this.asked.add(`${numberOf(part, "hand")} ${attempt}`);
    }
  }

  /** Follow `turn`; what was given before it must be here. @param {Part} part */
  turnBegan(part) {
    this.deal?.nothingOwed();
    this.phase = "play";
    this.waiting = [];
    this.turn = numberOf(part, "turn");
    this.deadlineMs = numberOf(part, "deadline");
    this.turnSeats = [...part.seats];
  }

  /** Check a receipt for what this client sent. @param {Part} part */
  async receipt(part) {
    if (!this.opened || !this.own) return;
    const kind = await this.part.receipt(part, this.opened, this.own);
    if (this.deal) this.deal.receipts.add(kind);
    else if (kind === 0) this.own = { ...this.own, mustBeListed: true };
  }

  /** Check the signed list, and begin to watch its deal; one of a snapshot isn't fresh. @param {Part} part */
  async listed(part, isFresh = true) {
    const opened = found(this.opened, 2, "a list before any open");
    const { me, isPilot } = this.seating;
    const own = !isPilot || this.seating.myAbsence ? null : this.own;
    const signed = await checkList(part, opened, own, this.#expected(part, isFresh));
    if (!own && isPilot && me !== null && this.asked.has(`${opened.handNo} ${signed.attempt}`)) {
      demand(!seatIn(signed, me), 3, "this seat is listed and has not committed");
    }
    const { dealer, memo, played } = signed;
    const play = this.#program().follow({
      options: this.options, packSize: opened.cards.length, seats: signed.seats.map((one) => one.seat),
      kinds: new Map(signed.seats.map((one) => [one.seat, one.kind])), played, dealer, me, memo,
    });
    this.deal = new DealWatch(opened, signed, play, me);
    this.attempt = signed.attempt;
  }

  /** Check an event of a listed hand. @param {string} name @param {Part} part @param {Part} frame */
  async dealEvent(name, part, frame) {
    if (!this.deal && name === "deal.revealed") return;
    const deal = found(this.deal, 5, `${name} before any list`);
    if (name === "deal.revealed") await deal.revealed(part);
    else if (name === "hand.dealt") {
      await deal.dealt(part, frame);
      this.#proveLast(deal);
    } else if (name === "hand.again_called") await deal.againCalled(part);
    else if (name === "hand.reshuffled") {
      await deal.reshuffled(part, frame);
      this.phase = "play";
      this.waiting = [];
      this.#proveLast(deal);
    } else if ((part.line ?? null) !== null) await deal.line(part, frame);
    else {
      demand(!("T" in frame), 18, `${name} has a T and no line`);
      await deal.openings(part);
      if (name === "wrong_declare") deal.play.wentOut(numberOf(part, "seat"), { why: "wrong_declare", points: numberOf(part, "points") });
    }
    deal.noStrays();
  }

  /** Check an end: of the hand, or of an attempt at it. @param {Part} part */
  async ended(part) {
    const opened = found(this.opened, 16, "an end before any open");
    demand(numberOf(part, "hand") === opened.handNo, 16, "the end is of another hand");
    if (part.e === "hand.closed") {
      this.over = await checkClose(part, opened, this.deal);
      this.carry = undefined; // what was not followed brings nothing that is known
      this.deal?.nothingOwed();
      this.isInMatch = this.over.match?.isOver === false;
      if (this.deal) this.carry = await this.#program().close(this.over, this.deal);
    } else if (part.e === "hand.voided") this.over = await checkVoid(part, opened, this.deal);
    else this.over = await checkCancel(part, opened);
    this.prove(this.over.log);
    this.deal = null;
    this.own = null;
    this.phase = "waiting";
    this.waiting = [];
    this.turnSeats = [];
  }

  /** Follow `match.abandoned`: the next hand is a match's first. */
  abandoned() {
    demand(this.seating.haveAllLeft, 17, "a match is given up that somebody plays");
    this.isInMatch = false;
    this.carry = { dealer: null, memo: "" };
  }

  /** Learn from a snapshot that no match runs: one that was running has been abandoned. */
  betweenMatches() {
    if (this.isInMatch && this.carry) this.carry = { dealer: null, memo: "" };
    this.isInMatch = false;
  }

  /** Whether the open hand has closed without this client hearing of it. @param {number} handNo */
  isMissed(handNo) {
    const isHeard = this.over?.end === "closed" && this.over.handNo === handNo;
    return this.opened?.handNo === handNo && !isHeard;
  }

  /** Take up what this browser did for the attempt before it was loaded anew. @param {number} seat @param {boolean} committed */
  async recall(seat, committed) {
    if (this.own || !committed || !this.opened) return;
    const own = await this.part.find(this.opened, this.attempt, seat);
    if (!own) return;
    this.own = { ...own, mustBeListed: true };
    this.sent.add(`commit ${this.opened.handNo} ${this.attempt}`);
  }

  /** @param {DealWatch<any>} deal */
  #proveLast(deal) {
    const head = deal.heads[deal.heads.length - 1];
    if (head) this.prove(head.log);
  }

  #program() {
    return found(PROGRAMS.get(this.game), 17, "a game that this page doesn't know");
  }

  /** @param {Part} part @param {boolean} isFresh @returns {import("./listing.js").Expected} */
  #expected(part, isFresh) {
    const { carry } = this;
    const listed = part.seats.map((/** @type {Part} */ row) => Number(row.seat));
    return {
      game: this.game, rules: this.rules, options: this.options, seats: this.seating.known(isFresh),
      dealer: carry && dealerOf(carry, listed), memo: carry?.memo,
    };
  }
}
