// @ts-check
/**
 * Hands that are over, read from their records: they outlive the page that saw them played.
 * The verifier's checks are loaded only when a record is laid out: no first visit needs them.
 */
import { getBytes } from "../api.js";
import { readBrought } from "../client/brought.js";
import { hex } from "../fair/bytes.js";
import { HAND_CARDS, count, wildRankOf } from "../games/rummy/scoring.js";

/** @typedef {import("../client/closing.js").HandOver} HandOver */
/** @typedef {import("../client/closing.js").Row} Row */
/** @typedef {import("../client/server_keys.js").ServerKeys} ServerKeys */
/** @typedef {import("../fair/record.js").HandRecord} HandRecord */
/** @typedef {import("./model.js").Result} Result */
/** @typedef {import("./sittings.js").HandLine} HandLine */
/**
 * What a hand brought to each who played it, by pseudonym; `isFirst` if it began a match.
 * @typedef {{line: HandLine, rows: Map<string, Row>, winner: string | null, isFirst: boolean}} Played
 */

/** Read what a hand brought to each seat; a record never changes, so the browser keeps it. @param {HandLine} line @returns {Promise<Played>} */
export async function playedOf(line) {
  const { readRecord } = await import("../fair/record.js");
  const { record } = await readRecord(await getBytes(line.record));
  const names = pseudonymsOf(record);
  const rows = rowsOf(record).map((row) => /** @type {const} */ ([String(names.get(row.seat)), row]));
  const { winner } = record.settlement;
  const isFirst = !readBrought(record.memo)?.memo;
  return { line, rows: new Map(rows), winner: winner === null ? null : names.get(winner) ?? null, isFirst };
}

/**
 * Lay a hand out again from its record, every check that a record allows made here once more.
 * @param {{hand: string, record: string}} line @param {(names: Map<number, string>) => {names: Map<number, string>, seat: number | null}} whose
 * @param {ServerKeys} keys @returns {Promise<Result>}
 */
export async function laidOut(line, whose, keys) {
  const [{ failedOf, verifyRecord }, { readRecord }, data] = await Promise.all([
    import("../fair/checks.js"), import("../fair/record.js"), getBytes(line.record),
  ]);
  const { record } = await readRecord(data);
  const opened = record.log[0]?.index ?? 0n;
  const breathe = () => new Promise((/** @type {(_: unknown) => void} */ resume) => setTimeout(resume));
  const report = await verifyRecord(data, { serverKey: keys.at(Number(opened)) }, async () => void await breathe());
  const failed = failedOf(report);
  const state = report.replay?.moments.at(-1)?.state;
  const turned = state?.turned ?? null;
  const wildRank = turned ? wildRankOf(turned) : null;
  /** @type {HandOver} */
  const over = {
    end: "closed", handNo: Number(record.hand_no), handId: line.hand, log: /** @type {any} */ (null), rows: rowsOf(record),
    winner: record.settlement.winner, commission: record.settlement.commission.toString(), record: line.record, packs: [], match: null,
    hands: (state?.seats ?? []).map(({ seat, cards, laidDown, out }) => ({ seat, ...count((out ? laidDown : cards).slice(0, HAND_CARDS), wildRank), out })),
  };
  Object.assign(over, report.replay?.end);
  return { over, ...whose(pseudonymsOf(record)), turned, isAgain: true, failed };
}

/** @param {HandRecord} record @returns {Row[]} */
const rowsOf = (record) => record.result.map(({ seat, points, amount }) => ({ seat, points: Number(points), amount }));

/** @param {HandRecord} record @returns {Map<number, string>} who sat where, under the table's own names for them */
const pseudonymsOf = (record) => new Map(record.seats.map((row) => [row.seat, hex(row.player)]));
