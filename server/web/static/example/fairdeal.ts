// A seat's part in a deal that can be checked (fairdeal/1): what it commits to, reveals and signs,
// and the list that it checks before it reveals. It needs WebCrypto with Ed25519, nothing else.

import type { ListBody } from "./pakka.js";

export type Bytes = Uint8Array<ArrayBuffer>;

const EPOCHS_MAX = 8;
const NO_DEALER = 255;
const utf8 = new TextEncoder();

export function hex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function unhex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** A number in so many bytes, the highest first. */
function uint(value: number, size: number): Bytes {
  const bytes = new Uint8Array(size);
  let rest = value;
  for (let at = size - 1; at >= 0; at--) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

function joined(parts: Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The one injective encoding: a label, and its fields with their lengths (section 2). */
function encoded(label: string, fields: Bytes[]): Bytes {
  const name = utf8.encode(`fairdeal/1/${label}`);
  const parts = [uint(name.length, 2), name, uint(fields.length, 2)];
  for (const field of fields) parts.push(uint(field.length, 4), field);
  return joined(parts);
}

async function digest(label: string, ...fields: Bytes[]): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoded(label, fields)));
}

/** A seat's own key; an app keeps it for ever. */
export class SeatKey {
  private constructor(
    private readonly secret: CryptoKey,
    readonly pub: Bytes,
  ) {}

  static async make(): Promise<SeatKey> {
    const pair = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
    if (!("privateKey" in pair)) throw new Error("this device has no Ed25519");
    const pub = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
    return new SeatKey(pair.privateKey, pub);
  }

  async sign(role: string, value: Bytes): Promise<string> {
    const text = encoded("sig", [utf8.encode(role), value]);
    return hex(new Uint8Array(await crypto.subtle.sign("Ed25519", this.secret, text)));
  }
}

/** Tell whether the holder of a public key signed a digest in that role. */
export async function isSigned(pub: Bytes, role: string, value: Bytes, sig: string): Promise<boolean> {
  const key = await crypto.subtle.importKey("raw", pub, "Ed25519", false, ["verify"]);
  const text = encoded("sig", [utf8.encode(role), value]);
  return crypto.subtle.verify("Ed25519", key, unhex(sig), text);
}

/** Name an attempt at a hand: every other digest holds this one. */
export async function handHash(
  serverPub: Bytes,
  table: string,
  handNo: number,
  attempt: number,
  spec: string,
): Promise<Bytes> {
  const place = unhex(table.replaceAll("-", ""));
  return digest("hand", serverPub, place, uint(handNo, 8), uint(attempt, 1), unhex(spec));
}

/** Derive x[0] to x[8] from the seat's own random z, which is x[8]. */
export async function chainOf(z: Bytes, hand: Bytes, seat: number): Promise<Bytes[]> {
  const links = [z];
  let last = z;
  for (let epoch = EPOCHS_MAX; epoch > 0; epoch--) {
    last = await digest("seat-chain", hand, uint(seat, 1), uint(epoch, 1), last);
    links.unshift(last);
  }
  return links;
}

export async function seatCommit(
  hand: Bytes,
  serverCommit: string,
  seat: number,
  pub: Bytes,
  first: Bytes,
): Promise<Bytes> {
  return digest("seat-commit", hand, unhex(serverCommit), uint(seat, 1), pub, first);
}

export async function revealHash(list: Bytes, x: Bytes): Promise<Bytes> {
  return digest("reveal", list, x);
}

export async function againHash(call: Bytes, x: Bytes): Promise<Bytes> {
  return digest("again", call, x);
}

/** Hash the whole list, as the server must have signed it. */
export async function listHash(list: ListBody, hand: Bytes, serverCommit: string): Promise<Bytes> {
  const options = Object.entries(list.options)
    .map(([name, value]) => `${name}=${value}\n`)
    .sort()
    .join("");
  const seats = list.seats.map((one) =>
    joined([uint(one.seat, 1), uint(one.kind, 1), unhex(one.player), unhex(one.pub)]),
  );
  const given = list.seats.map((one) =>
    joined([uint(one.seat, 1), uint(one.status, 1), unhex(one.commit)]),
  );
  const texts = [list.game, list.rules, options].map((text) => utf8.encode(text));
  return digest(
    "commit-list",
    await digest("seats", hand, unhex(serverCommit), ...seats),
    await digest("game", ...texts, uint(list.dealer ?? NO_DEALER, 1)),
    uint(list.log_size, 8),
    unhex(list.log_root),
    ...given,
  );
}
