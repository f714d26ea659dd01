// @ts-check
/** The client's own transcript: every T is computed again, and must bear the server's signature. */
import { same } from "../fair/bytes.js";
import { begin, eventDigest, extend, reshuffled } from "../fair/fairdeal.js";
import { SIG_BYTES, bytesOf, demand } from "./form.js";
import { demandSigned } from "./keys.js";

/** @typedef {import("./form.js").Bytes} Bytes */

/** A line is a move as the rules have it, so a transcript that differs fails check 18. */
const RULES = 18;

export class Transcript {
  /** @param {Uint8Array} hand @param {Bytes} serverPub @param {Uint8Array} value T_0 */
  constructor(hand, serverPub, value) {
    this.hand = hand;
    this.serverPub = serverPub;
    this.value = value;
    this.k = 0;
    /** The lines; null where a pack was dealt. @type {(string | null)[]} */
    this.lines = [null];
  }

  /** @param {Uint8Array} hand @param {Bytes} serverPub @param {Uint8Array} head */
  static async begin(hand, serverPub, head) {
    return new Transcript(hand, serverPub, await begin(hand, head));
  }

  /** Check a frame's T against the own one, and its signature. @param {import("./form.js").Part} frame */
  async check(frame) {
    demand(same(bytesOf(frame, "T"), this.value), RULES, `T of step ${this.k} is not the transcript's value`);
    const digest = await eventDigest(this.hand, this.k, this.value);
    demandSigned(this.serverPub, "event", digest, bytesOf(frame, "sig", SIG_BYTES), RULES, `step ${this.k} of the transcript`);
  }

  /** @param {string} line */
  async extend(line) {
    demand(/^[\x20-\x7e]+$/.test(line), RULES, "a line of the transcript is not ASCII");
    this.k += 1;
    this.value = await extend(this.value, this.k, line);
    this.lines.push(line);
  }

  /** @param {Uint8Array} head HEAD_e */
  async reshuffled(head) {
    this.k += 1;
    this.value = await reshuffled(this.value, this.k, head);
    this.lines.push(null);
  }
}
