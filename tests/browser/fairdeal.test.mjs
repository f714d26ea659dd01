/** Every field of every known answer comes out again, by node's own runner. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { INPUTS, answer } from "./vectors.mjs";

const vectors = JSON.parse(
  readFileSync(new URL("../vectors/fairdeal-1-vectors.json", import.meta.url), "utf8"),
);

for (const [number, vector] of vectors.entries()) {
  test(`vector ${number} comes out again, field by field`, async () => {
    const found = await answer(vector);
    const wanted = Object.fromEntries(Object.entries(vector).filter(([key]) => !INPUTS.has(key)));
    assert.deepEqual(Object.keys(found).sort(), Object.keys(wanted).sort());
    for (const key of Object.keys(wanted)) assert.deepEqual(found[key], wanted[key], key);
  });
}
