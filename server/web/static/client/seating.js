// @ts-check
/** Who sits at a table, as its events and snapshots say. */
import { Cheated, bytesOf, numberOf, partOf, textOf } from "./form.js";

/** @typedef {import("./form.js").Part} Part */
/**
 * @typedef {{name: string, kind: number, pseudonym: import("./form.js").Bytes, away: boolean,
 *   sitsOut: string | null, leaving: boolean}} Sitting
 */

const PLAYER_BYTES = 16;
/** The numbers of fairdeal/1's seat kinds. @type {Record<string, number>} */
const KINDS = { human: 1, bot: 2 };
export const BOT = 2;

export class Seating {
  constructor() {
    /** @type {Map<number, Sitting>} */
    this.bySeat = new Map();
    /** @type {number | null} */
    this.me = null;
    this.size = 0;
  }

  /** Why this client's seat sits out, null if it doesn't. */
  get myAbsence() {
    return this.me === null ? null : this.bySeat.get(this.me)?.sitsOut ?? null;
  }

  /** Take a snapshot's seats. @param {Part} part */
  reset(part) {
    this.bySeat = new Map();
    this.size = part.seats.length;
    for (const row of part.seats) if (row) this.bySeat.set(numberOf(row, "seat"), sittingOf(row, row));
    this.me = part.you ?? null;
  }

  /** Follow a `seat.` event; `name` is the player's own. @param {Part} part */
  take(part) {
    const seat = numberOf(part, "seat");
    const old = this.bySeat.get(seat);
    if (part.e === "seat.taken") this.bySeat.set(seat, sittingOf(partOf(part, "player"), part));
    else if (part.e === "seat.left") {
      this.bySeat.delete(seat);
      if (seat === this.me) this.me = null;
    } else if (part.e === "seat.gone" && old) this.bySeat.set(seat, { ...old, leaving: true });
    else if (old) this.bySeat.set(seat, { ...old, away: Boolean(part.away), sitsOut: part.sits_out ?? null });
  }
}

/** @param {Part} player @param {Part} place @returns {Sitting} */
function sittingOf(player, place) {
  const kind = KINDS[textOf(player, "kind")];
  if (kind === undefined) throw new Cheated(17, "a player of an unknown kind");
  return {
    name: textOf(player, "name"), kind, pseudonym: bytesOf(player, "pseudonym", PLAYER_BYTES),
    away: Boolean(place.away), sitsOut: place.sits_out ?? null, leaving: Boolean(place.leaving),
  };
}
