// @ts-check
/** Checks 2, 9, 10 and 19: what stands in the public log. */
import { hex, same } from "./bytes.js";
import { found, hasExactPath, isProved } from "./evidence.js";
import { logClose, logDeal, logOpen, logVoid } from "./fairdeal.js";
import { leafHash } from "./merkle.js";
import { RefusedNote, readCheckpoint, unprovedCheckpoint } from "./note.js";
import { problem } from "./wording.js";

/** @typedef {import("./evidence.js").Evidence} Evidence */
/** @typedef {import("./record.js").RecordEntry} RecordEntry */
/** @typedef {import("./wording.js").Problem} Problem */
/** @typedef {Uint8Array} Bytes */

/** Check 2. @param {Evidence} e @returns {Promise<Problem[]>} */
export async function opening(e) {
  const { table, hand_no, spec, commits, attempt, C_S, log_size, log_root } = e.record;
  const { opened } = e;
  const isNamed = opened.size === log_size && same(opened.root, log_root);
  return found([
    [!same(/** @type {Bytes} */ (commits[attempt]), C_S), "C_S is not the one that was opened for this attempt"],
    [!same(opened.entry, logOpen(table, hand_no, spec, commits)),
      "the log's OPEN is not of this hand and these commitments"],
    [!e.isServerSigned("open", await leafHash(opened.entry), opened.sig), "the OPEN is not signed by the server"],
    [!isNamed, "the OPEN is not proved in the log that the list names"],
    [!(await isProved(opened)), "the OPEN is not in the log"],
  ]);
}

/** Check 9. @param {Evidence} e @returns {Promise<Problem[]>} */
export async function deals(e) {
  const problems = [];
  for (const [i, { epoch, R, n, root }] of e.record.heads.entries()) {
    const entry = /** @type {RecordEntry} */ (e.dealt[i]);
    const wanted = logDeal({ hand: e.hand, epoch, listing: e.record.L, entropy: R, size: n, root });
    problems.push(...found([
      [!same(entry.entry, wanted), "the log's DEAL of epoch {epoch} is of another HEAD", { epoch }],
      [!(await isProved(entry)), "the DEAL of epoch {epoch} is not in the log", { epoch }],
    ]));
  }
  return problems;
}

/** Check 10. @param {Evidence} e @returns {Promise<Problem[]>} */
export async function consistency(e) {
  const { record, closed } = e;
  const problems = [];
  for (const [i, { attempt, reason, S, seats }] of record.voids.entries()) {
    const entry = /** @type {RecordEntry} */ (e.voided[i]);
    const rows = seats.map(({ seat, status, x }) => /** @type {const} */ ([seat, status, x]));
    const wanted = logVoid(await e.handOf(attempt), reason, S, rows);
    problems.push(...found([
      [!same(entry.entry, wanted), "the log's VOID of attempt {attempt} is another", { attempt }],
      [!(await isProved(entry)), "the VOID of attempt {attempt} is not in the log", { attempt }],
    ]));
  }
  const last = /** @type {Bytes} */ (record.events.at(-1)?.T);
  const places = record.log.map((entry) => entry.index);
  const isInOrder = places.every((place, i) => i === 0 || /** @type {bigint} */ (places[i - 1]) < place);
  const roots = new Set(record.log.map(({ size, root }) => `${size} ${hex(root)}`));
  const sizes = new Set(record.log.map(({ size }) => size));
  problems.push(...found([
    [!same(closed.entry, logClose(e.hand, record.S, last, record.result_hash)),
      "the log's CLOSE is of another seed, transcript or result"],
    [!e.isServerSigned("close", await leafHash(closed.entry), closed.sig), "the CLOSE is not signed by the server"],
    [!(await isProved(closed)), "the CLOSE is not in the log"],
    [!isInOrder, "the entries are not in the order of what happened"],
    [roots.size !== sizes.size, "the log had two roots at one size"],
  ]));
  return [...problems, ...checkpointProblems(e)];
}

/** @param {Evidence} e @returns {Problem[]} */
function checkpointProblems({ record, closed, pinned: { logKey } }) {
  const note = record.checkpoint;
  if (note === null) {
    return found([[logKey, "there is no checkpoint that the log's key could have signed"]]);
  }
  const problems = [];
  try {
    const signed = unprovedCheckpoint(note);
    const isOther = signed.size !== closed.size || !same(signed.root, closed.root);
    problems.push(...found([[isOther, "the checkpoint is not of the log that the CLOSE is proved in"]]));
    if (logKey) readCheckpoint(note, logKey);
  } catch (refused) {
    if (!(refused instanceof RefusedNote)) throw refused;
    problems.push(problem("the checkpoint is refused"), refused.text);
  }
  return problems;
}

/** What of the log could not be checked. @param {Evidence} e @returns {Problem[]} */
export const logNotes = ({ record: { checkpoint }, pinned: { logKey } }) =>
  found([
    [checkpoint === null && !logKey, "the record has no checkpoint: nobody has signed what the log was"],
    [checkpoint !== null && !logKey,
      "the checkpoint's signature was not checked: no pinned key of the log was given"],
  ]);

/** Check 19. @param {Evidence} e @returns {Problem[]} */
export const lengths = ({ record }) => [
  ...found([[record.log_size === 0n, "log_size is 0"]]),
  ...record.log.flatMap((entry, at) => found([
    [!hasExactPath(entry), "log[{at}] has a proof that does not fit leaf {index} of {size}",
      { at, index: entry.index, size: entry.size }],
  ])),
];
