// @ts-check
/** Who operates: signed in by a one-time link, kept by a cookie that no script reads. */
import { ApiError, get, textOf, write } from "../api.js";
import { storage, tell } from "../state.js";
import { signal, useEffect, useState } from "../vendor/preact.js";

/** @typedef {{name: string, role: string}} Operator */

const ROLES = ["viewer", "operator", "treasurer", "admin"];
const SIGNED_IN = "pakka.operator";

/** Undefined while it is not known yet. @type {import("../vendor/preact.js").Signal<Operator | null | undefined>} */
export const operator = signal(/** @type {Operator | null | undefined} */ (undefined));

/** A link that the server takes with a code only; it is nowhere but here. @type {import("../vendor/preact.js").Signal<string | null>} */
export const pending = signal(/** @type {string | null} */ (null));

/** @param {string} least */
export const may = (least) =>
  ROLES.indexOf(operator.value?.role ?? "") >= ROLES.indexOf(least);

/** Come in: by the link's secret behind the `#`, which leaves the address at once; or as before. */
export async function comeIn() {
  const link = /^#link=(.+)$/.exec(location.hash)?.[1];
  if (link) {
    history.replaceState(null, "", location.pathname);
    await signIn(decoded(link)).catch(async (error) => pending.value === null && tell(await wordsOf(error)));
    if (operator.value) return;
  }
  if (storage.getItem(SIGNED_IN) !== "1") {
    operator.value = null;
    return;
  }
  try {
    operator.value = await get("/operator/me");
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_signed_in") storage.setItem(SIGNED_IN, "0");
    else tell(await wordsOf(error));
    operator.value = null;
  }
}

/** @param {string} link as it stands in an address, or as somebody mistyped it */
function decoded(link) {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}

/** @param {string} link the secret, or the whole address that it is in @param {string} [code] */
export async function signIn(link, code) {
  const secret = link.trim().split("#link=").at(-1) ?? "";
  const asked = { link: secret, session: "cookie", ...(code && { code }) };
  const body = await write("POST", "/operator/session", asked).catch((error) => {
    if (error instanceof ApiError && error.code === "code_needed") pending.value = secret;
    if (error instanceof ApiError && error.code === "bad_link") pending.value = null;
    throw error;
  });
  pending.value = null;
  storage.setItem(SIGNED_IN, "1");
  operator.value = body.operator;
}

export async function signOut() {
  await write("DELETE", "/operator/session").catch(() => {});
  storage.setItem(SIGNED_IN, "0");
  operator.value = null;
}

/** @param {unknown} error */
export const wordsOf = (error) => textOf(error instanceof ApiError ? error.code : "fault");

/** What a path answers; a sign-in that is over shows the way in. @param {string} path @returns {Promise<any>} */
async function read(path) {
  try {
    return await get(path);
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_signed_in") {
      storage.setItem(SIGNED_IN, "0");
      operator.value = null;
    }
    throw error;
  }
}

/**
 * What the server answers to a path; again when the path changes, or when one asks.
 * @param {string} path @param {number} [everyMs]
 * @returns {{body: any, failure: string, again: () => Promise<void>}}
 */
export function useAnswer(path, everyMs) {
  const [state, setState] = useState(/** @type {{path: string, body: any}} */ ({ path, body: null }));
  const [failure, setFailure] = useState("");
  const again = async () => {
    try {
      setState({ path, body: await read(path) });
      setFailure("");
    } catch (error) {
      setFailure(await wordsOf(error));
    }
  };
  useEffect(() => {
    again();
    if (!everyMs) return undefined;
    const timer = setInterval(() => document.hidden || again(), everyMs);
    return () => clearInterval(timer);
  }, [path]);
  return { body: state.path === path ? state.body : null, failure, again };
}

/**
 * A list, page by page; from its beginning when the path changes.
 * @param {string} path @param {string} field
 * @returns {{rows: any[] | null, more: (() => void) | null, failure: string, again: () => void}}
 */
export function useList(path, field) {
  const [state, setState] = useState({ path, rows: /** @type {any[] | null} */ (null), next: /** @type {number | null} */ (null) });
  const [failure, setFailure] = useState("");
  /** @param {number | null} after @param {any[]} before */
  const load = async (after, before) => {
    const sign = path.includes("?") ? "&" : "?";
    try {
      const body = await read(`${path}${sign}limit=50${after === null ? "" : `&after=${after}`}`);
      setState({ path, rows: [...before, ...body[field]], next: body.next });
      setFailure("");
    } catch (error) {
      setFailure(await wordsOf(error));
    }
  };
  useEffect(() => void load(null, []), [path]);
  const isHere = state.path === path;
  const { rows, next } = state;
  return {
    rows: isHere ? rows : null,
    more: isHere && next !== null ? () => load(next, rows ?? []) : null,
    failure,
    again: () => load(null, []),
  };
}
