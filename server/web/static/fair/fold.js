// @ts-check
/** The hand played again by its game's rules, from the shown seed and the recorded lines. */
import { packOf } from "../cards.js";
import { readLine } from "../games/rummy/notation.js";
import { optionsOf } from "../games/rummy/options.js";
import { DEALER, applied, draws, start, toAct, undealt } from "../games/rummy/play.js";
import { IllegalMove } from "../games/rummy/state.js";
import { toss } from "./fairdeal.js";
import { problem } from "./wording.js";

/** @typedef {import("../games/rummy/state.js").State} State */
/** @typedef {import("../games/rummy/state.js").Step} Step */
/** @typedef {import("./record.js").RecordEvent} RecordEvent */
/** @typedef {import("./wording.js").Problem} Problem */
/** @typedef {{first: number, last: number, epoch: number | null, state: State}} Moment the events of one move, from k to before k */
/**
 * A hand as far as it could be played again.
 * @typedef {object} Replay
 * @property {Moment[]} moments
 * @property {boolean} isWhole
 * @property {{check: number, text: Problem}[]} faults
 * @property {{points: readonly (readonly [number, number])[], winner: number | null} | null} scored
 * @property {{ending: import("../client/replayed.js").Ending, hands: import("../client/closing.js").Shown[]}} [end] of a free game
 */

export const POSITIONS_CHECK = 12;
export const DISCARDS_CHECK = 15;
export const OPTIONS_CHECK = 17;
export const RULES_CHECK = 18;

/** The record and the rules part here; nothing after it can be judged. */
class Deviation extends Error {
  /** @param {number} check @param {string} template @param {Readonly<Record<string, string | number>>} [parts] */
  constructor(check, template, parts) {
    super(template);
    this.check = check;
    this.text = problem(template, parts);
  }
}

/** Play the hand again; whatever the record holds, the answer is a `Replay`. @param {import("./evidence.js").Evidence} e @returns {Promise<Replay>} */
export async function replayed(e) {
  const fold = new Fold(e);
  try {
    await fold.run();
    fold.found.isWhole = true;
  } catch (error) {
    if (!(error instanceof Deviation)) throw error;
    fold.found.faults.push({ check: error.check, text: error.text });
  }
  return fold.found;
}

class Fold {
  /** @param {import("./evidence.js").Evidence} e */
  constructor(e) {
    this.e = e;
    this.events = e.record.events;
    this.pack = packOf(e.record.packs, e.record.printed_jokers);
    this.epoch = 0;
    this.at = 0;
    /** @type {Replay} */
    this.found = { moments: [], isWhole: false, faults: [], scored: null };
  }

  /** Fold the events over the first state, each checked against what the rules make. */
  async run() {
    let state = this.started();
    while (this.at < this.events.length) {
      const event = /** @type {RecordEvent} */ (this.events[this.at]);
      state = event.line === null ? await this.deal(state) : this.move(state, event);
    }
    if (toAct(state) !== null) throw new Deviation(RULES_CHECK, "the events end before the hand is over");
    if (!this.found.scored) throw new Deviation(RULES_CHECK, "the hand ends without a result");
  }

  /** @returns {State} */
  started() {
    const { options, seats, dealer } = this.e.record;
    try {
      return start(optionsOf(options), seats.map((row) => row.seat), dealer);
    } catch (error) {
      const why = error instanceof Error ? error.message : "";
      throw new Deviation(OPTIONS_CHECK, "the game refuses to start: {why}", { why });
    }
  }

  /** Order the cards that the state waits for; before a reshuffle, play the move that asks. @param {State} before */
  async deal(before) {
    const [first, epoch] = [this.at, this.epoch];
    [this.at, this.epoch] = [first + 1, epoch + 1];
    const state = epoch > 0 ? this.askingMove(before, first) : before;
    const wanted = undealt(state).map((card) => this.pack.indexOf(card));
    if (wanted.includes(-1)) {
      throw new Deviation(RULES_CHECK, "epoch {epoch} asks for cards that the pack has not", { epoch });
    }
    if (epoch > 0) this.compareDiscards(epoch, wanted);
    const { order, prk } = /** @type {import("./evidence.js").Shoe} */ (this.e.shoes[epoch]);
    const sorted = (/** @type {readonly number[]} */ numbers) => [...numbers].sort((a, b) => a - b).join();
    if (sorted(order) !== sorted(wanted)) {
      throw new Deviation(RULES_CHECK, "epoch {epoch} deals other cards than the rules order", { epoch });
    }
    const cards = order.map((number) => /** @type {string} */ (this.pack[number]));
    const move = /** @type {const} */ ({ name: "deal", order: cards, draws: await toss(prk, draws(state)) });
    return this.applied(state, DEALER, move, first, epoch);
  }

  /** Play the move that found no card: its line is told after the reshuffle. @param {State} state @param {number} k */
  askingMove(state, k) {
    const event = this.events[k + 1];
    if (!event || event.line === null) throw new Deviation(RULES_CHECK, "event {k} reshuffles for nobody", { k });
    const { seat, move } = this.read(event);
    const step = this.stepped(event.line, state, seat, move);
    if (toAct(step.state) !== DEALER || step.lines.length) {
      throw new Deviation(RULES_CHECK, "event {k} reshuffles, the rules do not", { k });
    }
    return step.state;
  }

  /** @param {State} state @param {RecordEvent} event */
  move(state, event) {
    const { seat, move } = this.read(event);
    return this.applied(state, seat, move, this.at, null);
  }

  /**
   * Apply a move and match its lines with those that the record has next.
   * @param {State} state @param {number} seat @param {Parameters<typeof applied>[2]} move
   * @param {number} first @param {number | null} epoch
   */
  applied(state, seat, move, first, epoch) {
    const step = this.stepped(`event ${first}`, state, seat, move);
    for (const line of step.lines) this.match(line);
    if (this.at === first || (epoch && this.at === first + 1)) {
      throw new Deviation(RULES_CHECK, "event {k} has no line by the rules", { k: first });
    }
    this.found.moments.push({ first, last: this.at, epoch, state: step.state });
    if (step.scored) this.found.scored = step.scored;
    return step.state;
  }

  /** @param {string} line */
  match(line) {
    const k = this.at;
    const told = this.events[k]?.line ?? null;
    if (told !== line) {
      const parts = { k, told: told === null ? "None" : `'${told}'`, line };
      const deviation = new Deviation(RULES_CHECK, "event {k} is {told}, by the rules '{line}'", parts);
      const blank = (/** @type {string} */ text) => text.replace(/@\d+\.\d+/g, "@");
      if (told === null || blank(told) !== blank(line)) throw deviation;
      this.found.faults.push({ check: POSITIONS_CHECK, text: deviation.text });
    }
    this.at += 1;
  }

  /** @param {number} epoch @param {readonly number[]} wanted */
  compareDiscards(epoch, wanted) {
    const told = this.e.record.heads[epoch]?.discards ?? [];
    // a card that is listed twice is check 13's to name
    if ([...new Set(told)].join() !== [...new Set(wanted)].join()) {
      const text = problem("epoch {epoch} does not shuffle exactly the public discards, in their order", { epoch });
      this.found.faults.push({ check: DISCARDS_CHECK, text });
    }
  }

  /** @param {RecordEvent} event */
  read({ k, line }) {
    const read = readLine(line ?? "");
    if (!read) throw new Deviation(RULES_CHECK, "event {k} is no move: '{line}'", { k, line: line ?? "" });
    return read;
  }

  /** @param {string} what @param {State} state @param {number} seat @param {Parameters<typeof applied>[2]} move @returns {Step} */
  stepped(what, state, seat, move) {
    try {
      return applied(state, seat, move);
    } catch (error) {
      const why = error instanceof IllegalMove ? error.message : error instanceof Error ? error.name : "";
      const template = error instanceof IllegalMove
        ? "{what}: the rules refuse it: {why}" : "{what}: the rules can't go on: {why}";
      throw new Deviation(RULES_CHECK, template, { what, why });
    }
  }
}
