// @ts-check
/** Who sits at a table, as its events and snapshots say. */
import { Cheated, bytesOf, numberOf, partOf, textOf } from "./form.js";

/** @typedef {import("./form.js").Part} Part */
/** Who plays a seat, as a list names it. @typedef {{kind: number, pseudonym: import("./form.js").Bytes}} Pilot */
/** The bot that plays a seat in its owner's place, and why. @typedef {Pilot & {name: string, why: string}} Stand */
/**
 * @typedef {{name: string, kind: number, pseudonym: import("./form.js").Bytes, away: boolean,
 *   sitsOut: string | null, leaving: boolean, substitute: Stand | null, stoodIn: Pilot | null}} Sitting
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

  /** Why a substitute plays this client's own seat, null if none does. */
  get replaced() {
    return this.me === null ? null : this.bySeat.get(this.me)?.substitute?.why ?? null;
  }

  /** Whether this client plays its seat now. */
  get isPilot() {
    return this.me !== null && this.bySeat.has(this.me) && this.replaced === null;
  }

  /** Whether every person has left its seat to a substitute. */
  get haveAllLeft() {
    const people = [...this.bySeat.values()].filter((one) => one.kind === KINDS.human);
    return people.length > 0 && people.every((one) => one.substitute?.why === "left");
  }

  /**
   * Who a seat may be listed as. In a hand that began before this client looked, a substitute may
   * have come in since, or its owner may have come back.
   * @param {boolean} isFresh @returns {Map<number, Pilot[]>}
   */
  known(isFresh) {
    return new Map([...this.bySeat].map(([seat, one]) => {
      const others = [one.substitute, one.stoodIn].filter((pilot) => pilot !== null);
      return [seat, isFresh ? [one.substitute ?? one] : [one, ...others]];
    }));
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
    } else if (part.e === "seat.substituted" && old) {
      this.bySeat.set(seat, { ...old, substitute: standOf(part) });
    } else if (part.e === "seat.returned" && old) {
      this.bySeat.set(seat, { ...old, substitute: null, sitsOut: null, leaving: false });
    } else if (part.e === "seat.gone" && old) this.bySeat.set(seat, { ...old, leaving: true });
    else if (old) this.bySeat.set(seat, { ...old, away: Boolean(part.away), sitsOut: part.sits_out ?? null });
  }
}

/** @param {Part} player @param {Part} place @returns {Sitting} */
function sittingOf(player, place) {
  return {
    ...pilotOf(player), name: textOf(player, "name"), substitute: standOf(place),
    stoodIn: (place.stood_in ?? null) === null ? null : pilotOf(partOf(place, "stood_in")),
    away: Boolean(place.away), sitsOut: place.sits_out ?? null, leaving: Boolean(place.leaving),
  };
}

/** @param {Part} place @returns {Stand | null} */
function standOf(place) {
  if ((place.substitute ?? null) === null) return null;
  const part = partOf(place, "substitute");
  return { ...pilotOf(part), name: textOf(part, "name"), why: textOf(part, "why") };
}

/** @param {Part} player @returns {Pilot} */
function pilotOf(player) {
  const kind = KINDS[textOf(player, "kind")];
  if (kind === undefined) throw new Cheated(17, "a player of an unknown kind");
  return { kind, pseudonym: bytesOf(player, "pseudonym", PLAYER_BYTES) };
}
