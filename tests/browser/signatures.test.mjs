/** Signatures get the verdict that Python gives, with `crypto.subtle` and without. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const fair = new URL("../../server/web/static/fair/", import.meta.url);
const { unhex } = await import(new URL("bytes.js", fair));
const { isAcceptableKey, isSigned } = await import(new URL("hashing.js", fair));

const path = process.env.PAKKA_ANSWERS;
const skip = path ? false : "PAKKA_ANSWERS names no file: run tests/browser/test_node.py";

test("each signature and each key is judged as Python judges it", { skip }, () => {
  const rows = JSON.parse(readFileSync(path, "utf8")).signatures;
  for (const { pub, message, signature, isKey, holds } of rows) {
    assert.equal(isAcceptableKey(unhex(pub)), isKey, pub);
    for (let again = 0; again < 6; again += 1) {
      assert.equal(isSigned(unhex(pub), unhex(message), unhex(signature)), holds, `${pub} ${message}`);
    }
  }
  assert.ok(rows.some((row) => row.holds) && rows.some((row) => !row.holds && row.isKey));
});
