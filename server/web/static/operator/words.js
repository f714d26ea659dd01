// @ts-check
/** The words of the operator's console: players never load them. */
import { lang } from "../state.js";
import { en } from "../words/operator_en.js";
import { hi } from "../words/operator_hi.js";

/** @typedef {keyof typeof en} Key */

const WORDS = { en, hi };

/** @param {Key} key @param {Record<string, string | number>} [values] @returns {string} */
export function o(key, values = {}) {
  return WORDS[lang.value][key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** The words of a family. @param {string} family @param {string} member @returns {string} */
export function on(family, member) {
  return WORDS[lang.value][/** @type {Key} */ (`${family}.${member}`)] ?? member;
}
