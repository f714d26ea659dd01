// @ts-check
/** Checks 1 and 3 to 6: who signed what, from the server's key to the first HEAD. */
import { hex, same } from "./bytes.js";
import { NO_KEY, found, seatSignatureProblem } from "./evidence.js";
import { ATTEMPTS, reveal, seatCommit } from "./fairdeal.js";
import { isAcceptableKey } from "./hashing.js";
import { problem } from "./wording.js";

/** @typedef {import("./evidence.js").Evidence} Evidence */
/** @typedef {import("./wording.js").Problem} Problem */

/** Check 1. @param {Evidence} e @returns {Problem[]} */
export function serverKey(e) {
  const { server_pub: key } = e.record;
  const isKey = isAcceptableKey(key);
  const isSignedOver = isKey && e.isServerSigned("record", e.signed.digest, e.signed.recordSig);
  const pinned = e.pinned.serverKey;
  return found([
    [pinned && !same(pinned, key), "the record's key is {key}, not the pinned one", { key: hex(key) }],
    [!isKey, "the record's key is no key"],
    [isKey && !isSignedOver,
      "record_sig is not over these bytes: the record was changed, or another key signed it"],
  ]);
}

/** Check 3. @param {Evidence} e @returns {Promise<Problem[]>} */
export async function commits(e) {
  const problems = [];
  for (const { seat, pub, status, commit, commit_sig, x } of e.record.seats) {
    if (!status) {
      const isThere = !same(commit, NO_KEY) || commit_sig !== null;
      problems.push(...found([[isThere, "seat {seat} is listed as absent, with a commit", { seat }]]));
      continue;
    }
    const what = seatSignatureProblem(pub, "commit", commit, commit_sig);
    const first = x[0];
    const isOther = first && !same(commit, await seatCommit(e.hand, e.record.C_S, seat, pub, first));
    problems.push(...found([
      [what, `seat {seat}'s commit has ${what}`, { seat }],
      [isOther, "seat {seat}'s commit is not to its reveal", { seat }],
    ]));
  }
  return problems;
}

/** Check 4. @param {Evidence} e @returns {Problem[]} */
export function revealsOnce(e) {
  const { attempt: played, voids, seats } = e.record;
  const committed = seats.filter((row) => row.status);
  const shown = [
    ...voids.flatMap(({ attempt, seats: rows }) => rows.map(({ seat, x }) => ({ seat, attempt, x }))),
    ...committed.map(({ seat, x }) => ({ seat, attempt: played, x: x[0] })),
  ];
  const problems = committed.filter((row) => !row.x[0]).map(({ seat }) =>
    problem("seat {seat} committed and did not reveal, and cards were dealt", { seat }));
  /** @type {Map<string, {seat: number, attempt: number}>} */
  const seen = new Map();
  for (const { seat, attempt, x } of shown) {
    if (!x) continue;
    const before = seen.get(hex(x));
    if (before) {
      const parts = { seat, attempt, other: before.seat, before: before.attempt };
      problems.push(problem(
        "seat {seat} of attempt {attempt} revealed what seat {other} of attempt {before} had revealed", parts));
    }
    seen.set(hex(x), { seat, attempt });
  }
  return problems;
}

/** Check 5. @param {Evidence} e @returns {Promise<Problem[]>} */
export async function revealsSigned(e) {
  const problems = [];
  for (const { seat, pub, status, x, reveal_sig } of e.record.seats) {
    const first = status ? x[0] : null;
    if (!first) {
      problems.push(...found([[reveal_sig, "seat {seat} signed a reveal that is not there", { seat }]]));
      continue;
    }
    const what = seatSignatureProblem(pub, "reveal", await reveal(e.record.L, first), reveal_sig);
    problems.push(...found([[what, `seat {seat}'s reveal over L has ${what}`, { seat }]]));
  }
  return problems;
}

/** Check 6. @param {Evidence} e @returns {Promise<Problem[]>} */
export async function headsSigned(e) {
  const isListed = e.isServerSigned("list", e.record.L, e.record.L_sig);
  const problems = found([[!isListed, "L is not signed by the server"]]);
  for (const head of e.record.heads) {
    const isOver = e.isServerSigned("head", await e.headHash(head), head.sig);
    const { epoch } = head;
    problems.push(...found([[!isOver, "HEAD of epoch {epoch} is not signed by the server over this L", { epoch }]]));
  }
  return problems;
}

/** What no check forbids and a reader should know. @param {Evidence} e @returns {Problem[]} */
export function listNotes({ record }) {
  const notes = found([
    [!record.seats.some((row) => row.kind === 1 && row.status), "server only: no human seat added entropy"],
    [record.voids.length, "{count} of {attempts} attempts were given up before this one",
      { count: record.voids.length, attempts: ATTEMPTS }],
  ]);
  for (const head of record.heads.slice(1)) {
    const absent = record.seats.filter((row, i) => row.status && !head.present[i]).map((row) => row.seat);
    notes.push(...found([
      [absent.length, "reshuffle {epoch} went without the entropy of seat {seats}",
        { epoch: head.epoch, seats: absent.join(", ") }],
    ]));
  }
  return notes;
}
