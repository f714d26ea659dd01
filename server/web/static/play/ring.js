// @ts-check
/** The turn's clock: a ring that runs down; its last seconds are a number that beats. */
import { number } from "../format.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { t } from "../words.js";

const LOOK_MS = 250;
const LAST_S = 10;
const LENGTH = 163.4; // of a circle whose radius is 26

/** @param {{deadlineMs: number, wholeMs: number, now: () => number}} of */
export function Ring({ deadlineMs, wholeMs, now }) {
  const [, look] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => look((count) => count + 1), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const leftMs = Math.max(0, deadlineMs - now());
  const seconds = Math.ceil(leftMs / 1000);
  const part = Math.min(1, wholeMs ? leftMs / wholeMs : 0);
  const isLast = seconds <= LAST_S;
  return html`
    <span class=${`ring ${isLast ? "last" : ""}`} role="timer" aria-label=${t("seconds_left", { seconds })}>
      <svg viewBox="0 0 60 60" aria-hidden="true"><circle class="track" cx="30" cy="30" r="26" />
        <circle class="run" cx="30" cy="30" r="26" stroke-dasharray=${LENGTH} stroke-dashoffset=${LENGTH * (1 - part)} /></svg>
      <b aria-hidden="true">${isLast ? "!" : ""}${number(seconds)}</b></span>`;
}
