// @ts-check
/** Amounts, numbers and dates as people read them. */
import { lang } from "./state.js";

const MICRO = 1_000_000n;
const LOCALES = { en: "en-IN", hi: "hi-IN" };

const locale = () => LOCALES[lang.value];

/** HT exactly: trailing zeros cut, never rounded. @param {string | bigint} micro @returns {string} */
export function ht(micro) {
  const value = BigInt(micro);
  const size = value < 0n ? -value : value;
  const rest = (size % MICRO).toString().padStart(6, "0").replace(/0+$/, "");
  const whole = new Intl.NumberFormat(locale()).format(size / MICRO);
  return `${value < 0n ? "−" : ""}${whole}${rest ? `.${rest}` : ""}`;
}

/** With its sign, as for what a hand brought. @param {string | bigint} micro */
export const signedHt = (micro) => (BigInt(micro) > 0n ? `+${ht(micro)}` : ht(micro));

/** @param {string} iso */
export const moment = (iso) =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));

/** @param {number} value */
export const number = (value) => new Intl.NumberFormat(locale()).format(value);
