// @ts-check
/** One ASCII line for each move: lines are read into moves, and what a move does is told in lines. */

/** @typedef {import("./state.js").Place} Place */
/**
 * @typedef {{name: "auto"} | {name: "drop"} | {name: "leave"}
 *   | {name: "draw", from: "closed" | "open"} | {name: "discard", card: string}
 *   | {name: "declare", finish: Place, groups: string[][] | null}} Move
 */

const NUMBER = "(?:0|[1-9][0-9]{0,2})";
const PLACE = `@(?:[0-8])\\.${NUMBER}`;
const CARD = "(?:[A23456789TJQK][SHDC]|JK)(?:#[1-9])?";
const GROUPS = `${CARD}(?:[,/]${CARD})*`;
const AUTO = new RegExp(`^auto (?<seat>[0-7])(?: draw closed ${PLACE}| discard ${CARD}| drop)?$`);
const OWN = new RegExp(
  `^(?<seat>[0-7]) (?:draw (?:(?<closed>closed)(?: ${PLACE})?|open(?: ${CARD})?)` +
    `|discard (?<card>${CARD})|declare (?<finish>${PLACE})(?: (?<groups>${GROUPS}))?` +
    "|(?<word>drop|leave))$",
);

/** @param {string} line @returns {{seat: number, move: Move} | null} null if it is no line of rummy */
export function readLine(line) {
  const auto = AUTO.exec(line)?.groups;
  if (auto) return { seat: Number(auto["seat"]), move: { name: "auto" } };
  const own = OWN.exec(line)?.groups;
  if (!own) return null;
  return { seat: Number(own["seat"]), move: ownMove(own) };
}

/** @param {Record<string, string | undefined>} own @returns {Move} */
function ownMove({ word, card, finish, groups, closed }) {
  if (word !== undefined) return { name: word === "drop" ? "drop" : "leave" };
  if (card !== undefined) return { name: "discard", card };
  if (finish !== undefined) {
    const [epoch, position] = finish.slice(1).split(".").map(Number);
    const place = /** @type {Place} */ ([epoch, position]);
    const sent = groups?.split("/").map((group) => group.split(","));
    return { name: "declare", finish: place, groups: sent ?? null };
  }
  return { name: "draw", from: closed ? "closed" : "open" };
}

/** @param {boolean} auto */
const who = (auto) => (auto ? "auto " : "");

/** @param {Place} place */
export const placeText = ([epoch, position]) => `@${epoch}.${position}`;

/** @param {number} seat @param {boolean} auto @param {Place} place */
export const closedDrawLine = (seat, auto, place) => `${who(auto)}${seat} draw closed ${placeText(place)}`;

/** @param {number} seat @param {string} card */
export const openDrawLine = (seat, card) => `${seat} draw open ${card}`;

/** @param {number} seat @param {boolean} auto @param {string} card */
export const discardLine = (seat, auto, card) => `${who(auto)}${seat} discard ${card}`;

/** @param {number} seat @param {import("./state.js").WhyOut} why */
export const outLine = (seat, why) => (why === "left" ? `${seat} leave` : `${who(why === "miss")}${seat} drop`);

/** @param {number} seat @param {Place} finish @param {readonly (readonly string[])[] | null} groups */
export function declareLine(seat, finish, groups) {
  const line = `${seat} declare ${placeText(finish)}`;
  return groups?.length ? `${line} ${groups.map((group) => group.join(",")).join("/")}` : line;
}
