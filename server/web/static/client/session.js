// @ts-check
/**
 * One table, one socket: every frame is checked in its order, what is due is answered, and nothing
 * is sent any more after the first check that fails.
 */
import { Cheated, bytesOf, textOf } from "./form.js";
import { NotNow, Proofs } from "./proofs.js";
import { ServerKeys } from "./server_keys.js";
import { TableWatch } from "./table.js";
import { Refused, Wire } from "./wire.js";

/** @typedef {import("./form.js").Part} Part */
/** @typedef {import("./wire.js").Line} Line */
/**
 * What a page wants to hear.
 * @typedef {{onChange: () => void, onFrame: (frame: Part) => void, onRefused: (code: string) => void}} Ears
 */

const AGAIN_MS = 500;
const EVIDENCE_MAX = 4000;

export class Session {
  /** @param {string} table @param {import("./vault.js").Vault} vault @param {Ears} ears @param {string} url */
  constructor(table, vault, ears, url) {
    this.table = table;
    this.vault = vault;
    this.ears = ears;
    /** @type {TableWatch | null} */
    this.watch = null;
    /** @type {Line} */
    this.line = "connecting";
    /** @type {Cheated | Error | null} what ended it */
    this.failure = null;
    /** How far the server's clock is ahead of this browser's. */
    this.aheadMs = 0;
    /** Moves that wait for their `ok`. */
    this.pendingCount = 0;
    /** @type {{way: "sent" | "received", at: number, frame: Part}[]} */
    this.evidence = [];
    this.proofs = new Proofs(vault);
    this.keys = new ServerKeys(vault, this.proofs);
    this.tail = Promise.resolve();
    this.wire = new Wire({
      url,
      onFrame: (frame) => this.#queue(() => this.#take(frame), frame),
      onWelcome: (frame) => this.#queue(() => this.#welcome(frame), frame),
      onLine: (line) => this.#line(line),
      onNotResumed: () => this.#queue(async () => {
        if (this.watch) this.watch.needsSnapshot = true;
      }),
      onSent: (frame) => this.#keep("sent", frame),
      resume: () => {
        const { watch } = this;
        return watch && watch.seq ? [{ table, seq: watch.seq, stream: watch.stream }] : [];
      },
    });
  }

  start() {
    this.wire.start();
  }

  stop() {
    this.wire.stop();
  }

  /** @returns {number} the server's time now */
  now() {
    return Date.now() + this.aheadMs;
  }

  /** Sit down; a seat from before is found again. @param {number | null} seat @returns {Promise<boolean>} */
  async sit(seat = null) {
    const d = seat === null ? {} : { seat };
    return this.#say({ t: "table.sit", table: this.table, d }, ["already_seated"]);
  }

  /** @param {"table.leave" | "table.sit_out" | "table.back"} what */
  tell(what) {
    return this.#say({ t: what, table: this.table });
  }

  /** Make a move of the game for the turn that is on. @param {Part} move @returns {Promise<boolean>} */
  play(move) {
    const hand = this.watch?.hand;
    if (!hand?.opened) return Promise.resolve(false);
    return this.#say({ t: "play", table: this.table, hand: hand.opened.handNo, turn: hand.turn, d: move });
  }

  // --- from the socket

  /** @param {() => Promise<void>} work @param {Part} [frame] */
  #queue(work, frame) {
    if (frame) this.#keep("received", frame);
    this.tail = this.tail.then(async () => {
      if (this.failure) return;
      try {
        await work();
        await this.#answer();
      } catch (error) {
        this.#fail(error instanceof Error ? error : new Error(String(error)));
      }
      this.ears.onChange();
    });
  }

  /** @param {Part} frame */
  async #welcome(frame) {
    try {
      await this.keys.welcome(bytesOf(frame, "server_key"), textOf(frame, "server_key"), textOf(frame, "log_key"));
    } catch (error) {
      if (!(error instanceof NotNow)) throw error;
      setTimeout(() => this.#queue(() => this.#welcome(frame)), AGAIN_MS);
      return;
    }
    this.watch ??= new TableWatch(this.table, (index) => this.keys.at(index), this.vault);
    if (!this.watch.seq) this.watch.needsSnapshot = true;
  }

  /** @param {Part} frame */
  async #take(frame) {
    const { watch } = this;
    if (!watch || frame.table !== this.table) return;
    if (typeof frame.now === "number") this.aheadMs = frame.now - Date.now();
    if (await watch.take(frame)) this.ears.onFrame(frame);
  }

  /** Prove what is to be proved, and send what is due. */
  async #answer() {
    const { watch } = this;
    if (!watch || this.line !== "open") return;
    if (watch.needsSnapshot) {
      this.#ask();
      return;
    }
    while (watch.hand.unproved[0]) {
      if (!(await this.proofs.prove(watch.hand.unproved[0]))) {
        setTimeout(() => this.#queue(async () => {}), AGAIN_MS);
        break;
      }
      watch.hand.unproved.shift();
    }
    for (const frame of await watch.due()) {
      this.#send(frame).catch((error) => {
        watch.hand.notTaken(frame);
        if (!["stale_hand", "not_called", "already_committed", "already_revealed", "not_out"].includes(error.code)) this.ears.onRefused(error.code);
      });
    }
  }

  /** Ask for a snapshot, and ask again while the server has none just now. */
  #ask() {
    if (this.isAsking) return;
    this.isAsking = true;
    this.wire.command({ t: "table.watch", table: this.table }).catch((error) => {
      if (error.code === "unavailable" || error.code === "busy") setTimeout(() => this.#queue(async () => {}), AGAIN_MS);
      else this.ears.onRefused(error.code);
    }).finally(() => {
      this.isAsking = false;
    });
  }

  isAsking = false;

  /** @param {Line} line */
  #line(line) {
    this.line = line;
    if (line === "open") this.#queue(async () => {});
    this.ears.onChange();
  }

  /** @param {Error} error */
  #fail(error) {
    this.failure = error;
    this.wire.stop();
  }

  // --- to the socket

  /** @param {Part} frame @param {string[]} [fine] codes that are as good as `ok` @returns {Promise<boolean>} */
  async #say(frame, fine = []) {
    this.pendingCount += 1;
    this.ears.onChange();
    try {
      await this.#send(frame);
      return true;
    } catch (error) {
      const code = error instanceof Refused ? error.code : "fault";
      if (fine.includes(code)) return true;
      this.ears.onRefused(code);
      return false;
    } finally {
      this.pendingCount -= 1;
      this.ears.onChange();
    }
  }

  /** @param {Part} frame */
  #send(frame) {
    if (this.failure) return Promise.reject(new Refused("fault", "stopped"));
    return this.wire.command(frame);
  }

  /** @param {"sent" | "received"} way @param {Part} frame */
  #keep(way, frame) {
    this.evidence.push({ way, at: Date.now(), frame });
    if (this.evidence.length > EVIDENCE_MAX) this.evidence.shift();
  }
}
