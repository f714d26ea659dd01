// @ts-check
/**
 * One table as this browser sees it: every frame checked, and what it must answer. No socket here:
 * frames go in by `take`, the commands that are due come out of `due`.
 */
import { bytesOf, demand, found, numberOf, partOf, partsOf, textOf } from "./form.js";
import { PROGRAMS } from "./games.js";
import { HandWatch } from "./hand.js";
import { OwnPart } from "./part.js";
import { Seating } from "./seating.js";

/** @typedef {import("./form.js").Part} Part */

const SEATS = new Set([
  "seat.taken", "seat.left", "seat.away", "seat.back", "seat.sits_out", "seat.substituted", "seat.returned",
]);
const ENDS = new Set(["hand.closed", "hand.voided", "hand.cancelled"]);
/** Reasons for sitting out, or for being replaced, that end when the client says that it is there. */
const COMES_BACK = new Set(["no_commit", "no_reveal", "absent"]);

export class TableWatch {
  /** @param {string} table @param {import("./opening.js").KeyAt} keyAt @param {import("./vault.js").Vault} vault */
  constructor(table, keyAt, vault) {
    this.table = table;
    this.seq = 0;
    this.stream = 0;
    this.needsSnapshot = true;
    this.isClosed = false;
    this.name = "";
    this.isPractice = false;
    /** @type {string | null} */
    this.closing = null;
    this.seating = new Seating();
    this.hand = new HandWatch(table, keyAt, vault, this.seating, new OwnPart(vault));
    this.cameBackAt = "";
    /** The table's last hand that closed, as a snapshot names it. @type {{handNo: number, hand: string, record: string} | null} */
    this.last = null;
  }

  /** Take an event or a snapshot of this table; a gap makes it wait for a snapshot. @param {Part} frame @returns {Promise<boolean>} whether it was new */
  async take(frame) {
    const [seq, stream] = [numberOf(frame, "seq"), numberOf(frame, "stream")];
    if (frame.t === "snapshot") {
      this.seq = seq;
      this.stream = stream;
      await this.#snapshot(partOf(frame, "d"));
      this.needsSnapshot = false;
      return true;
    }
    if (this.needsSnapshot || (stream === this.stream && seq <= this.seq)) return false;
    if (stream !== this.stream || seq !== this.seq + 1) {
      this.needsSnapshot = true;
      return false;
    }
    this.seq = seq;
    if ((frame.d ?? null) !== null) await this.#event(partOf(frame, "d"), frame);
    else demand(!("T" in frame), 18, "a step of the transcript is hidden from this seat");
    return true;
  }

  /** List the commands that are due now, each once; a move is the player's to choose. @returns {Promise<Part[]>} */
  async due() {
    const { me } = this.seating;
    if (me === null || this.needsSnapshot) return [];
    /** @type {Part[]} */
    const frames = [];
    // Who has asked to sit out is replaced as one who is absent, and yet stays out.
    const why = [this.seating.myAbsence, this.seating.replaced].filter((one) => one !== null);
    const at = `${this.hand.opened?.handNo ?? 0} ${this.hand.attempt}`;
    if (why.length && why.every((one) => COMES_BACK.has(one)) && this.cameBackAt !== at) {
      this.cameBackAt = at;
      frames.push({ t: "table.back", table: this.table });
    }
    if (!this.seating.isPilot) return frames;
    const owed = await this.hand.due(me);
    if (owed) frames.push({ ...owed, table: this.table });
    return frames;
  }

  /** @param {Part} part @param {Part} frame */
  async #event(part, frame) {
    const name = textOf(part, "e");
    if (SEATS.has(name)) this.seating.take(part);
    else if (ENDS.has(name)) await this.hand.ended(part);
    else if (name === "table.closed") this.isClosed = true;
    else if (name === "table.closing") this.closing = part.drain ? "drain" : "now";
    else if (name === "hand.opened") await this.hand.open(part);
    else if (name === "deal.phase") this.hand.phaseBegan(part);
    else if (name === "deal.receipt") await this.hand.receipt(part);
    else if (name === "hand.listed") await this.hand.listed(part);
    else if (name === "turn") this.hand.turnBegan(part);
    else if (name === "time.given_back") {
      if (part.deadline) this.hand.deadlineMs = numberOf(part, "deadline");
    } else if (name === "match.abandoned") this.hand.abandoned();
    else if (name !== "table.moved") {
      if (name === "seat.gone") this.seating.take(part);
      await this.hand.dealEvent(name, part, frame);
    }
  }

  /** @param {Part} part */
  async #snapshot(part) {
    const { hand } = this;
    this.#table(partOf(part, "table"));
    this.seating.reset(part);
    const last = part.last ?? null;
    if (last) this.last = { handNo: numberOf(last, "hand"), hand: textOf(last, "hand_id"), record: textOf(last, "record") };
    if (last && hand.isMissed(numberOf(last, "hand"))) {
      hand.deal = null; // lines are missing: its seeds can be checked, its record tells all
      hand.carry = undefined;
      await hand.ended({ e: "hand.closed", ...last });
    }
    if (part.open) await hand.open(partOf(part, "open"));
    if ((part.match ?? null) === null) hand.betweenMatches();
    if (part.hand) await this.#hand(partOf(part, "hand"), part.commit ?? {});
    else hand.deal = null;
    hand.phase = textOf(part, "phase");
    hand.deadlineMs = part.deadline ?? 0;
    const isPlay = hand.phase === "play";
    hand.turnSeats = isPlay ? [...part.waiting] : [];
    hand.waiting = isPlay ? [] : [...part.waiting];
    if ((part.attempt ?? null) !== null) hand.attempt = numberOf(part, "attempt");
  }

  /** @param {Part} table */
  #table(table) {
    const { hand } = this;
    const options = partOf(table, "options");
    const game = textOf(table, "game");
    demand(PROGRAMS.has(game), 17, "a game that this page doesn't know");
    if (hand.rules) {
      const isSame = game === hand.game && JSON.stringify(options) === JSON.stringify(hand.options);
      demand(isSame && table.rules === hand.rules, 17, "the table's rules or options have changed");
    }
    hand.game = game;
    hand.rules = textOf(table, "rules");
    hand.options = options;
    this.name = textOf(table, "name");
    this.closing = table.closing ?? null;
    this.isPractice = Boolean(table.practice);
  }

  /** @param {Part} dealt @param {Part} commit what the server says that this seat has given already */
  async #hand(dealt, commit) {
    const { hand } = this;
    hand.attempt = numberOf(dealt, "attempt");
    if (this.seating.me !== null) await hand.recall(this.seating.me, Boolean(commit.committed));
    if (!dealt.listed) return;
    const listed = partOf(dealt, "listed");
    const known = hand.deal ? hand.deal.signed.digest : null;
    if (!known || hexOf(known) !== listed.L || !dealt.heads) await hand.listed(listed, false);
    await follow(found(hand.deal, 5, "a hand without a list"), dealt);
    for (const head of found(hand.deal, 5, "a hand without a list").heads) hand.prove(head.log);
    hand.turn = dealt.turn ?? 0;
    for (const seat of dealt.view?.seats ?? []) {
      if (seat.out) hand.deal?.play.wentOut(seat.seat, { why: seat.out, points: seat.points });
    }
  }
}

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Bring `deal`, fresh or known in part, to where a snapshot's `hand` stands: the same checks, over
 * the same parts, in the same order.
 * @param {import("./deal.js").DealWatch<any>} deal @param {Part} hand
 */
async function follow(deal, hand) {
  const reveals = partsOf(hand, "revealed");
  for (const row of reveals) if (row.epoch === 0) await deal.revealed(row);
  if (!hand.heads) return;
  const [heads, openings] = [partsOf(hand, "heads"), partsOf(hand, "openings")];
  await deal.openings({ openings: openings.filter((row) => row.epoch < deal.heads.length) });
  for (const row of partsOf(hand, "lines")) {
    if (deal.transcript && numberOf(row, "k") <= deal.transcript.k) continue;
    if ((row.line ?? null) !== null) await deal.line(row, row);
    else await takeHead(deal, heads, openings, row);
  }
  const transcript = found(deal.transcript, 18, "a snapshot of a dealt hand lacks the deal");
  const isSame = hexOf(bytesOf(hand, "T")) === hexOf(transcript.value);
  demand(isSame, 18, "the snapshot's T is not of its lines");
  if (hand.call) {
    const call = await deal.againCalled(partOf(hand, "call"));
    for (const row of reveals) if (row.epoch === call.epoch) await deal.revealed(row);
  }
  deal.nothingOwed();
  deal.noStrays();
}

/** @param {import("./deal.js").DealWatch<any>} deal @param {Part[]} heads @param {Part[]} openings @param {Part} row */
async function takeHead(deal, heads, openings, row) {
  const epoch = deal.heads.length;
  const head = found(heads[epoch], 6, `the snapshot lacks the HEAD of epoch ${epoch}`);
  const part = { ...head, openings: openings.filter((one) => one.epoch === epoch) };
  if (epoch === 0) await deal.dealt(part, row);
  else {
    deal.call = await deal.ownCall();
    await deal.reshuffled(part, row);
  }
}
