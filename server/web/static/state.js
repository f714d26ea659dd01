// @ts-check
/** What all pages share: the language, the settings, who is signed in, where one is. */
import { keptBy, objectAt } from "./kept.js";
import { computed, signal } from "./vendor/preact.js";

/** @typedef {{id: string, name: string, kind: string, guest: boolean}} Player */
/** @typedef {{micro: string, ht: string}} Amount */
/** @typedef {{player: Player, balance: {posted: Amount, held: Amount, available: Amount}}} Me */
/** @typedef {"en" | "hi"} Lang */
/** @typedef {{fourColours: boolean, sounds: boolean, motion: boolean}} Settings */

/** What stays when the browser is closed. */
export const storage = keptBy(() => localStorage);

/** What this tab keeps over a reload. */
export const visit = keptBy(() => sessionStorage);

/** @type {import("./vendor/preact.js").Signal<Lang>} */
export const lang = signal(firstLang());

/** @returns {Lang} */
function firstLang() {
  const kept = storage.getItem("pakka.lang");
  if (kept === "en" || kept === "hi") return kept;
  return navigator.languages.some((one) => one.startsWith("hi")) ? "hi" : "en";
}

/** @param {Lang} next */
export function speak(next) {
  lang.value = next;
  storage.setItem("pakka.lang", next);
  document.documentElement.lang = next;
}

/** @type {import("./vendor/preact.js").Signal<Settings>} */
export const settings = signal({
  fourColours: false,
  sounds: true,
  motion: true,
  .../** @type {Partial<Settings>} */ (objectAt(storage, "pakka.settings")),
});

/** @param {Partial<Settings>} changes */
export function setUp(changes) {
  settings.value = { ...settings.value, ...changes };
  storage.setItem("pakka.settings", JSON.stringify(settings.value));
}

/** Who is signed in; undefined while that is not known yet. @type {import("./vendor/preact.js").Signal<Me | null | undefined>} */
export const me = signal(/** @type {Me | null | undefined} */ (undefined));

/** The address behind the `#`. */
const address = signal(location.hash);
addEventListener("hashchange", () => {
  address.value = location.hash;
});

export const route = computed(() => address.value.replace(/^#\/?/, "").split("/"));

/** @param {string} path */
export function go(path) {
  location.hash = `#/${path}`;
}

/** A code or a text that people are told for a moment. */
export const notice = signal("");
/** @type {ReturnType<typeof setTimeout> | undefined} */
let clearing;
const NOTICE_MS = 6000;

/** @param {string} text */
export function tell(text) {
  notice.value = text;
  clearTimeout(clearing);
  clearing = setTimeout(() => {
    notice.value = "";
  }, NOTICE_MS);
}
