// @ts-check
/** Checks of a deal and of a reshuffle (fairdeal/1 checks 6 to 9, 14, 15). */
import { same } from "../fair/bytes.js";
import { EPOCHS_MAX, again, againCall, discardsHash, header, link, logDeal } from "../fair/fairdeal.js";
import { NO_KEY, SIG_BYTES, bytesOf, demand, findBytes, found, listOf, numberOf, partsOf } from "./form.js";
import { demandSigned } from "./keys.js";
import { seatIn } from "./listing.js";
import { checkLogged } from "./opening.js";

/** @typedef {import("./form.js").Bytes} Bytes */
/** @typedef {import("./form.js").Part} Part */
/** @typedef {import("./listing.js").SignedList} SignedList */
/**
 * A shuffle that was published and holds; `numbers` are the cards before it, `entropy` is R or R_e.
 * @typedef {{epoch: number, entropy: Uint8Array, numbers: number[], root: Bytes, digest: Uint8Array,
 *   log: import("./opening.js").LogHead}} Head
 */
/** @typedef {{epoch: number, numbers: number[], before: Uint8Array, discards: Uint8Array, digest: Uint8Array}} Call */

/**
 * Check HEAD_e: over this list, this entropy and this many cards; signed and logged.
 * @param {Part} part @param {SignedList} signed @param {Bytes} serverPub
 * @param {{epoch: number, entropy: Uint8Array, numbers: number[]}} of @returns {Promise<Head>}
 */
export async function checkHead(part, signed, serverPub, { epoch, entropy, numbers }) {
  demand(same(bytesOf(part, "R"), entropy), 7, `R of epoch ${epoch} is not of the reveals relayed`);
  demand(numberOf(part, "n") === numbers.length, 8, `epoch ${epoch} has another number of cards`);
  const [root, size] = [bytesOf(part, "root"), numbers.length];
  const of = { hand: signed.hand, listing: signed.digest, entropy, epoch, size, root };
  const digest = await header(of);
  demand(same(bytesOf(part, "head"), digest), 6, `HEAD of epoch ${epoch} is not over this list`);
  const sig = bytesOf(part, "sig_head", SIG_BYTES);
  demandSigned(serverPub, "head", digest, sig, 6, `HEAD of epoch ${epoch}`);
  const log = await checkLogged(part, logDeal(of), 9);
  return { epoch, entropy, numbers, root, digest, log };
}

/** @param {Uint8Array} hand @param {number} epoch @param {Uint8Array} before @param {number[]} numbers @returns {Promise<Call>} */
export async function callOf(hand, epoch, before, numbers) {
  const discards = await discardsHash(hand, epoch, numbers);
  return { epoch, numbers, before, discards, digest: await againCall(hand, epoch, before, discards) };
}

/**
 * Check `hand.again_called` against the own transcript and the own list of discards.
 * @param {Part} part @param {Call} own @param {Bytes} serverPub
 */
export function checkCall(part, own, serverPub) {
  demand(numberOf(part, "epoch") === own.epoch, 14, `the call is not for epoch ${own.epoch}`);
  demand(own.epoch <= EPOCHS_MAX, 14, "a ninth reshuffle is never dealt");
  demand(same(bytesOf(part, "T"), own.before), 14, "the call is over another transcript");
  const said = listOf(part, "numbers");
  const isSame = said.length === own.numbers.length && said.every((number, i) => number === own.numbers[i]);
  demand(isSame, 15, "the call's cards are not the public discards in their order");
  demand(same(bytesOf(part, "call"), own.digest), 14, "the call's hash is not of what it says");
  demandSigned(serverPub, "call", own.digest, bytesOf(part, "sig_call", SIG_BYTES), 14, "the call");
}

/** The last known link of every seat's chain. */
export class Chains {
  /** @param {SignedList} signed @param {ReadonlyMap<number, Bytes>} first */
  constructor(signed, first) {
    this.signed = signed;
    /** @type {Map<number, {epoch: number, value: Bytes}>} */
    this.last = new Map([...first].map(([seat, value]) => [seat, { epoch: 0, value }]));
  }

  /**
   * Check who contributed to a reshuffle.
   * @param {Part} part @param {Call} call @returns {Promise<[number, Bytes | null][]>} in the list's order
   */
  async check(part, call) {
    const rows = partsOf(part, "present");
    const seats = this.signed.seats.map((one) => one.seat);
    const isListed = rows.length === seats.length && rows.every((row, i) => row.seat === seats[i]);
    demand(isListed, 14, "the reshuffle's seats are not the listed ones");
    /** @type {[number, Bytes | null][]} */
    const given = [];
    for (const row of rows) given.push([numberOf(row, "seat"), await this.#valueOf(row, call)]);
    return given;
  }

  /** Check one seat's reveal for a call. @param {number} seat @param {Bytes} value @param {Bytes | null} sig @param {Call} call */
  async checkLink(seat, value, sig, call) {
    const text = `seat ${seat} has no chain and reveals for a reshuffle`;
    const one = found(seatIn(this.signed, seat), 14, text);
    const known = found(this.last.get(seat), 14, text);
    /** @type {Uint8Array} */
    let at = value;
    for (let epoch = call.epoch; epoch > known.epoch; epoch -= 1) at = await link(at, this.signed.hand, seat, epoch);
    demand(same(at, known.value), 14, `the chain of seat ${seat} does not lead to its last link`);
    demand((sig !== null) === !same(one.pub, NO_KEY), 14, `seat ${seat}: a call's signature`);
    if (sig) demandSigned(one.pub, "again", await again(call.digest, value), sig, 14, `seat ${seat}'s reveal for the reshuffle`);
  }

  /** Keep the links of an epoch that was dealt. @param {readonly [number, Bytes | null][]} reveals @param {number} epoch */
  learn(reveals, epoch) {
    for (const [seat, value] of reveals) if (value) this.last.set(seat, { epoch, value });
  }

  /** @param {Part} row @param {Call} call */
  async #valueOf(row, call) {
    const [seat, value] = [numberOf(row, "seat"), findBytes(row, "x")];
    demand(Boolean(row.present) === (value !== null), 14, `seat ${seat}: present or not`);
    if (value) await this.checkLink(seat, value, findBytes(row, "sig", SIG_BYTES), call);
    return value;
  }
}
