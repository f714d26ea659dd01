// @ts-check
/** Signed notes and the log's checkpoints as C2SP has them (section 4). */
import { ascii, base64, concat, hex, same, unbase64 } from "./bytes.js";
import { isAcceptableKey, isSigned, sha256 } from "./hashing.js";
import { problem } from "./wording.js";

/** @typedef {{name: string, pub: Uint8Array, keyId: Uint8Array}} NoteKey */
/** @typedef {{origin: string, size: bigint, root: Uint8Array}} Checkpoint */

const NOTE_MAX = 4_096;
const SIGNATURES_MAX = 16;
const KEY_ID_BYTES = 4;
const SIZE_MAX = 2n ** 63n - 1n;
const DASH = "\u2014";
const NAME = /^[!-*,-~]{1,200}$/; // printable ASCII without a space or a plus sign
const UNFIT = /[\x00-\x09\x0b-\x1f\ud800-\udfff]/u;

/** A note or a key that is not accepted. */
export class RefusedNote extends Error {
  /** @param {string} code stable @param {import("./wording.js").Problem} text */
  constructor(code, text) {
    super(code);
    this.code = code;
    this.text = text;
  }
}

/** Read a `vkey`, name+id+key. @param {string} vkey @returns {Promise<NoteKey>} */
export async function keyOf(vkey) {
  const cuts = vkey.split("+");
  const [name = "", id = ""] = cuts;
  const raw = decoded(cuts.slice(2).join("+"), "bad_vkey");
  const isForm = cuts.length > 2 && NAME.test(name) && raw.length === 33 && raw[0] === 1;
  const pub = raw.subarray(1);
  const keyId = (await sha256(concat([ascii(isForm ? `${name}\n` : ""), raw]))).subarray(0, KEY_ID_BYTES);
  if (!isForm || hex(keyId) !== id || !isAcceptableKey(pub)) {
    throw new RefusedNote("bad_vkey", problem("a log's key is written name+id+key"));
  }
  return { name, pub, keyId };
}

/** Read a checkpoint that the log's pinned key has signed. @param {string} note @param {NoteKey} key */
export function readCheckpoint(note, key) {
  const checkpoint = unprovedCheckpoint(note);
  if (checkpoint.origin !== key.name) throw new RefusedNote("other_origin", problem("the checkpoint is another log's"));
  const { text, lines } = partsOf(note);
  const own = lines.filter(({ name, stamp }) => name === key.name && same(stamp.subarray(0, KEY_ID_BYTES), key.keyId));
  if (!own.length) throw new RefusedNote("not_signed", problem("the pinned key has not signed this"));
  const message = new TextEncoder().encode(text);
  if (!own.every(({ stamp }) => isSigned(key.pub, message, stamp.subarray(KEY_ID_BYTES)))) {
    throw new RefusedNote("bad_signature", problem("the signature does not hold"));
  }
  return checkpoint;
}

/** Read what a checkpoint says, for where no key is known. @param {string} note @returns {Checkpoint} */
export function unprovedCheckpoint(note) {
  const lines = partsOf(note).text.split("\n");
  const [origin = "", size = "", root = ""] = lines;
  if (lines.length !== 4 || lines[3]) throw badNote(problem("a checkpoint has three lines"));
  if (!NAME.test(origin)) throw badNote(problem("the first line must be an origin"));
  if (!/^[1-9][0-9]{0,18}$/.test(size) || BigInt(size) > SIZE_MAX) {
    throw badNote(problem("the size must be a decimal number above 0"));
  }
  const head = decoded(root, "bad_note");
  if (head.length !== 32) throw badNote(problem("the root must be 32 bytes"));
  return { origin, size: BigInt(size), root: head };
}

/** @param {import("./wording.js").Problem} said */
const badNote = (said) => new RefusedNote("bad_note", said);

/** Take a note apart: its text, and the name, id and signature of each line. @param {string} note */
function partsOf(note) {
  if (new TextEncoder().encode(note).length > NOTE_MAX) {
    throw badNote(problem("a note has at most {bytes} bytes", { bytes: NOTE_MAX }));
  }
  if (UNFIT.test(note)) throw badNote(problem("a note has no control characters"));
  const gap = note.lastIndexOf("\n\n");
  if (gap < 0 || !note.endsWith("\n") || gap + 2 >= note.length) {
    throw badNote(problem("a note is a text, an empty line and signatures"));
  }
  const lines = note.slice(gap + 2, -1).split("\n");
  if (lines.length > SIGNATURES_MAX) {
    throw badNote(problem("a note has at most {count} signatures", { count: SIGNATURES_MAX }));
  }
  return { text: note.slice(0, gap + 1), lines: lines.map(signatureOf) };
}

/** @param {string} line */
function signatureOf(line) {
  const [dash, name = "", stamp64 = "", ...more] = line.split(" ");
  if (dash !== DASH || !name || name.includes("+") || !stamp64 || more.length) {
    throw badNote(problem("a signature is a dash, a name and its bytes"));
  }
  const stamp = decoded(stamp64, "bad_note");
  if (stamp.length <= KEY_ID_BYTES) throw badNote(problem("a signature has more bytes than its key's id"));
  return { name, stamp };
}

/** Read base64 in its one canonical form. @param {string} text @param {string} code */
function decoded(text, code) {
  try {
    const value = unbase64(text);
    if (base64(value) === text) return value;
  } catch {
    // said below
  }
  throw new RefusedNote(code, problem("not the canonical base64"));
}
