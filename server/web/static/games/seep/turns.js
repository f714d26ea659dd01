// @ts-check
/** Which plays a seat has, by its hand and the floor; and whether a play that is named is one. */
import { HOUSE_VALUES, cardsOn, completeSets, findHouse, isPakka, joins, laid, takes, teamOf, valueOf } from "./captures.js";

/** @typedef {import("./captures.js").Play} Play */
/** @typedef {import("./captures.js").House} House */
/**
 * What a play is judged by; `due` is the bid that the deal's first play must serve, else 0.
 * @typedef {{seat: number, hand: readonly string[], floor: import("./captures.js").Floor, due: number, partnerMayRaise: boolean}} Position
 */

/** Every legal play, its cards named. @param {Position} position @returns {Play[]} */
export function plays(position) {
  const { hand, floor, due } = position;
  if (due) {
    const serving = hand.flatMap((card) => [...(valueOf(card) === due ? taking(floor, card) : []), ...builds(position, card, due)]);
    return serving.length ? serving : hand.filter((card) => valueOf(card) === due).map(thrown);
  }
  return hand.flatMap((card) => {
    const found = taking(floor, card);
    return [
      ...(found.length ? found : [thrown(card)]),
      ...HOUSE_VALUES.flatMap((value) => builds(position, card, value)), ...raises(position, card),
    ];
  });
}

/** A play with its cards named as they lie, null if the rules refuse it. @param {Position} position @param {Play} play @returns {Play | null} */
export function resolved(position, play) {
  if (!position.hand.includes(play.card)) return null;
  const checked = { throw: throwing, take: takingOf, build: building, raise: raising }[play.move](position, play);
  return checked && lacking(position, checked) === null ? checked : null;
}

/** @param {string} card @returns {Play} */
const thrown = (card) => ({ move: "throw", card, value: 0, house: 0, cards: [] });

/** @param {import("./captures.js").Floor} floor @param {string} card @returns {Play[]} */
const taking = (floor, card) => takes(floor, valueOf(card)).map((cards) => ({ move: "take", card, value: 0, house: 0, cards }));

/** @param {Position} position @param {string} card @param {number} value @returns {Play[]} */
const builds = (position, card, value) => withChoices(position, { move: "build", card, value, house: 0, cards: null },
  () => joins(position.floor, card, value));

/** @param {Position} position @param {string} card @returns {Play[]} */
const raises = (position, card) => position.floor.houses.flatMap((house) => {
  const value = house.value + valueOf(card);
  if (!HOUSE_VALUES.includes(value) || isPakka(house) || !mayRaise(position, house)) return [];
  return withChoices(position, { move: "raise", card, value, house: house.value, cards: null },
    () => completeSets(position.floor.loose, value));
});

/** A play with each choice of the cards that join; none is looked for where its house may not be made. @param {Position} position @param {Play} play @param {() => string[][]} choices @returns {Play[]} */
const withChoices = (position, play, choices) =>
  (lacking(position, play) === null ? choices().map((cards) => ({ ...play, cards })) : []);

/** @param {Position} position @param {House} house */
const mayRaise = ({ seat, partnerMayRaise }, { owners }) =>
  (partnerMayRaise ? !owners.includes(seat) : !owners.some((owner) => teamOf(owner) === teamOf(seat)));

/** @param {Position} position @param {Play} play @returns {Play | null} */
function throwing(position, play) {
  if (takes(position.floor, valueOf(play.card)).length) return null;
  const isDue = !position.due || plays(position).some((one) => one.move === "throw" && one.card === play.card);
  return isDue ? { ...play, cards: [] } : null;
}

/** @param {Position} position @param {Play} play @returns {Play | null} */
function takingOf({ floor, due }, play) {
  const value = valueOf(play.card);
  if (due && due !== value) return null;
  const open = [...floor.loose, ...(findHouse(floor, value)?.cards ?? [])];
  const cards = areOpen(floor, play.cards, open) ? chosen(takes(floor, value), play.cards) : null;
  return cards && { ...play, cards };
}

/** @param {Position} position @param {Play} play @returns {Play | null} */
function building({ floor, due }, play) {
  if (!HOUSE_VALUES.includes(play.value) || (due && due !== play.value)) return null;
  return joined(floor, play, joins(floor, play.card, play.value));
}

/** @param {Position} position @param {Play} play @returns {Play | null} */
function raising(position, play) {
  const house = findHouse(position.floor, play.house);
  if (position.due || !house || isPakka(house) || house.owners.includes(position.seat) || !mayRaise(position, house)) return null;
  if (!HOUSE_VALUES.includes(play.value)) return null;
  return joined(position.floor, play, completeSets(position.floor.loose, play.value));
}

/** The loose cards that go into a house: named as a whole, or in part if that is clear. @param {import("./captures.js").Floor} floor @param {Play} play @param {string[][]} choices @returns {Play | null} */
function joined(floor, play, choices) {
  if (!areOpen(floor, play.cards, floor.loose) || !choices.length) return null;
  const named = play.cards ?? [];
  const whole = chosen(choices, play.cards);
  const fitting = named.length ? choices.filter((choice) => named.every((card) => choice.includes(card))) : [];
  const cards = whole ?? (fitting.length === 1 ? fitting[0] : null);
  return cards ? { ...play, cards } : null;
}

/** @param {import("./captures.js").Floor} floor @param {string[] | null} named @param {string[]} open */
function areOpen(floor, named, open) {
  const cards = named ?? [];
  const on = cardsOn(floor);
  return new Set(cards).size === cards.length && cards.every((card) => on.includes(card) && open.includes(card));
}

/** The choice that is named in full, or the only one if none is named. @param {string[][]} choices @param {string[] | null} named @returns {string[] | null} */
function chosen(choices, named) {
  if (!named?.length) return choices.length === 1 ? choices[0] ?? null : null;
  return choices.find((choice) => choice.length === named.length && choice.every((card) => named.includes(card))) ?? null;
}

/** The value of an own house for which no card would be left, null if there is none; whatever cards join. @param {Position} position @param {Play} play @returns {number | null} */
function lacking({ seat, hand, floor }, play) {
  const kept = new Set(hand.filter((card) => card !== play.card).map(valueOf));
  const own = laid(floor, seat, play).houses.filter((house) => house.owners.includes(seat));
  return own.find((house) => !kept.has(house.value))?.value ?? null;
}
