// @ts-check
/** The public log's checkpoints: signed notes by the log's own key (C2SP; fairdeal/1 section 4). */
import { concat, hex, unbase64 } from "../fair/bytes.js";
import { isSigned, sha256 } from "../fair/hashing.js";
import { Cheated, demand } from "./form.js";

/** @typedef {import("./form.js").Bytes} Bytes */
/** @typedef {{name: string, id: string, pub: Bytes}} NoteKey */

const GROWS = 10;
const NOTE_MAX = 4096;
const ID_BYTES = 4;
const NAME = /^[!-*,-~]{1,200}$/;
const NOTE = /^([!-*,-~]{1,200})\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n\n((?:\u2014 [!-*,-~]{1,200} [A-Za-z0-9+/=]{8,400}\n){1,16})$/;

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

/** Read a `vkey`: name, id, key. @param {string} vkey @returns {Promise<NoteKey>} */
export async function noteKey(vkey) {
  const text = "the log's key can't be one";
  const [name = "", id = "", ...rest] = vkey.split("+");
  demand(NAME.test(name) && /^[0-9a-f]{8}$/.test(id), GROWS, text);
  const raw = base64(rest.join("+"), text);
  demand(raw.length === 33 && raw[0] === 1, GROWS, text);
  const named = await sha256(concat([bytes(`${name}\n`), raw]));
  demand(hex(named.slice(0, ID_BYTES)) === id, GROWS, "the id of the log's key is not its own");
  return { name, id, pub: raw.slice(1) };
}

/** The same log's key as it was before rotations: its id is of its own bytes. @param {NoteKey} key @param {Bytes} pub @returns {Promise<NoteKey>} */
export async function keyOfDay(key, pub) {
  const named = await sha256(concat([bytes(`${key.name}\n`), Uint8Array.of(1), pub]));
  return { name: key.name, id: hex(named.slice(0, ID_BYTES)), pub };
}

/** Read a checkpoint that the log's pinned key has signed. @param {string} note @param {NoteKey} key @returns {{size: number, root: Bytes}} */
export function readCheckpoint(note, key) {
  const found = note.length <= NOTE_MAX ? NOTE.exec(note) : null;
  if (!found) throw new Cheated(GROWS, "a checkpoint of the log has a wrong form");
  const [, origin = "", size = "", root = "", signatures = ""] = found;
  demand(origin === key.name, GROWS, "the checkpoint is another log's");
  const stamps = signatures.trimEnd().split("\n").map((line) => line.split(" "))
    .map(([, name, stamp = ""]) => ({ name, stamp: base64(stamp, "a signature of the log is not base64") }))
    .filter(({ name, stamp }) => name === key.name && hex(stamp.slice(0, ID_BYTES)) === key.id);
  demand(stamps.length > 0, GROWS, "the pinned key has not signed this checkpoint");
  const signed = bytes(`${origin}\n${size}\n${root}\n`);
  const holds = stamps.every(({ stamp }) => isSigned(key.pub, signed, stamp.slice(ID_BYTES)));
  demand(holds && Number.isSafeInteger(Number(size)), GROWS, "the log's signature does not hold");
  return { size: Number(size), root: base64(root, "a root of the log is not base64") };
}

/** @param {string} text @param {string} complaint @returns {Bytes} */
function base64(text, complaint) {
  try {
    return unbase64(text);
  } catch {
    throw new Cheated(GROWS, complaint);
  }
}
