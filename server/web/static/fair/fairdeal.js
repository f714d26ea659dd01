// @ts-check
/**
 * fairdeal/1: everything that is derived, from the open to the result. The table and the verifier
 * use this one file; hashing comes from outside, so that it runs where `crypto.subtle` is missing.
 */
import { ascii, concat, hash32, u16, u32, u64, u8 } from "./bytes.js";
import { digest, enc, mac } from "./encoding.js";
import { cardLeaf, levelsOf } from "./merkle.js";

export const ATTEMPTS = 4;
export const EPOCHS_MAX = 8;
const ZERO = new Uint8Array(32);
const NO_DEALER = 255;

/** @typedef {Uint8Array} Bytes */
/** @typedef {readonly [seat: number, value: Bytes | null]} Revealed */
/**
 * @typedef {object} ListedSeat
 * @property {number} seat
 * @property {number} kind 1 human, 2 bot
 * @property {Bytes} player 16 bytes
 * @property {Bytes} pub 32 bytes, zeros for none
 * @property {number} status 1 committed, 0 absent by choice
 * @property {Bytes} commit c_i, zeros for status 0
 */

// --- open

/** @param {number} packs @param {number} jokers */
export const deckSpec = (packs, jokers) =>
  digest("deck-spec", u8(packs), u8(jokers), u16(52 * packs + jokers));

/**
 * Name an attempt at a hand.
 * @param {{serverPub: Bytes, table: Bytes, handNo: number | bigint, attempt: number, spec: Bytes}} of
 */
export function handHash({ serverPub, table, handNo, attempt, spec }) {
  if (table.length !== 16 || !(attempt >= 0 && attempt < ATTEMPTS)) {
    throw new RangeError("a table is 16 bytes and an attempt 0..3");
  }
  return digest("hand", hash32(serverPub), table, u64(handNo), u8(attempt), hash32(spec));
}

/** @param {Bytes} hand @param {Bytes} seed */
export const serverCommit = (hand, seed) => digest("server-commit", hash32(hand), hash32(seed));

// --- a seat's chain and commitment

/** x[e - 1] from x[e]. @param {Bytes} value @param {Bytes} hand @param {number} seat @param {number} epoch */
export const link = (value, hand, seat, epoch) =>
  digest("seat-chain", hash32(hand), u8(seat), u8(epoch), hash32(value));

/** x[0] to x[8] from z. @param {Bytes} last @param {Bytes} hand @param {number} seat */
export async function chain(last, hand, seat) {
  const values = [hash32(last)];
  for (let epoch = EPOCHS_MAX; epoch > 0; epoch -= 1) {
    values.unshift(await link(/** @type {Bytes} */ (values[0]), hand, seat, epoch));
  }
  return values;
}

/** c_i. @param {Bytes} hand @param {Bytes} commit C_S @param {number} seat @param {Bytes} pub @param {Bytes} first x[0] */
export const seatCommit = (hand, commit, seat, pub, first) =>
  digest("seat-commit", hash32(hand), hash32(commit), u8(seat), hash32(pub), hash32(first));

/** @param {{hand: Bytes, seat: number, kind: number, value: Bytes, ms: number}} of */
export const receipt = ({ hand, seat, kind, value, ms }) =>
  digest("receipt", hash32(hand), u8(seat), u8(kind), hash32(value), u64(ms));

/** z from a phrase. @param {string} phrase @param {Bytes} fresh 32 random bytes */
export const phraseSeed = (phrase, fresh) =>
  digest("phrase", new TextEncoder().encode(phrase.normalize("NFC")), hash32(fresh));

// --- list

/** @param {Readonly<Record<string, unknown>>} options @returns {string} `key=value` lines */
export function optionsText(options) {
  const lines = Object.entries(options).map(([key, value]) => `${key}=${value}\n`);
  if (lines.some((line) => line.indexOf("\n") !== line.length - 1)) {
    throw new TypeError("an option can't be written on one line");
  }
  return lines.sort((a, b) => (a < b ? -1 : 1)).join("");
}

/** @param {{game: string, rules: string, options: string, dealer: number | null}} of */
export const gameHash = ({ game, rules, options, dealer }) =>
  digest("game", ascii(game), ascii(rules), ascii(options), u8(dealer ?? NO_DEALER));

/** @param {Bytes} hand @param {Bytes} commit @param {readonly ListedSeat[]} seats */
export function seatsHash(hand, commit, seats) {
  seats.forEach((one, i) => {
    const before = seats[i - 1];
    if ((before && before.seat >= one.seat) || one.player.length !== 16) {
      throw new RangeError("seats must ascend, and a pseudonym is 16 bytes");
    }
  });
  const fields = seats.map((one) => concat([u8(one.seat), u8(one.kind), one.player, hash32(one.pub)]));
  return digest("seats", hash32(hand), hash32(commit), ...fields);
}

/**
 * L, over the whole list.
 * @param {{hand: Bytes, commit: Bytes, game: string, rules: string, options: string,
 *   dealer: number | null, logSize: number | bigint, logRoot: Bytes, seats: readonly ListedSeat[]}} list
 */
export async function listHash(list) {
  const seats = await seatsHash(list.hand, list.commit, list.seats);
  const game = await gameHash(list);
  const fields = list.seats.map((one) => concat([u8(one.seat), u8(one.status), hash32(one.commit)]));
  return digest("commit-list", seats, game, u64(list.logSize), hash32(list.logRoot), ...fields);
}

/** @param {Bytes} listing @param {Bytes} value */
export const reveal = (listing, value) => digest("reveal", hash32(listing), hash32(value));

// --- derive

/** @param {Revealed} row */
const revealed = ([seat, value]) =>
  value === null ? concat([u8(seat), u8(0), ZERO]) : concat([u8(seat), u8(1), hash32(value)]);

/** R. @param {Bytes} listing @param {readonly Revealed[]} reveals */
export const entropy = (listing, reveals) =>
  digest("entropy", hash32(listing), ...reveals.map(revealed));

/** R_e. @param {Bytes} before T_k @param {Bytes} discards @param {readonly Revealed[]} reveals */
export const entropyAgain = (before, discards, reveals) =>
  digest("entropy-again", hash32(before), hash32(discards), ...reveals.map(revealed));

/** @param {Bytes} seed @param {Bytes} hand @param {number} epoch @param {Bytes} mixed R or R_e */
export const prkOf = (seed, hand, epoch, mixed) => mac(seed, "prk", hash32(hand), u8(epoch), hash32(mixed));

/** Numbers without bias from a keyed stream of 16-bit words. */
export class Stream {
  /** @param {Bytes} key */
  constructor(key) {
    this.blocks = 0;
    this.rejected = 0;
    /** @type {number[]} */
    this.words = [];
    this.key = key;
  }

  /** @param {number} modulus 1 to 65536 @returns {Promise<number>} 0 to modulus - 1 */
  async below(modulus) {
    if (!(modulus >= 1 && modulus <= 65536)) throw new RangeError(`modulus ${modulus}`);
    const limit = 65536 - (65536 % modulus);
    for (;;) {
      const word = await this.next();
      if (word < limit) return word % modulus;
      this.rejected += 1;
    }
  }

  /** @returns {Promise<number>} */
  async next() {
    if (!this.words.length) {
      const block = await mac(this.key, "stream", u32(this.blocks));
      this.blocks += 1;
      for (let i = 0; i < block.length; i += 2) {
        this.words.push((/** @type {number} */ (block[i]) << 8) | /** @type {number} */ (block[i + 1]));
      }
    }
    return /** @type {number} */ (this.words.shift());
  }
}

/** @param {Bytes} prk */
export const deckStream = async (prk) => new Stream(await mac(prk, "deck-key"));

/** Fisher-Yates from the last place down. @param {readonly number[]} numbers @param {Bytes} prk */
export async function shuffled(numbers, prk) {
  const pack = [...numbers];
  const stream = await deckStream(prk);
  for (let place = pack.length - 1; place > 0; place -= 1) {
    const other = await stream.below(place + 1);
    [pack[place], pack[other]] = [/** @type {number} */ (pack[other]), /** @type {number} */ (pack[place])];
  }
  return pack;
}

/** @param {Bytes} prk @param {readonly number[]} moduli @returns {Promise<number[]>} */
export async function toss(prk, moduli) {
  const stream = new Stream(await mac(prk, "toss-key"));
  const drawn = [];
  for (const modulus of moduli) drawn.push(await stream.below(modulus));
  return drawn;
}

/** @param {Bytes} prk @param {number} count @returns {Promise<Bytes[]>} the salts of positions 0 to count - 1 */
export async function salts(prk, count) {
  const key = await mac(prk, "salt-key");
  return Promise.all(Array.from({ length: count }, (_, position) => mac(key, "salt", u16(position))));
}

/** HEAD_e. @param {{hand: Bytes, listing: Bytes, entropy: Bytes, epoch: number, size: number, root: Bytes}} of */
export const header = (of) =>
  digest(
    "header", hash32(of.hand), hash32(of.listing), hash32(of.entropy), u8(of.epoch), u16(of.size),
    hash32(of.root),
  );

/**
 * The cards of an epoch in their order, with all that proves them.
 * @param {{seed: Bytes, hand: Bytes, listing: Bytes, entropy: Bytes, epoch: number,
 *   numbers: readonly number[]}} of
 */
export async function deal({ seed, hand, listing, entropy: mixed, epoch, numbers }) {
  const prk = await prkOf(seed, hand, epoch, mixed);
  const order = await shuffled(numbers, prk);
  const hiding = await salts(prk, order.length);
  const leaves = await Promise.all(
    order.map((number, position) =>
      cardLeaf({ hand, epoch, position, number, salt: /** @type {Bytes} */ (hiding[position]) })),
  );
  const levels = await levelsOf(leaves);
  const root = /** @type {Bytes} */ (levels[levels.length - 1]?.[0]);
  const head = await header({ hand, listing, entropy: mixed, epoch, size: order.length, root });
  return { prk, order, salts: hiding, levels, root, head };
}

// --- reshuffle, transcript, close

/** dh. @param {Bytes} hand @param {number} epoch @param {readonly number[]} numbers in public order */
export const discardsHash = (hand, epoch, numbers) =>
  digest("discards", hash32(hand), u8(epoch), concat(numbers.map(u16)));

/** @param {Bytes} hand @param {number} epoch @param {Bytes} before T_k @param {Bytes} discards dh */
export const againCall = (hand, epoch, before, discards) =>
  digest("again-call", hash32(hand), u8(epoch), hash32(before), hash32(discards));

/** @param {Bytes} call @param {Bytes} value */
export const again = (call, value) => digest("again", hash32(call), hash32(value));

/** T_0. @param {Bytes} hand @param {Bytes} head */
export const begin = (hand, head) => digest("transcript", hash32(hand), hash32(head));

/** T_k of an event. @param {Bytes} before @param {number} k @param {string} line */
export const extend = (before, k, line) => digest("event", hash32(before), u32(k), ascii(line));

/** T_k of a reshuffle. @param {Bytes} before @param {number} k @param {Bytes} head */
export const reshuffled = (before, k, head) => digest("reshuffled", hash32(before), u32(k), hash32(head));

/** What the server signs with each event. @param {Bytes} hand @param {number} k @param {Bytes} value T_k */
export const eventDigest = (hand, k, value) => digest("T", hash32(hand), u32(k), hash32(value));

/** @param {Bytes} hand @param {readonly (readonly [number, number | bigint | string, string | number | bigint])[]} rows seat, points, micro-HT */
export const resultHash = (hand, rows) =>
  digest("result", hash32(hand), ...rows.map(([seat, points, amount]) => ascii(`${seat} ${points} ${amount}`)));

// --- the log's entries

/** @param {Bytes} table @param {number | bigint} handNo @param {Bytes} spec @param {readonly Bytes[]} commits */
export const logOpen = (table, handNo, spec, commits) =>
  enc("log-open", table, u64(handNo), hash32(spec), ...commits.map(hash32));

/** @param {{hand: Bytes, epoch: number, listing: Bytes, entropy: Bytes, size: number, root: Bytes}} of */
export const logDeal = (of) =>
  enc("log-deal", hash32(of.hand), u8(of.epoch), hash32(of.listing), hash32(of.entropy), u16(of.size), hash32(of.root));

/** @param {Bytes} hand @param {number} reason @param {Bytes} seed @param {readonly (readonly [number, number, Bytes | null])[]} seats */
export const logVoid = (hand, reason, seed, seats) =>
  enc(
    "log-void", hash32(hand), u8(reason), hash32(seed),
    ...seats.map(([seat, status, value]) =>
      concat([u8(seat), u8(status), u8(value === null ? 0 : 1), value === null ? ZERO : hash32(value)])),
  );

/** @param {Bytes} hand @param {Bytes} seed @param {Bytes} last T @param {Bytes} result */
export const logClose = (hand, seed, last, result) =>
  enc("log-close", hash32(hand), hash32(seed), hash32(last), hash32(result));

/** @param {Bytes} table @param {number | bigint} handNo @param {number} reason */
export const logCancel = (table, handNo, reason) => enc("log-cancel", table, u64(handNo), u8(reason));
