// @ts-check
/** What players of a table are called whom its records know by pseudonym; kept over a reload. */
import { hex } from "../fair/bytes.js";
import { objectAt } from "../kept.js";
import { visit } from "../state.js";
import { t } from "../words.js";

export class Names {
  /** @param {string} table */
  constructor(table) {
    this.place = `pakka.names.${table}`;
    /** @type {{me: string | null, names: Record<string, string>}} */
    this.kept = { me: null, names: {}, ...objectAt(visit, this.place) };
  }

  /** @param {import("../client/seating.js").Seating} seating */
  note({ bySeat, me }) {
    const names = { ...this.kept.names };
    for (const one of bySeat.values()) {
      names[hex(one.pseudonym)] = one.name;
      for (const bot of [one.substitute, one.stoodIn]) if (bot) names[hex(bot.pseudonym)] = t("bot_named", { name: one.name });
    }
    const own = me === null ? undefined : bySeat.get(me);
    const kept = { me: own ? hex(own.pseudonym) : this.kept.me, names };
    if (JSON.stringify(kept) === JSON.stringify(this.kept)) return;
    this.kept = kept;
    visit.setItem(this.place, JSON.stringify(kept));
  }

  /** @param {string} pseudonym @returns {string | undefined} */
  find(pseudonym) {
    return this.kept.names[pseudonym];
  }

  /** Who sat where, and where this player sat. @param {Map<number, string>} pseudonyms by seat */
  of(pseudonyms) {
    /** @type {Map<number, string>} */
    const names = new Map();
    let seat = null;
    for (const [at, pseudonym] of pseudonyms) {
      const name = this.find(pseudonym);
      if (name !== undefined) names.set(at, name);
      if (pseudonym === this.kept.me) seat = at;
    }
    return { names, seat };
  }
}
