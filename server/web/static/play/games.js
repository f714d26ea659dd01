// @ts-check
/**
 * How each game is drawn: the pages of a table know a game by this alone. A drawing is loaded when
 * a table of its game is opened, but for rummy's, whose tables are the house's own.
 */
import { RUMMY } from "../games/rummy/drawing.js";
import { tell } from "../state.js";
import { signal, useEffect } from "../vendor/preact.js";
import { t } from "../words.js";
import { HOUSE_WORDS } from "./hand_words.js";

/** @typedef {import("./model.js").TableModel<any>} AnyModel */
/** @typedef {import("../client/public.js").Act} Act */
/** @typedef {(of: any) => unknown} Part draws a part of the page, of `{model}` if nothing else is said */
/**
 * @typedef {object} Drawing
 * @property {Part} Middle the felt between the seats
 * @property {Part} Mine the own hand and what one can do
 * @property {Part} Standing beside the status: what the hand costs, or the match so far
 * @property {Part} Marks of `{model, seat}`: dealer, tricks and the like at a seat
 * @property {Part} [Beside] of `{model, seat}`: cards that a seat is known to hold
 * @property {(groups: string[][], play: any) => string[][]} [layOut] the own cards in groups, kept as they lie
 * @property {Part} Result of `{result, close}`: how a hand ended
 * @property {(model: AnyModel) => string} asks what one's own turn asks for
 * @property {(model: AnyModel, act: Act) => string} told an act as a sentence
 * @property {(model: AnyModel, act: Act) => string} byClock what the clock did for oneself
 * @property {(options: Record<string, any>) => string} rules the table's rules in a line
 * @property {() => string} leaveAsk what leaving in mid-hand means
 * @property {() => string} keys how it is played by the keyboard
 * @property {boolean} isClockwise which way round the seats go
 * @property {boolean} isFree whether no tokens move
 * @property {import("./hand_words.js").HandWords} words what a hand is called
 * @property {string} kind a class of the table's page
 */

/** @type {ReadonlyMap<string, () => Promise<Drawing>>} */
const DRAWINGS = new Map([
  ["seep", async () => (await import("../games/seep/drawing.js")).SEEP],
  ["court_piece", async () => (await import("../games/court_piece/drawing.js")).COURT_PIECE],
  ["batak", async () => (await import("../games/batak/drawing.js")).BATAK],
  ["badam_satti", async () => (await import("../games/sevens/drawing.js")).SEVENS],
  ["sevens", async () => (await import("../games/sevens/drawing.js")).SEVENS],
]);

/** Games that are played in matches of several hands. */
export const FREE_GAMES = [...DRAWINGS.keys()];

/** Those that are here: who draws by one is drawn anew when it comes. */
const loaded = signal(/** @type {ReadonlyMap<string, Drawing>} */ (new Map([["rummy", RUMMY]])));

const nothing = () => null;
const noText = () => "";

/** Stands in for a drawing that is still to come: no game's drawing can draw another's hand. @type {Drawing} */
const BLANK = {
  Middle: nothing, Mine: nothing, Standing: nothing, Marks: nothing, Result: nothing,
  asks: noText, told: noText, byClock: noText, rules: noText, leaveAsk: noText, keys: noText,
  isClockwise: true, isFree: true, kind: "", words: HOUSE_WORDS,
};

/** The drawing of a game, a blank one until it is here. @param {string} game @returns {Drawing} */
export const drawingOf = (game) => loaded.value.get(game) ?? BLANK;

/** The drawing of a table's game, null while it is on its way. @param {AnyModel} model @returns {Drawing | null} */
export function useDrawing(model) {
  const game = model.hand?.game ?? "";
  useEffect(() => {
    if (!loaded.value.has(game)) {
      void DRAWINGS.get(game)?.().then((drawing) => {
        loaded.value = new Map([...loaded.value, [game, drawing]]);
      }, () => tell(t("offline")));
    }
  }, [game]);
  return loaded.value.get(game) ?? null;
}
