// @ts-check
/** The language that was chosen, here or at the tables; a page from disk may have no storage. */

/** @typedef {import("./strings.js").Language} Language */

const KEPT = "pakka.lang";

/** @returns {Language} */
export function firstLanguage() {
  const kept = read();
  if (kept === "en" || kept === "hi") return kept;
  return navigator.language.toLowerCase().startsWith("hi") ? "hi" : "en";
}

/** @param {Language} language */
export function keepLanguage(language) {
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    // the choice then lasts as long as the page
  }
}

/** @returns {string | null} */
function read() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
