// @ts-check
/** Every word that people read, by its key, in the language that they chose. */
import { apart } from "./apart.js";
import { lang } from "./state.js";
import { en } from "./words/en.js";
import { hi } from "./words/hi.js";

/** @typedef {keyof typeof en} Key */

const WORDS = { en, hi };

/**
 * The words of a key; `{name}` stands for a value.
 * @param {Key} key @param {Record<string, string | number>} [values] @returns {string}
 */
export function t(key, values = {}) {
  const text = WORDS[lang.value][key];
  return text.replace(/\{(\w+)\}/g, (_, name) => apart(String(values[name] ?? "")));
}

/** The words of a family, as of check 7. @param {string} family @param {string | number} member */
export function tn(family, member) {
  const key = /** @type {Key} */ (`${family}.${member}`);
  return WORDS[lang.value][key] ?? String(member);
}
