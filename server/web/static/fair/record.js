// @ts-check
/** The record of a hand, read strictly; whether it is true is for the checks to say (section 9). */
import { ascii, concat, unhex } from "./bytes.js";
import { BYTES_MAX, RefusedRecord, decode } from "./canonical.js";
import { digest } from "./encoding.js";
import { ATTEMPTS, EPOCHS_MAX } from "./fairdeal.js";
import { hexed, hexedAtMost, large, listOf, objectOf, orNull, plainOf, text, whole } from "./shape.js";
import { problem } from "./wording.js";

const FORMAT = "fairdeal/1";
const EVENTS_MAX = 4_096;
const CARDS_MAX = 1_024;
const SEATS_MAX = 16;
const PATH_MAX = 64;
const LINE_MAX = 1_024;
const AMOUNT_MAX = 2n ** 63n - 1n;

const hash = hexed(32);
const signature = hexed(64);
const name = hexed(16);
const word = text(64);
const u64 = large(0n, 2n ** 64n - 1n);
const seat = whole(0, 254);
const flag = whole(0, 1);
const attempt = whole(0, ATTEMPTS - 1);
const amount = large(-AMOUNT_MAX, AMOUNT_MAX);

const seatForm = objectOf({
  seat, kind: whole(1, 2), player: name, pub: hash, status: flag, commit: hash,
  commit_sig: orNull(signature), x: listOf(orNull(hash), EPOCHS_MAX + 1), reveal_sig: orNull(signature),
});
const headForm = objectOf({
  epoch: whole(0, EPOCHS_MAX), R: hash, n: whole(1, CARDS_MAX), root: hash, sig: signature,
  discards: orNull(listOf(whole(0, 65_535), CARDS_MAX)), call_sig: orNull(signature),
  present: listOf(flag, SEATS_MAX), again_sigs: listOf(orNull(signature), SEATS_MAX),
});
const eventForm = objectOf({ k: whole(0, EVENTS_MAX), line: orNull(text(LINE_MAX)), T: hash, sig: signature });
const voidForm = objectOf({
  attempt, reason: whole(0, 3), S: hash,
  seats: listOf(objectOf({ seat, status: flag, x: orNull(hash) }), SEATS_MAX),
});
const entryForm = objectOf({
  index: u64, entry: hexedAtMost(2_048), size: u64, root: hash, path: listOf(hash, PATH_MAX), sig: orNull(signature),
});
const recordForm = objectOf({
  format: word, game: word, rules: word, options: plainOf(64), dealer: orNull(seat), memo: text(LINE_MAX),
  server_pub: hash, table: name, hand_no: u64, attempt, packs: whole(1, 10), printed_jokers: whole(0, 10),
  spec: hash, S: hash, C_S: hash, commits: listOf(hash, Infinity),
  unused: listOf(objectOf({ attempt, S: hash }), ATTEMPTS), log_size: u64, log_root: hash,
  seats: listOf(seatForm, SEATS_MAX), L: hash, L_sig: signature, heads: listOf(headForm, EPOCHS_MAX + 1),
  events: listOf(eventForm, EVENTS_MAX), result: listOf(objectOf({ seat, points: amount, amount }), SEATS_MAX),
  result_hash: hash,
  settlement: objectOf({
    rate: amount, commission_bps: whole(0, 10_000), gross: amount, commission: amount, winner: orNull(seat),
    journal: orNull(u64),
  }),
  voids: listOf(voidForm, ATTEMPTS), log: listOf(entryForm, EPOCHS_MAX + ATTEMPTS + 3),
  checkpoint: orNull(text(4_096, true)),
});

/** @typedef {ReturnType<typeof recordForm>} HandRecord */
/** @typedef {ReturnType<typeof seatForm>} RecordSeat */
/** @typedef {ReturnType<typeof headForm>} RecordHead */
/** @typedef {ReturnType<typeof eventForm>} RecordEvent */
/** @typedef {ReturnType<typeof entryForm>} RecordEntry */
/** @typedef {{record: HandRecord, digest: Uint8Array, recordSig: Uint8Array}} SignedRecord */

const SIGNATURE = /^,"record_sig":"([0-9a-f]{128})"\}$/;
const SIGNED_BYTES = ',"record_sig":"'.length + 128 + '"}'.length;

/** RefusedRecord names the place. @param {Uint8Array} data the file @returns {Promise<SignedRecord>} */
export async function readRecord(data) {
  if (data.length > BYTES_MAX) throw new RefusedRecord("too_large", problem("more than {bytes} bytes", { bytes: BYTES_MAX }));
  const cut = Math.max(0, data.length - SIGNED_BYTES);
  const found = SIGNATURE.exec(String.fromCharCode(...data.subarray(cut)));
  if (!found) throw new RefusedRecord("no_signature", problem("the last member must be record_sig, of 64 bytes"));
  const body = concat([data.subarray(0, cut), ascii("}")]);
  const record = recordForm(decode(body), "");
  refuseUnfit(record);
  return { record, digest: await digest("record", body), recordSig: unhex(found[1]) };
}

/** @param {readonly (number | bigint)[]} found @param {number} from */
const counts = (found, from) => found.every((number, i) => number === from + i);

/** Refuse lists that don't fit each other; every check may then rely on them. @param {HandRecord} r */
function refuseUnfit(r) {
  const numbers = r.seats.map((row) => row.seat);
  const dealt = r.events.filter((event) => event.line === null);
  const [first, ...later] = r.heads;
  const epochs = r.heads.length;
  const ascends = numbers.every((number, i) => i === 0 || /** @type {number} */ (numbers[i - 1]) < number);
  const lists = r.result.map((row) => row.seat).join() === numbers.join();
  /** @type {[import("./wording.js").Problem, boolean][]} */
  const fit = [
    [problem("format must be fairdeal/1"), r.format === FORMAT],
    [problem("commits must be four"), r.commits.length === ATTEMPTS],
    [problem("seats must ascend, and be at least one"), numbers.length > 0 && ascends],
    [problem("result must list the seats"), lists && r.result.length === numbers.length],
    [problem("heads must number the epochs"), counts(r.heads.map((head) => head.epoch), 0)],
    [problem("heads[0] has no discards and no call"),
      !first || (first.discards === null && first.call_sig === null && first.again_sigs.every((sig) => sig === null))],
    [problem("later heads have discards and a call"),
      later.every((head) => head.discards !== null && head.discards.length > 0 && head.call_sig !== null)],
    [problem("heads must have a member for each seat"),
      r.heads.every((head) => head.present.length === numbers.length && head.again_sigs.length === numbers.length)],
    [problem("x must reach as far as the epochs"),
      r.seats.every((row) => row.x.length === (row.status ? epochs : 0))],
    [problem("events must count from 0"), counts(r.events.map((event) => event.k), 0)],
    [problem("events must begin with the deal"), dealt[0]?.k === 0],
    [problem("events must have a line of null for each head"), dealt.length === epochs],
    [problem("voids must be the attempts before"),
      r.voids.length === r.attempt && counts(r.voids.map((row) => row.attempt), 0)],
    [problem("unused must be the attempts after"),
      r.unused.length === ATTEMPTS - 1 - r.attempt && counts(r.unused.map((row) => row.attempt), r.attempt + 1)],
    [problem("log must hold OPEN, VOIDs, DEALs and CLOSE"), r.log.length === 2 + r.voids.length + epochs],
  ];
  for (const [said, isFit] of fit) if (!isFit) throw new RefusedRecord("shape", said);
}
