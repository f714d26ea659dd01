// @ts-check
/** The words of the free games: loaded with the first of their drawings. */
import { lang } from "../state.js";
import { en } from "../words/games_en.js";
import { hi } from "../words/games_hi.js";

/** @typedef {keyof typeof en} Key */

const WORDS = { en, hi };

/** @param {Key} key @param {Record<string, string | number>} [values] @returns {string} */
export function g(key, values = {}) {
  return WORDS[lang.value][key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** The words of a family. @param {string} family @param {string} member @param {Record<string, string | number>} [values] @returns {string} */
export const gn = (family, member, values = {}) => g(/** @type {Key} */ (`${family}.${member}`), values);
