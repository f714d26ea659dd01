/** The page's table watch as a process: a line of JSON in, a line of JSON out. */
import { createInterface } from "node:readline";

const client = new URL("../../server/web/static/client/", import.meta.url);
const { Cheated } = await import(new URL("form.js", client));
const { TableWatch } = await import(new URL("table.js", client));
const { Vault } = await import(new URL("vault.js", client));
const { hex, unhex } = await import(new URL("../fair/bytes.js", client));

const kept = new Map();
const store = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
const OWNER = "twin";
let vault;
let watch;

/** Take over the secrets of the other client, so that both must say the same. */
function share({ key, seeds }) {
  const pins = JSON.parse(kept.get("pakka.pins") ?? "{}");
  kept.set("pakka.pins", JSON.stringify({ ...pins, [`key ${OWNER}`]: key }));
  const own = JSON.parse(kept.get("pakka.seeds") ?? "{}");
  for (const [hand, z] of Object.entries(seeds)) own[`${OWNER} ${hand}`] ??= { z, revealed: {} };
  kept.set("pakka.seeds", JSON.stringify(own));
}

const ACTS = {
  begin: ({ table, serverKey, secrets }) => {
    share(secrets);
    vault = new Vault(store, OWNER);
    const key = unhex(serverKey, 32);
    watch = new TableWatch(table, () => key, vault);
  },
  take: async ({ frame }) => {
    await watch.take(frame);
    const play = watch.hand.deal?.play;
    return { holding: play?.holding ?? [], seq: watch.seq, phase: watch.hand.phase };
  },
  proved: () => {
    const leaves = watch.hand.unproved.map((head) => hex(head.leaf));
    watch.hand.unproved.length = 0;
    return leaves;
  },
  due: async ({ secrets }) => {
    share(secrets);
    return watch.due();
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  let answer;
  try {
    answer = { value: (await ACTS[asked.act](asked)) ?? null };
  } catch (error) {
    answer = error instanceof Cheated ? { check: error.check, text: error.text } : { fault: String(error.stack) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
