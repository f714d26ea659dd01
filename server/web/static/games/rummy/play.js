// @ts-check
/**
 * The moves of a hand, as `server/games/rummy/play.py` has them: `start`, `draws`, `toAct`,
 * `undealt`, `applied`. A step brings the lines of the transcript that it makes.
 */
import { packOf } from "../../cards.js";
import { declare, drop, leave, nextTurn, putOut } from "./ending.js";
import { closedDrawLine, discardLine, openDrawLine } from "./notation.js";
import { packSizesOf } from "./options.js";
import { HAND_CARDS, LATER_DROP, isJoker, pointsOf } from "./scoring.js";
import { IllegalMove, closedPileOf, epochOf, insist, playerOf, wildRankIn, withPlayer } from "./state.js";

/** @typedef {import("./notation.js").Move} Move */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Step} Step */
/** @typedef {{name: "deal", order: readonly string[], draws: readonly number[]}} Deal */

export const DEALER = -1;

/**
 * Make the hand before its cards; `dealer` acts first, null leaves it to the toss (rules.md 2).
 * @param {import("./options.js").Options} options @param {readonly number[]} listed ascending
 * @param {number | null} dealer @returns {State}
 */
export function start(options, listed, dealer) {
  insist(listed.length >= 2 && listed.length <= options.seats);
  insist(listed.every((seat, i) => seat < options.seats && (i === 0 || /** @type {number} */ (listed[i - 1]) < seat)));
  insist(dealer === null || listed.includes(dealer));
  const seats = listed.map((seat) => ({
    seat, cards: [], hasDrawn: false, misses: 0, out: null, points: 0, laidDown: [], finish: null,
  }));
  return {
    options, seats, first: dealer, acting: null, drawn: null, pending: null, orders: [], nextPosition: 0,
    turned: null, openPile: [], hasDiscards: false, scored: null, ended: false,
  };
}

/** The toss's moduli. @param {State} state @returns {number[]} */
export const draws = (state) => (state.first === null ? [state.seats.length] : []);

/** @param {State} state @returns {number | null} who may move; null: the hand is over */
export function toAct(state) {
  if (state.ended) return null;
  return state.acting === null || state.pending ? DEALER : state.acting;
}

/** The cards whose order the dealer must bring, in public order. @param {State} state @returns {readonly string[]} */
export function undealt(state) {
  const { packs, jokers } = packSizesOf(state.options);
  if (!state.orders.length) return packOf(packs, jokers);
  return state.pending ? state.openPile.slice(0, -1) : [];
}

/** Play a move; IllegalMove, and nothing has changed. @param {State} state @param {number} seat @param {Move | Deal} move @returns {Step} */
export function applied(state, seat, move) {
  const step = unchecked(state, seat, move);
  insist(isWhole(step.state));
  return step;
}

/** @param {State} state @param {number} seat @param {Move | Deal} move @returns {Step} */
function unchecked(state, seat, move) {
  if (state.ended) throw new IllegalMove("hand_over", "the hand is over");
  const acting = toAct(state);
  if (acting === DEALER && seat !== DEALER) throw new IllegalMove("dealer_acts", "the cards are being shuffled");
  if (move.name === "leave") return leave(state, seat);
  if (seat !== acting) throw new IllegalMove("not_your_turn", "another seat is in turn");
  if (seat === DEALER) {
    if (move.name !== "deal") throw new IllegalMove("unknown_move", "the dealer only deals");
    insist([...move.order].sort().join() === [...undealt(state)].sort().join());
    return state.orders.length ? reshuffle(state, move.order) : deal(state, move);
  }
  return played(state, seat, move);
}

/** @param {State} state @param {number} seat @param {Move | Deal} move @returns {Step} */
function played(state, seat, move) {
  switch (move.name) {
    case "auto": return timeOut(state, seat);
    case "draw": return draw(state, seat, move.from);
    case "discard": return discardOwn(state, seat, move.card);
    case "declare": return declare(state, seat, move);
    case "drop": return drop(state, seat);
    default: throw new IllegalMove("unknown_move", "only the dealer deals");
  }
}

/** Deal one card at a time from the first seat on (rules.md 2.4). @param {State} state @param {Deal} move @returns {Step} */
function deal(state, { order, draws: tossed }) {
  const first = state.first ?? /** @type {import("./state.js").SeatState} */ (state.seats[tossed[0] ?? 0]).seat;
  const turn = state.seats.findIndex((player) => player.seat === first);
  const size = state.seats.length;
  const seats = state.seats.map((player, i) => {
    const offset = (i - turn + size) % size;
    return { ...player, cards: order.slice(0, HAND_CARDS * size).filter((_, p) => p % size === offset) };
  });
  const at = HAND_CARDS * size;
  const turned = /** @type {string} */ (order[at]);
  const openPile = order.slice(at + 1, at + 2);
  return {
    state: { ...state, seats, first, acting: first, orders: [order], turned, openPile, nextPosition: at + 2 },
    lines: [],
  };
}

/** Make the new closed pile and finish the draw that waits for it (rules.md 3.7). @param {State} state @param {readonly string[]} order @returns {Step} */
function reshuffle(state, order) {
  const seat = /** @type {number} */ (state.acting);
  const auto = state.pending?.auto ?? false;
  const orders = [...state.orders, order];
  const openPile = state.openPile.slice(-1);
  const drawn = drawClosed({ ...state, orders, nextPosition: 0, openPile, pending: null }, seat, auto);
  return auto ? autoDiscard(drawn, seat) : drawn;
}

/** @param {State} state @param {number} seat @param {"closed" | "open"} from @returns {Step} */
function draw(state, seat, from) {
  if (state.drawn) throw new IllegalMove("already_drawn", "one card a turn");
  if (from === "closed") return drawClosed(state, seat, false);
  const code = whyNotOpen(state);
  if (code) throw new IllegalMove(code, "the open pile's top can't be drawn");
  const card = /** @type {string} */ (state.openPile.at(-1));
  const cards = [...playerOf(state, seat).cards, card];
  const after = withPlayer(state, seat, { cards, hasDrawn: true });
  return {
    state: { ...after, openPile: state.openPile.slice(0, -1), drawn: { card, source: "open" } },
    lines: [openDrawLine(seat, card)],
  };
}

/** Find the refusal's code for an open draw (rules.md 3.3, 3.4). @param {State} state */
function whyNotOpen(state) {
  const top = state.openPile.at(-1);
  if (top === undefined) return "open_empty";
  const isBarred = !state.options.open_joker_pick && state.hasDiscards;
  return isBarred && isJoker(top, wildRankIn(state)) ? "open_joker" : null;
}

/** @param {State} state @param {number} seat @param {boolean} auto @returns {Step} */
function drawClosed(state, seat, auto) {
  const position = state.nextPosition;
  const card = state.orders.at(-1)?.[position];
  if (card === undefined) return callReshuffle(state, auto);
  const cards = [...playerOf(state, seat).cards, card];
  const after = withPlayer(state, seat, { cards, hasDrawn: true });
  return {
    state: { ...after, nextPosition: position + 1, drawn: { card, source: "closed" } },
    lines: [closedDrawLine(seat, auto, [epochOf(state), position])],
  };
}

/** Wait for the dealer, or end the hand if the cap is used up (rules.md 3.7, 3.8). @param {State} state @param {boolean} auto @returns {Step} */
function callReshuffle(state, auto) {
  if (epochOf(state) === state.options.reshuffle_cap) {
    return { state: { ...state, acting: null, ended: true }, lines: [] };
  }
  insist(state.openPile.length > 1);
  return { state: { ...state, pending: { auto } }, lines: [] };
}

/** @param {State} state @param {number} seat @param {string} card @returns {Step} */
function discardOwn(state, seat, card) {
  if (!state.drawn) throw new IllegalMove("must_draw_first", "draw a card first");
  if (!playerOf(state, seat).cards.includes(card)) {
    throw new IllegalMove("not_held", "that card is not in the holding");
  }
  if (!state.options.return_open_card && state.drawn.source === "open" && state.drawn.card === card) {
    throw new IllegalMove("just_drawn", "the card just taken may not go back");
  }
  return discard(state, seat, card, false);
}

/** @param {State} state @param {number} seat @param {string} card @param {boolean} auto @returns {Step} */
function discard(state, seat, card, auto) {
  const player = playerOf(state, seat);
  const cards = player.cards.filter((held) => held !== card);
  const after = withPlayer(state, seat, { cards, misses: auto ? player.misses + 1 : 0 });
  const openPile = [...state.openPile, card];
  return nextTurn({ ...after, openPile, hasDiscards: true }, [discardLine(seat, auto, card)]);
}

/** Play for a silent seat, or drop it at the limit (rules.md 8). @param {State} state @param {number} seat @returns {Step} */
function timeOut(state, seat) {
  if (playerOf(state, seat).misses + 1 >= state.options.miss_limit) {
    return putOut(state, seat, "miss", LATER_DROP);
  }
  return autoDiscard(state.drawn ? { state, lines: [] } : drawClosed(state, seat, true), seat);
}

/** Discard the card just drawn; nothing while the draw itself waits or the hand is void. @param {Step} drawn @param {number} seat @returns {Step} */
function autoDiscard(drawn, seat) {
  const state = drawn.state;
  if (!state.drawn) return drawn;
  let card = state.drawn.card;
  if (state.drawn.source === "open" && !state.options.return_open_card) {
    const wild = wildRankIn(state);
    const others = playerOf(state, seat).cards.filter((held) => held !== card);
    const isDearer = (/** @type {string} */ one, /** @type {string} */ other) =>
      pointsOf(one, wild) - pointsOf(other, wild) || (one > other ? 1 : -1);
    card = others.reduce((most, other) => (isDearer(other, most) > 0 ? other : most));
  }
  const step = discard(state, seat, card, true);
  return { ...step, lines: [...drawn.lines, ...step.lines] };
}

/** Tell whether every card of the pack is in exactly one place, by their number. @param {State} state */
function isWhole(state) {
  const { packs, jokers } = packSizesOf(state.options);
  const held = state.seats.reduce(
    (sum, player) => sum + player.cards.length + player.laidDown.length + (player.finish ? 1 : 0), 0);
  const table = closedPileOf(state).length + state.openPile.length + (state.turned === null ? 0 : 1);
  return held + table === 52 * packs + jokers;
}
