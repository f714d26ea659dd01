/** What the page makes of a list of rotations: read from standard input, written to the output. */
import { readFileSync } from "node:fs";

const client = new URL("../../server/web/static/client/", import.meta.url);
const { keyAt, leadsTo, rotationOf } = await import(new URL("rotations.js", client));
const { hex, unhex } = await import(new URL("../fair/bytes.js", client));

const { rows, first, last } = JSON.parse(readFileSync(0, "utf8"));
try {
  const rotations = await Promise.all(rows.map(([index, entry]) => rotationOf(index, entry)));
  const at = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => hex(keyAt(rotations, "signing", unhex(last, 32), i)));
  const leads = leadsTo(rotations, "signing", unhex(first, 32), unhex(last, 32));
  process.stdout.write(JSON.stringify({ leads, at, roles: rotations.map((one) => one.role) }));
} catch (error) {
  process.stdout.write(JSON.stringify({ check: error.check }));
}
