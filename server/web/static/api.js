// @ts-check
/** The server's HTTP, as the pages ask it: a refusal is told in the player's own language. */
import { lang, me, tell } from "./state.js";
import { t } from "./words.js";

const API = "/api/v1";

/** A refusal of the server's, or no answer at all (`offline`). */
export class ApiError extends Error {
  /** @param {string} code @param {string | null} [field] */
  constructor(code, field = null) {
    super(code);
    this.code = code;
    this.field = field;
  }
}

/** @type {Promise<Map<string, {en: string, hi: string}>> | null} */
let texts = null;

async function refusals() {
  const body = await get("/refusals");
  return new Map(body.refusals.map((/** @type {any} */ one) => [one.code, one]));
}

/** @param {string} code @returns {Promise<string>} what a person is told of a refusal */
export async function textOf(code) {
  if (code === "offline") return t("offline");
  try {
    texts ??= refusals();
    return (await texts).get(code)?.[lang.value] ?? code;
  } catch {
    texts = null;
    return t("offline");
  }
}

/** @param {string} path @returns {Promise<any>} */
export const get = (path) => ask("GET", path);

/** @param {string} address of a file that the server gives as it was signed @returns {Promise<Uint8Array>} */
export async function getBytes(address) {
  try {
    const answer = await fetch(address);
    if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
  } catch {
    // said below, as for an answer that is none
  }
  throw new ApiError("offline");
}

/**
 * Write something, once, however often the line breaks.
 * @param {"POST" | "DELETE"} method @param {string} path @param {unknown} [body] @returns {Promise<any>}
 */
export async function write(method, path, body) {
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    return await ask(method, path, body, key);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "offline") throw error;
    return ask(method, path, body, key);
  }
}

/** @param {string} method @param {string} path @param {unknown} [body] @param {string} [key] */
async function ask(method, path, body, key) {
  /** @type {Record<string, string>} */
  const headers = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (key) headers["idempotency-key"] = key;
  let answer;
  try {
    answer = await fetch(API + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new ApiError("offline");
  }
  const said = await answer.json().catch(() => null);
  if (!answer.ok) throw new ApiError(said?.code ?? "fault", said?.field ?? null);
  return said;
}

/** What ends a sign-in: whoever only has to wait keeps it, for a guest has no other way back. */
const OUT = new Set(["not_signed_in", "suspended"]);
const AGAIN_MS = 2000;

/** Find out who is signed in; a sign-in that is over leaves no console error behind. */
export async function whoAmI() {
  if (!storageSaysSignedIn()) {
    me.value = null;
    return;
  }
  try {
    me.value = await get("/me");
  } catch (error) {
    if (error instanceof ApiError && OUT.has(error.code)) {
      noteSignedIn(false);
      me.value = null;
    } else if (me.value === undefined) {
      tell(await textOf(error instanceof ApiError ? error.code : "fault"));
      setTimeout(whoAmI, AGAIN_MS);
    }
  }
}

const SIGNED_IN = "pakka.signed_in";

/** The cookie is hidden from scripts, so that there is one is noted beside it. */
function storageSaysSignedIn() {
  return document.cookie.includes(`${SIGNED_IN}=1`);
}

/** @param {boolean} is */
export function noteSignedIn(is) {
  const age = is ? 86_400 * 400 : 0;
  document.cookie = `${SIGNED_IN}=1; path=/; max-age=${age}; samesite=lax`;
}
