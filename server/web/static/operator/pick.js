// @ts-check
/** A player or a table by its number, which the name that one types finds. */
import { get } from "../api.js";
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { queryOf } from "./parts.js";
import { o } from "./words.js";

const SHOWN = "20";

/** @typedef {{value: string, label: string}} Choice */

/** @param {{first?: string}} of */
export const PickPlayer = ({ first }) => html`<${Pick} name="player" label=${o("player_number")} pattern="[1-9][0-9]{0,17}" first=${first}
  path="/operator/players" choices=${(/** @type {any} */ body) => body.players.map((/** @type {any} */ one) => ({ value: one.id, label: one.name }))} />`;

/** @param {{first?: string}} of */
export const PickTable = ({ first }) => html`<${Pick} name="table" label=${o("table_number")} pattern="[0-9a-fA-F\\-]{36}" first=${first}
  path="/operator/tables" choices=${(/** @type {any} */ body) => body.tables.map((/** @type {any} */ one) =>
    ({ value: one.table, label: one.closed ? `${one.name} (${o("closed")})` : one.name }))} />`;

/**
 * @param {{name: string, label: string, pattern: string, path: string, first?: string, choices: (body: any) => Choice[]}} of
 */
function Pick({ name, label, pattern, path, first = "", choices }) {
  const [found, setFound] = useState(/** @type {Choice[]} */ ([]));
  const asked = useRef("");
  const isNumber = (/** @type {string} */ text) => new RegExp(`^(?:${pattern})$`).test(text);
  /** @param {string} prefix */
  const find = async (prefix) => {
    asked.current = prefix;
    // without the names the number can still be typed
    const body = await get(`${path}?${queryOf({ prefix, limit: SHOWN })}`).catch(() => null);
    if (body && asked.current === prefix) setFound(choices(body));
  };
  useEffect(() => void find(""), []);
  const typed = (/** @type {any} */ event) => {
    const text = event.currentTarget.value.trim();
    if (!isNumber(text) && text !== asked.current) find(text);
  };
  const left = (/** @type {any} */ event) => {
    const named = found.filter((one) => one.label === event.currentTarget.value.trim());
    if (named.length === 1) event.currentTarget.value = named[0]?.value;
  };
  return html`
    <label>${label}<input name=${name} list=${`pick-${name}`} autocomplete="off" pattern=${pattern} title=${o("pick_how")}
      defaultValue=${first} onInput=${typed} onChange=${left} />
      <datalist id=${`pick-${name}`}>${found.map((one) => html`<option value=${one.value} label=${one.label}>${one.label}</option>`)}</datalist></label>`;
}
