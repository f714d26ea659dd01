// @ts-check
/** What an operator may choose at a free table, game by game; none of it is tokens. */
import { InvalidOption } from "./rummy/options.js";

/** @typedef {number | boolean | string} Value */

const RANGES = /** @type {const} */ ({ turn_ms: [5_000, 120_000], miss_limit: [1, 20], target: [1, 100] });
const FOUR = { seats: 4, turn_ms: 30_000, miss_limit: 3, practice: false };
const SEVENS = { ...FOUR, hands: 5 };
const TARGETS = /** @type {Record<string, number>} */ ({ points: 10, courts: 3 });

/** @type {ReadonlyMap<string, Readonly<Record<string, Value>>>} */
const DEFAULTS = new Map(/** @type {[string, Readonly<Record<string, Value>>][]} */ ([
  ["seep", { ...FOUR, partner_may_raise: false }],
  ["court_piece", { ...FOUR, counting: "points", target: 0, short_first_matches: true, namer_leads: false }],
  ["batak", { ...FOUR, single_round: false, beat_trump_led: true }],
  ["badam_satti", SEVENS],
  ["sevens", SEVENS],
]));
/** @type {Readonly<Record<string, readonly Value[]>>} */
const SEVENS_CHOICES = { seats: [3, 4, 5, 6, 7], hands: [3, 5] };
/** @type {Readonly<Record<string, readonly Value[]>>} */
const CHOICES = { seats: [4], counting: Object.keys(TARGETS) };

/**
 * Read the options of a free table; those that are not named have their defaults.
 * @param {string} game @param {Readonly<Record<string, unknown>>} given
 * @returns {Record<string, Value>} InvalidOption says what is wrong
 */
export function freeOptions(game, given) {
  const defaults = DEFAULTS.get(game);
  if (!defaults) throw new InvalidOption("a game that is not known here");
  /** @type {Record<string, any>} */
  const options = { ...defaults, ...given };
  if (options.target === 0 && given.target === undefined) options.target = TARGETS[options.counting] ?? 1;
  const choices = "hands" in defaults ? SEVENS_CHOICES : CHOICES;
  for (const [name, value] of Object.entries(options)) {
    const wanted = defaults[name];
    if (wanted === undefined) throw new InvalidOption(`${name}: is not known`);
    if (typeof value !== typeof wanted) throw new InvalidOption(`${name}: is of another kind`);
    const [least, most] = RANGES[/** @type {keyof typeof RANGES} */ (name)] ?? [];
    const fits = least === undefined ? choices[name]?.includes(value) ?? true : value >= least && value <= Number(most);
    if (!fits) throw new InvalidOption(`${name}: must be another`);
  }
  return options;
}
