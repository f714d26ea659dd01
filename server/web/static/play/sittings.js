// @ts-check
/** Which of a player's hands belong to one session at a table. */

/** A hand as the list of my own hands has it. @typedef {{hand: string, table: string, number: number, seat: number, ended_at: string, record: string}} HandLine */

/** A longer pause ends a session. */
const PAUSE_MS = 2 * 3_600_000;

/**
 * The hands of one session: the newest at this table, back to the first long pause.
 * @param {readonly HandLine[]} lines newest first @param {string} table @returns {HandLine[]}
 */
export function sessionOf(lines, table) {
  const here = lines.filter((line) => line.table === table);
  const end = here.findIndex((line, i) => {
    const next = here[i - 1];
    return next !== undefined && Date.parse(next.ended_at) - Date.parse(line.ended_at) > PAUSE_MS;
  });
  return end < 0 ? here : here.slice(0, end);
}
