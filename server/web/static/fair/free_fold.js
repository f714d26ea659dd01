// @ts-check
/** A free game's hand played again from its record: each line judged from the seat that said it. */
import { packOf } from "../cards.js";
import { readBrought } from "../client/brought.js";
import { Cheated, demand, found } from "../client/form.js";
import { PROGRAMS } from "../client/games.js";
import { followedOut } from "../client/replayed.js";
import { freeOptions } from "../games/free_options.js";
import { toss } from "./fairdeal.js";
import { OPTIONS_CHECK, RULES_CHECK } from "./fold.js";
import { problem } from "./wording.js";

/** @typedef {import("./evidence.js").Evidence} Evidence */
/** @typedef {import("./fold.js").Replay} Replay */
/** @typedef {import("../client/games.js").Program} Program */
/** @typedef {import("../client/public.js").Begun} Begun */

/** Whether this page knows a game's rules as a free game's. @param {string} game */
export const isFree = (game) => PROGRAMS.get(game)?.end !== undefined;

/** Play the hand again; whatever the record holds, the answer is a `Replay`. @param {Evidence} e @returns {Promise<Replay>} */
export async function freeReplay(e) {
  /** @type {Replay} */
  const replay = { moments: [], isWhole: false, faults: [], scored: null };
  const { record, shoes: [shoe] } = e;
  const { follow, end } = /** @type {Required<Program>} */ (PROGRAMS.get(record.game));
  try {
    const begun = begunOf(e);
    const { order, prk } = /** @type {import("./evidence.js").Shoe} */ (shoe);
    demand(record.heads.length === 1, RULES_CHECK, "a reshuffle in a game without one");
    const cards = packOf(Number(record.packs), Number(record.printed_jokers));
    const drawn = await toss(prk, record.dealer === null ? follow(begun).draws : []);
    const lines = record.events.flatMap(({ line }) => (line === null ? [] : [line]));
    const pack = order.map((number) => String(cards[number]));
    const { hands, ending } = followedOut(begun, pack, drawn, lines, /** @type {any} */ (follow), end);
    replay.isWhole = true;
    replay.scored = { points: begun.seats.map((seat, i) => [seat, Number(ending.points[i])]), winner: ending.winner };
    replay.end = { ending, hands: hands.map((hand, i) => ({ seat: Number(begun.seats[i]), groups: [], loose: [...hand.holding], out: null })) };
  } catch (error) {
    replay.faults.push(faultOf(record.game, error));
  }
  return replay;
}

/** @param {Evidence} e @returns {Begun} */
function begunOf({ record, size }) {
  const options = freeOptions(record.game, record.options);
  const { memo, played } = found(readBrought(record.memo), OPTIONS_CHECK, "not what a hand is given");
  const kinds = new Map(record.seats.map((row) => [row.seat, row.kind]));
  const isListed = [...played.keys()].every((seat) => kinds.has(seat));
  demand(isListed && size === 52, OPTIONS_CHECK, "the memo names seats that are not listed, or the pack is another");
  return { options, packSize: size, seats: [...kinds.keys()], kinds, played, dealer: record.dealer, me: null, memo };
}

/** What can't be followed at all is against the rules too. @param {string} game @param {unknown} error */
function faultOf(game, error) {
  const why = error instanceof Cheated ? error.text : error instanceof Error ? error.message : "";
  const isStart = !(error instanceof Cheated) || error.check === OPTIONS_CHECK;
  return isStart ? { check: OPTIONS_CHECK, text: problem("the game refuses to start: {why}", { why }) }
    : { check: RULES_CHECK, text: problem("{what}: the rules refuse it: {why}", { what: game, why }) };
}
