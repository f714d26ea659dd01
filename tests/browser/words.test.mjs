/** A name that runs from right to left stands apart in a sentence, so that numbers stay in their place. */
import assert from "node:assert/strict";
import test from "node:test";

const { apart } = await import(new URL("../../server/web/static/apart.js", import.meta.url));

test("a name from right to left is set apart, any other stays as it is", () => {
  assert.equal(apart("مرحبا"), "\u2068مرحبا\u2069");
  assert.equal(apart("שלום 1"), "\u2068שלום 1\u2069");
  for (const name of ["Asha", "आशा", "😀", "<b>", ""]) assert.equal(apart(name), name);
});
