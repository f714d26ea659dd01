// @ts-check
/** Names in sentences: one that runs from right to left may not take what follows it along. */

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]/;

/** Set a name apart, by Unicode's isolates, where that matters. @param {string} name @returns {string} */
export const apart = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** The first sign of a name, whole. @param {string} name @returns {string} */
export const initial = (name) => [...name][0] ?? "";
