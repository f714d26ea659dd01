// @ts-check
/** One attempt at a hand as this browser sees it, from the signed list to the last line. */
import { entropy, entropyAgain } from "../fair/fairdeal.js";
import { same } from "../fair/bytes.js";
import { SIG_BYTES, bytesOf, demand, findBytes, found, listOf, numberOf, textOf } from "./form.js";
import { Chains, callOf, checkCall, checkHead } from "./heads.js";
import { checkReveal } from "./listing.js";
import { checkOpening } from "./opening.js";
import { Transcript } from "./transcript.js";

/** @typedef {import("./form.js").Bytes} Bytes */
/** @typedef {import("./form.js").Part} Part */
/** @typedef {import("./heads.js").Call} Call */
/** @typedef {import("./rummy.js").Gift} Gift */
/** @typedef {{place: string, epoch: number, card: string}} Opened */

/** @template {import("./public.js").PublicHand} [Hand=import("./rummy.js").RummyHand] */
export class DealWatch {
  /**
   * @param {import("./opening.js").OpenHand} opened @param {import("./listing.js").SignedList} signed
   * @param {Hand} play @param {number | null} me
   */
  constructor(opened, signed, play, me) {
    this.opened = opened;
    this.signed = signed;
    this.play = play;
    this.me = me;
    /** @type {Map<number, Bytes>} */
    this.reveals = new Map();
    /** @type {import("./heads.js").Head[]} */
    this.heads = [];
    /** @type {number[]} */
    this.toss = [];
    /** @type {Call | null} */
    this.call = null;
    /** @type {Map<string, Opened>} by place */
    this.cards = new Map();
    /** Receipts that are here, by kind: 1 for x[0], e + 1 for the epoch's. @type {Set<number>} */
    this.receipts = new Set();
    /** @type {Transcript | null} */
    this.transcript = null;
    /** @type {Set<string>} */
    this.given = new Set();
    /** @type {Gift[]} */
    this.owed = [];
    /** @type {Chains | null} */
    this.chains = null;
    /** @type {Map<number, Bytes>} */
    this.called = new Map();
    /** @type {Map<number, Opened>} where each card number was seen last */
    this.numbers = new Map();
  }

  get isDealt() {
    return this.transcript !== null;
  }

  /** Check a relayed reveal, of the list or of a call. @param {Part} part */
  async revealed(part) {
    if (numberOf(part, "epoch") === 0) {
      const [seat, value] = await checkReveal(part, this.signed);
      const known = this.reveals.get(seat) ?? value;
      demand(same(known, value), 4, `seat ${seat} reveals twice`);
      this.reveals.set(seat, value);
      return;
    }
    const call = found(this.call, 14, "a reveal for a reshuffle that was not called");
    const chains = found(this.chains, 14, "a reveal for a reshuffle before the deal");
    const [seat, value] = [numberOf(part, "seat"), bytesOf(part, "x")];
    await chains.checkLink(seat, value, findBytes(part, "sig", SIG_BYTES), call);
    this.called.set(seat, value);
  }

  /** Check the deal: HEAD, the first T, this seat's cards. @param {Part} part @param {Part} frame bears T and its signature */
  async dealt(part, frame) {
    for (const one of this.signed.seats) {
      const fits = this.reveals.has(one.seat) === (one.status === 1);
      demand(fits, 7, `the deal lacks the reveal of seat ${one.seat}`);
    }
    const rows = this.signed.seats.map((one) => /** @type {const} */ ([one.seat, this.reveals.get(one.seat) ?? null]));
    const gathered = await entropy(this.signed.digest, rows);
    const numbers = this.opened.cards.map((_, number) => number);
    await this.#head(part, { epoch: 0, entropy: gathered, numbers });
    this.chains = new Chains(this.signed, this.reveals);
    this.toss = listOf(part, "toss");
    const head = /** @type {import("./heads.js").Head} */ (this.heads[0]);
    const transcript = await Transcript.begin(this.signed.hand, this.opened.serverPub, head.digest);
    this.transcript = transcript;
    await transcript.check(frame);
    this.owed = this.#mine(this.play.deal(this.toss));
    await this.openings(part);
  }

  /** Check every card that came with a frame. @param {Part} part */
  async openings(part) {
    const roots = this.heads.map((head) => ({ root: head.root, size: head.numbers.length }));
    for (const row of part.openings ?? []) {
      const { epoch, place, number } = await checkOpening(row, this.signed.hand, this.opened, roots);
      this.#once(epoch, place, number);
    }
    this.owed = this.owed.filter((gift) => !this.#settle(gift));
  }

  /** Check the next line: its number and its T; cards that it gives may come with events after it. @param {Part} part @param {Part} frame */
  async line(part, frame) {
    const transcript = found(this.transcript, 18, "a line before the deal");
    this.nothingOwed();
    demand(numberOf(part, "k") === transcript.k + 1, 18, "the transcript skips or repeats a step");
    const line = textOf(part, "line");
    await transcript.extend(line);
    await transcript.check(frame);
    this.owed = this.#mine(this.play.line(line));
    await this.openings(part);
  }

  /** Check a reshuffle's call: own T, own discards, closed pile exhausted. @param {Part} part @returns {Promise<Call>} */
  async againCalled(part) {
    this.nothingOwed();
    const own = await this.ownCall();
    checkCall(part, own, this.opened.serverPub);
    this.call = own;
    this.called = new Map();
    return own;
  }

  /** Derive the call that must come now. @returns {Promise<Call>} */
  async ownCall() {
    const transcript = found(this.transcript, 14, "a reshuffle before the deal");
    const numbers = this.play.call().map((card) => /** @type {number} */ (this.opened.numbers.get(card)));
    return callOf(this.signed.hand, this.heads.length, transcript.value, numbers);
  }

  /** Check the new epoch: chains, R_e, HEAD_e, T. @param {Part} part @param {Part} frame */
  async reshuffled(part, frame) {
    const call = found(this.call, 14, "a reshuffle that was not called");
    const chains = found(this.chains, 14, "a reshuffle before the deal");
    const transcript = found(this.transcript, 14, "a reshuffle before the deal");
    const rows = await chains.check(part, call);
    for (const [seat, value] of rows) {
      const hasReceipt = seat === this.me && this.receipts.has(call.epoch + 1);
      const isLeftOut = value === null && (this.called.has(seat) || hasReceipt);
      demand(!isLeftOut, 14, `seat ${seat} answered the call and was left out`);
    }
    const gathered = await entropyAgain(call.before, call.discards, rows);
    await this.#head(part, { epoch: call.epoch, entropy: gathered, numbers: call.numbers });
    chains.learn(rows, call.epoch);
    await transcript.reshuffled(/** @type {import("./heads.js").Head} */ (this.heads[call.epoch]).digest);
    await transcript.check(frame);
    this.play.reshuffled(call.epoch);
    this.call = null;
    await this.openings(part);
  }

  /** Demand the openings of all that the rules gave to this client. */
  nothingOwed() {
    const owed = this.owed.map((gift) => gift.place).join(", ");
    demand(this.owed.length === 0, 12, `cards that were due did not come: ${owed}`);
  }

  /** Demand that no card came that the rules don't give to this seat. */
  noStrays() {
    const strays = [...this.cards.keys()].filter((place) => !this.given.has(place));
    demand(strays.length === 0, 12, `cards that the rules don't give to this seat: ${strays.join(", ")}`);
  }

  /** @param {Part} part @param {{epoch: number, entropy: Uint8Array, numbers: number[]}} of */
  async #head(part, of) {
    this.heads.push(await checkHead(part, this.signed, this.opened.serverPub, of));
  }

  /** A card of the first shuffle lies at one place; later epochs only hold its discards. @param {number} epoch @param {string} place @param {number} number */
  #once(epoch, place, number) {
    const card = /** @type {string} */ (this.opened.cards[number]);
    const known = this.cards.get(place);
    demand(!known || known.card === card, 13, `${place} was opened as another card before`);
    const isShuffled = epoch === 0 || this.heads[epoch]?.numbers.includes(number) === true;
    demand(isShuffled, 13, `${card} at ${place} was not among the reshuffled cards`);
    const before = this.numbers.get(number);
    const isTwice = before !== undefined && before.place !== place && before.epoch === epoch;
    demand(!isTwice, 13, `${card} was dealt twice, at ${before?.place} and ${place}`);
    const opened = { place, epoch, card };
    this.numbers.set(number, opened);
    this.cards.set(place, opened);
  }

  /** @param {Gift[]} gifts */
  #mine(gifts) {
    return gifts.filter((gift) => gift.seat === null || gift.seat === this.me);
  }

  /** @param {Gift} gift */
  #settle(gift) {
    const opened = this.cards.get(gift.place);
    if (!opened) return false;
    this.given.add(gift.place);
    this.play.seen(gift, opened.card);
    return true;
  }
}
