// @ts-check
/**
 * What the verifier says: an English template and the values in it. The template is also the key
 * under which a translation is found, so that no check speaks a language of its own.
 */

/** @typedef {string | number | bigint} Part */
/** @typedef {{template: string, parts: Readonly<Record<string, Part>>}} Problem */

/** @param {string} template @param {Readonly<Record<string, Part>>} [parts] @returns {Problem} */
export const problem = (template, parts = {}) => ({ template, parts });

/**
 * Put the values into the template, or into its translation.
 * @param {Problem} said @param {Readonly<Record<string, string>>} [translations]
 */
export function worded({ template, parts }, translations = {}) {
  const text = translations[template] ?? template;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(parts[name] ?? whole));
}
