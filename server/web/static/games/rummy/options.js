// @ts-check
/** What an operator may choose at a rummy table (rules.md 9), and what follows from it. */

/**
 * @typedef {object} Options
 * @property {number} seats
 * @property {number} rate micro-HT a point
 * @property {number} commission_bps of the gross
 * @property {number} turn_ms
 * @property {number} miss_limit
 * @property {number} min_players
 * @property {boolean} open_joker_pick
 * @property {boolean} return_open_card
 * @property {number} reshuffle_cap
 * @property {boolean} practice
 */

const DEFAULTS = Object.freeze({
  seats: 6, rate: 1_000_000, commission_bps: 1_000, turn_ms: 30_000, miss_limit: 3, min_players: 2,
  open_joker_pick: true, return_open_card: true, reshuffle_cap: 8, practice: false,
});
/** @type {readonly (readonly [string, number, number])[]} */
const RANGES = [
  ["rate", 10_000, 1_000_000_000],
  ["commission_bps", 0, 2_000],
  ["turn_ms", 5_000, 120_000],
  ["miss_limit", 1, 20],
  ["reshuffle_cap", 1, 8],
];
const WHOLE = ["seats", "min_players", ...RANGES.map(([name]) => name)];
const SWITCHES = ["open_joker_pick", "return_open_card", "practice"];

/** Options that the game refuses. */
export class InvalidOption extends Error {}

/**
 * Read the options of a table; those that are not named have their defaults.
 * @param {Readonly<Record<string, unknown>>} given @returns {Options} InvalidOption says what is wrong
 */
export function optionsOf(given) {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(DEFAULTS, name)) throw new InvalidOption(`${name}: is not known`);
  }
  /** @type {Record<string, any>} */
  const options = { ...DEFAULTS, ...given };
  for (const name of WHOLE) {
    const is = typeof options[name];
    if (is !== "number" && is !== "bigint") throw new InvalidOption(`${name}: must be a whole number`);
  }
  for (const name of SWITCHES) {
    if (typeof options[name] !== "boolean") throw new InvalidOption(`${name}: must be true or false`);
  }
  if (![4, 6, 8].includes(options["seats"])) throw new InvalidOption("seats: must be 4, 6 or 8");
  for (const [name, least, most] of [...RANGES, ["min_players", 2, options["seats"]]]) {
    const value = options[/** @type {string} */ (name)];
    if (!(value >= least && value <= most)) {
      throw new InvalidOption(`${name}: must be from ${least} to ${most}`);
    }
  }
  return /** @type {Options} */ (options);
}

/** Packs and printed jokers, by the table's size (rules.md 1.2). @param {Options} options */
export const packSizesOf = (options) => (options.seats === 8 ? { packs: 3, jokers: 3 } : { packs: 2, jokers: 2 });
