// @ts-check
/** Checks of the signed list and of what seats reveal for it (fairdeal/1 checks 3, 5, 7, 17). */
import { same } from "../fair/bytes.js";
import { listHash, optionsText, receipt, reveal, seatCommit } from "../fair/fairdeal.js";
import { readBrought } from "./brought.js";
import {
  NO_KEY, SIG_BYTES, ZERO, bytesOf, demand, findBytes, found, numberOf, partOf, partsOf, textOf,
} from "./form.js";
import { demandSigned } from "./keys.js";
import { handOf } from "./opening.js";

/** @typedef {import("./form.js").Bytes} Bytes */
/** @typedef {import("./form.js").Part} Part */
/** @typedef {import("./opening.js").OpenHand} OpenHand */
/** @typedef {import("./seating.js").Pilot} Pilot */
/** @typedef {{seat: number, kind: number, player: Bytes, pub: Bytes, status: number, commit: Bytes}} ListedSeat */
/**
 * What this client sent for an attempt; it must be listed once the server's receipt is here. A
 * commit of null is "play without my seed".
 * @typedef {{attempt: number, seat: number, pub: Uint8Array, commit: Uint8Array | null, mustBeListed: boolean}} OwnCommit
 */
/**
 * What the list must say, as this client knows it: by seat who may play it; `dealer` or `memo`
 * undefined: not seen before.
 * @typedef {{game: string, rules: string, options: Part,
 *   seats: Map<number, Pilot[]>, dealer: number | null | undefined, memo: string | undefined}} Expected
 */
/**
 * A list that holds.
 * @typedef {{attempt: number, hand: Uint8Array, serverCommit: Bytes, dealer: number | null,
 *   seats: ListedSeat[], digest: Uint8Array, memo: string, played: Map<number, number>}} SignedList
 */

const PLAYER_BYTES = 16;

/** @param {Part} part @param {OpenHand} opened @param {OwnCommit | null} own @param {Expected} expected @returns {Promise<SignedList>} */
export async function checkList(part, opened, own, expected) {
  const attempt = numberOf(part, "attempt");
  const hand = await handOf(opened, attempt);
  const serverCommit = /** @type {Bytes} */ (opened.commits[attempt]);
  const dealer = (part.dealer ?? null) === null ? null : numberOf(part, "dealer");
  const seats = partsOf(part, "seats").map(seatOf);
  const ascends = seats.every((one, i) => i === 0 || /** @type {ListedSeat} */ (seats[i - 1]).seat < one.seat);
  demand(ascends && seats.length > 0, 17, "the list's seats do not ascend");
  const [game, rules] = [textOf(part, "game"), textOf(part, "rules")];
  const options = optionsText(partOf(part, "options"));
  const [logSize, logRoot] = [numberOf(part, "log_size"), bytesOf(part, "log_root")];
  const digest = await listHash({ hand, commit: serverCommit, game, rules, options, dealer, logSize, logRoot, seats });
  demand(same(bytesOf(part, "L"), digest), 5, "L is not the hash of the list that came with it");
  demandSigned(opened.serverPub, "list", digest, bytesOf(part, "sig", SIG_BYTES), 5, "the list");
  const isOpens = logSize === opened.log.size && same(logRoot, opened.log.root);
  demand(isOpens, 2, "the list names another log than the open");
  checkOwn(seats, own);
  checkCommits(part, seats);
  checkExpected({ game, rules, options, dealer, seats }, expected);
  return { attempt, hand, serverCommit, dealer, seats, digest, ...broughtOf(part, seats, expected) };
}

/** Read what the hand is given besides: the match so far. @param {Part} part @param {readonly ListedSeat[]} seats @param {Expected} expected */
function broughtOf(part, seats, expected) {
  const brought = found(readBrought(textOf(part, "memo")), 17, "no memo that a hand is given");
  const isSame = expected.memo === undefined || expected.memo === brought.memo;
  demand(isSame, 17, "the match goes on from another standing than the last hand's");
  const areListed = [...brought.played.keys()].every((seat) => seats.some((one) => one.seat === seat));
  demand(areListed, 17, "seats have played before that are not listed");
  return brought;
}

/** @param {SignedList} signed @param {number} seat */
export const seatIn = (signed, seat) => signed.seats.find((one) => one.seat === seat) ?? null;

/** @param {Part} part @returns {ListedSeat} */
function seatOf(part) {
  const status = numberOf(part, "status");
  return {
    seat: numberOf(part, "seat"),
    kind: numberOf(part, "kind"),
    player: bytesOf(part, "player", PLAYER_BYTES),
    pub: bytesOf(part, "pub"),
    status,
    commit: status ? bytesOf(part, "commit") : ZERO,
  };
}

/** @param {readonly ListedSeat[]} seats @param {OwnCommit | null} own */
function checkOwn(seats, own) {
  if (!own) return;
  const mine = seats.find((one) => one.seat === own.seat);
  if (!mine) {
    demand(!own.mustBeListed, 3, "this seat holds a receipt and is not on the list");
    return;
  }
  const status = own.commit ? 1 : 0;
  demand(mine.status === status, 3, `this seat is listed with status ${mine.status}, not ${status}`);
  const isSent = same(mine.commit, own.commit ?? ZERO) && same(mine.pub, own.pub);
  demand(isSent, 3, "the list holds another commit or key for this seat");
}

/** @param {Part} part @param {readonly ListedSeat[]} seats */
function checkCommits(part, seats) {
  partsOf(part, "seats").forEach((row, i) => {
    const one = /** @type {ListedSeat} */ (seats[i]);
    const sig = findBytes(row, "commit_sig", SIG_BYTES);
    const signs = one.status === 1 && !same(one.pub, NO_KEY);
    demand((sig !== null) === signs, 5, `seat ${one.seat}: a signature where none may be`);
    if (sig) demandSigned(one.pub, "commit", one.commit, sig, 5, `the commit of seat ${one.seat}`);
  });
}

/** @param {{game: string, rules: string, options: string, dealer: number | null, seats: ListedSeat[]}} listed @param {Expected} expected */
function checkExpected(listed, expected) {
  const isGame = listed.game === expected.game && listed.rules === expected.rules;
  demand(isGame, 17, `the list says ${listed.game}, not what is played`);
  const isOptions = listed.options === optionsText(expected.options);
  demand(isOptions, 17, "the list's options are not those of the table");
  if (expected.dealer !== undefined) {
    const text = `the list's dealer is ${listed.dealer}, not ${expected.dealer}`;
    demand(listed.dealer === expected.dealer, 17, text);
  }
  for (const one of listed.seats) {
    const pilots = expected.seats.get(one.seat) ?? [];
    const isHere = pilots.some((pilot) => pilot.kind === one.kind && same(pilot.pseudonym, one.player));
    demand(isHere, 17, `seat ${one.seat} is listed as another than who sits there`);
  }
}

/**
 * Check the server's signed receipt for what this client sent.
 * @param {Part} part @param {OpenHand} opened @param {number} seat @param {number} kind
 * @param {Uint8Array} value @param {number} check
 */
export async function checkReceipt(part, opened, seat, kind, value, check) {
  const isMine = numberOf(part, "seat") === seat && numberOf(part, "kind") === kind;
  demand(isMine && same(bytesOf(part, "value"), value), check, "the receipt is not for what was sent");
  const hand = await handOf(opened, numberOf(part, "attempt"));
  const digest = await receipt({ hand, seat, kind, value, ms: numberOf(part, "ms") });
  demandSigned(opened.serverPub, "receipt", digest, bytesOf(part, "sig", SIG_BYTES), check, "a receipt");
}

/**
 * Check a seat's relayed reveal of x[0]: it opens the listed commit, signed over the same L.
 * @param {Part} part @param {SignedList} signed @returns {Promise<[number, Bytes]>}
 */
export async function checkReveal(part, signed) {
  const [seat, value] = [numberOf(part, "seat"), bytesOf(part, "x")];
  const one = found(seatIn(signed, seat), 7, `seat ${seat} reveals and is not listed`);
  demand(one.status === 1, 7, `seat ${seat} reveals and did not commit`);
  const commit = await seatCommit(signed.hand, signed.serverCommit, seat, one.pub, value);
  demand(same(commit, one.commit), 7, `what seat ${seat} reveals is not what it committed to`);
  const sig = findBytes(part, "sig", SIG_BYTES);
  demand((sig !== null) === !same(one.pub, NO_KEY), 5, `seat ${seat}: a reveal's signature`);
  if (sig) demandSigned(one.pub, "reveal", await reveal(signed.digest, value), sig, 5, `the reveal of seat ${seat}`);
  return [seat, value];
}
