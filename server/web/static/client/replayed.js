// @ts-check
/**
 * The close of a free game's hand: its lines are followed once more from every seat, each with the
 * cards that the published pack gave it, so that every move is judged by the holding it came from.
 */
import { demand, found } from "./form.js";
import { RULES } from "./public.js";

/** @typedef {import("./public.js").Begun} Begun */
/** @typedef {import("./closing.js").HandOver} HandOver */
/** @typedef {import("./games.js").Carry} Carry */
/**
 * How a hand ended by the rules: points by seat, the winner that the result names, what the match
 * carries on, its winners once it is over, and what is shown of the end.
 * @typedef {{points: number[], winner: number | null, carry: Carry, champions: number[], shown: unknown}} Ending
 */

/**
 * @template {import("./public.js").FreeHand & import("./public.js").PublicHand} Hand
 * @param {HandOver} over @param {import("./deal.js").DealWatch<Hand>} deal
 * @param {(begun: Begun) => Hand} follow @param {(hands: Hand[]) => Ending | null} end
 * @returns {Carry} what the next hand gets
 */
export function checkFree(over, deal, follow, end) {
  const [pack] = over.packs;
  const cards = found(pack, RULES, "a hand without a pack");
  const { begun } = deal.play;
  const lines = (deal.transcript?.lines ?? []).filter((line) => line !== null);
  const { hands, ending } = followedOut(begun, cards, deal.toss, lines, follow, end);
  demand(over.winner === ending.winner, RULES, "the result names another winner");
  demand(over.rows.length === begun.seats.length, RULES, "the result has other seats than the hand");
  for (const row of over.rows) {
    const due = ending.points[row.seat];
    demand(row.points === due, RULES, `seat ${row.seat} has ${due} points by the rules, not ${row.points}`);
    demand(row.amount === 0n, RULES, "tokens move at a free table");
  }
  checkMatch(over, ending.champions);
  over.hands = hands.map((hand, seat) => ({ seat, groups: [], loose: [...hand.holding], out: null }));
  over.ending = ending;
  return ending.carry;
}

/**
 * Follow a hand from every seat to its end.
 * @template {import("./public.js").FreeHand & import("./public.js").PublicHand} Hand
 * @param {Begun} begun @param {readonly string[]} pack @param {number[]} toss @param {readonly string[]} lines
 * @param {(begun: Begun) => Hand} follow @param {(hands: Hand[]) => Ending | null} end
 * @returns {{hands: Hand[], ending: Ending}}
 */
export function followedOut(begun, pack, toss, lines, follow, end) {
  const hands = begun.seats.map((me) => followed(follow({ ...begun, me }), pack, toss, lines));
  return { hands, ending: found(end(hands), RULES, "the hand closed before it was over") };
}

/** Check what the close says of the match: over when the rules say so, won by whom they say. @param {HandOver} over @param {readonly number[]} champions none while it goes on */
export function checkMatch(over, champions) {
  const { isOver, winners } = found(over.match, RULES, "a hand that closed without its match");
  const isSame = isOver === champions.length > 0 && winners.join() === champions.join();
  demand(isSame, RULES, "the match is not over, or is won by others");
}

/**
 * @template {import("./public.js").FreeHand & import("./public.js").PublicHand} Hand
 * @param {Hand} hand @param {readonly string[]} pack @param {number[]} toss @param {readonly string[]} lines @returns {Hand}
 */
function followed(hand, pack, toss, lines) {
  const give = (/** @type {import("./rummy.js").Gift[]} */ gifts) => {
    for (const gift of gifts) {
      if (gift.seat !== null && gift.seat !== hand.me) continue;
      hand.seen(gift, /** @type {string} */ (pack[Number(gift.place.split(".")[1])]));
    }
  };
  give(hand.deal(toss));
  for (const line of lines) give(hand.line(line));
  return hand;
}
