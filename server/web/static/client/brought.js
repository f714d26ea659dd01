// @ts-check
/** What a hand is given besides its list: matches finished by seat, then the game's own memo. */
const BROUGHT = /^#([0-9]+:[1-9][0-9]*(?:,[0-9]+:[1-9][0-9]*)*) ([^#].*|)$/;

/** @param {string} line @returns {{memo: string, played: Map<number, number>} | null} null if no hand is given such a line */
export function readBrought(line) {
  if (!line.startsWith("#")) return { memo: line, played: new Map() };
  const [, rows, memo] = BROUGHT.exec(line) ?? [];
  if (rows === undefined || memo === undefined) return null;
  const pairs = rows.split(",").map((row) => row.split(":").map(Number));
  const seats = pairs.map(([seat]) => Number(seat));
  if (seats.some((seat, i) => i > 0 && seat <= Number(seats[i - 1]))) return null;
  return { memo, played: new Map(pairs.map(([seat, count]) => [Number(seat), Number(count)])) };
}
