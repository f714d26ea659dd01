// @ts-check
/** Checks 12, 15, 17 and 18: the hand by its rules, from the list to the tokens. */
import { same } from "./bytes.js";
import { found } from "./evidence.js";
import { begin, eventDigest, extend, listHash, reshuffled, resultHash } from "./fairdeal.js";
import { OPTIONS_CHECK, RULES_CHECK } from "./fold.js";
import { freeOptions } from "../games/free_options.js";
import { optionsOf } from "../games/rummy/options.js";
import { problem } from "./wording.js";

/** @typedef {import("./evidence.js").Evidence} Evidence */
/** @typedef {import("./fold.js").Replay} Replay */
/** @typedef {import("./wording.js").Problem} Problem */

const RULES_VERSION = "1";
const FULL_BPS = 10_000n;

/** @param {Evidence} e whether tokens move */
const isRummy = (e) => e.record.game === "rummy";

/** The faults that a check names: all of checks 12 and 15. @param {Replay | null} replay @param {number} number @returns {Problem[]} */
export const faultsOf = (replay, number) =>
  (replay?.faults ?? []).filter(({ check }) => check === number).map(({ text }) => text);

/** Check 17; without a replay the game's rules are not known here. @param {Evidence} e @param {Replay | null} replay @returns {Promise<Problem[]>} */
export async function seatsAndGame(e, replay) {
  const { record } = e;
  const numbers = record.seats.map((row) => row.seat);
  const { dealer } = record;
  const problems = found([
    [!same(await listHash(e.listed), record.L), "L is not over these seats, game, options, dealer and log"],
    [dealer !== null && !numbers.includes(dealer), "the dealer {dealer} is no listed seat", { dealer: dealer ?? "" }],
  ]);
  problems.push(...faultsOf(replay, OPTIONS_CHECK));
  if (!replay) return problems;
  const { rules } = record;
  problems.push(...found([
    [rules !== RULES_VERSION, "the rules are version {rules}, known is {known}", { rules, known: RULES_VERSION }],
  ]));
  try {
    const seats = Number(isRummy(e) ? optionsOf(record.options).seats : freeOptions(record.game, record.options).seats);
    const last = numbers.at(-1) ?? 0;
    problems.push(...found([[last >= seats, "seat {last} is not at a table of {seats}", { last, seats }]]));
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    problems.push(problem("the game has no such options: {why}", { why }));
  }
  return problems;
}

/** Check 18; without a replay only the transcript and the result's hash are judged. @param {Evidence} e @param {Replay | null} replay @returns {Promise<Problem[]>} */
export async function movesAndResult(e, replay) {
  const faults = faultsOf(replay, RULES_CHECK);
  const { record } = e;
  const rows = record.result.map(({ seat, points, amount }) => /** @type {const} */ ([seat, points, amount]));
  const isHashed = same(await resultHash(e.hand, rows), record.result_hash);
  return [
    ...(await transcriptProblems(e)),
    ...faults,
    ...found([
      [replay && !replay.isWhole && !faults.length, "the moves can't be judged, for what the other checks say"],
      [!isHashed, "result_hash is not over the result"],
    ]),
    ...(replay?.scored ? resultProblems(e, replay.scored) : []),
  ];
}

/** @param {Evidence} e @returns {Promise<Problem[]>} */
async function transcriptProblems(e) {
  const problems = [];
  const heads = e.record.heads.values();
  let before = /** @type {Uint8Array} */ (new Uint8Array());
  for (const { k, line, T, sig } of e.record.events) {
    let wanted;
    if (line !== null) wanted = await extend(before, k, line);
    else {
      const head = await e.headHash(/** @type {import("./record.js").RecordHead} */ (heads.next().value));
      wanted = k === 0 ? await begin(e.hand, head) : await reshuffled(before, k, head);
    }
    problems.push(...found([
      [!same(wanted, T), "T of event {k} does not follow from the one before", { k }],
      [!e.isServerSigned("event", await eventDigest(e.hand, k, T), sig), "event {k} is not signed by the server", { k }],
    ]));
    before = T;
  }
  return problems;
}

/** @param {Evidence} e @param {NonNullable<Replay["scored"]>} scored @returns {Problem[]} */
function resultProblems(e, { points, winner }) {
  const { settlement: told, result } = e.record;
  const options = isRummy(e) ? optionsOf(e.record.options) : { rate: 0, commission_bps: 0 };
  const [rate, bps] = [BigInt(options.rate), BigInt(options.commission_bps)];
  const owed = new Map(points.map(([seat, count]) => [seat, seat === winner ? 0n : BigInt(count) * rate]));
  const gross = [...owed.values()].reduce((sum, amount) => sum + amount, 0n);
  const commission = (gross * bps) / FULL_BPS;
  const amounts = [...owed].map(([seat, amount]) => [seat, seat === winner ? gross - commission : -amount]);
  const rows = (/** @type {readonly (readonly unknown[])[]} */ list) => list.map((row) => row.join(": ")).join(", ");
  const amountText = rows(amounts);
  const pointText = rows(points);
  const isPaid = told.gross === gross && told.commission === commission;
  return found([
    [rows(result.map((row) => [row.seat, row.points])) !== pointText,
      "the points are {{points}} by the rules", { points: pointText }],
    [told.winner !== winner, "the winner is {winner} by the rules", { winner: winner ?? "None" }],
    [told.rate !== rate || BigInt(told.commission_bps) !== bps, "rate and commission are not those of the options"],
    [!isPaid, "gross is {gross} and commission {commission} by the rules", { gross, commission }],
    [rows(result.map((row) => [row.seat, row.amount])) !== amountText,
      "the amounts are {{amounts}} by the rules", { amounts: amountText }],
  ]);
}
