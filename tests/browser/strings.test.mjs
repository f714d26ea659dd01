/** Every string that a person reads is there in English and in Hindi, with the same values in it. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

const statics = new URL("../../server/web/static/", import.meta.url);
const { STRINGS } = await import(new URL("verify/strings.js", statics));
const { HINDI } = await import(new URL("verify/hindi.js", statics));

const DEVANAGARI = /[\u0900-\u097f]/;
const placesIn = (text) => (text.match(/\{\w+\}/g) ?? []).sort().join();
const WHATS = ["a signature without a key", "no signature", "a signature that is not its own"];
/** A value inside others, and what no person reads. */
const NOT_SAID = new Set([...WHATS, "the record"]);

/** Strings of a module: those in double quotes, and templates with `what` put in. */
function stringsOf(name) {
  const source = readFileSync(new URL(`fair/${name}`, statics), "utf8").replace(/^const [A-Z]+ = \/.*$/gm, "");
  const tokens = source.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\]|\\.)*'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g);
  return [...tokens].flatMap(([, plain, template]) =>
    template?.includes("${what}") ? WHATS.map((what) => template.replace("${what}", what)) : plain ? [plain] : []);
}

const said = new Set(
  readdirSync(new URL("fair/", statics))
    .filter((name) => name.endsWith("_checks.js") || /^(canonical|shape|record|note|evidence|fold|checks)\.js$/.test(name))
    .flatMap(stringsOf)
    .filter((text) => /[a-zA-Z}0-9] [a-zA-Z{]/.test(text) && !NOT_SAID.has(text)),
);

test("the page's words are there in both languages", () => {
  for (const [key, [english, hindi, ...more]] of Object.entries(STRINGS)) {
    assert.ok(english && hindi && !more.length, key);
    assert.equal(placesIn(hindi), placesIn(english), key);
    if (key.startsWith("switch_")) continue;
    assert.ok(DEVANAGARI.test(hindi) && !DEVANAGARI.test(english), key);
  }
});

test("whatever a check says has its Hindi, and nothing else has", () => {
  assert.ok(said.size > 120);
  const missing = [...said].filter((text) => !Object.hasOwn(HINDI, text));
  assert.deepEqual(missing, []);
  assert.deepEqual(Object.keys(HINDI).filter((text) => !said.has(text)), []);
  for (const [english, hindi] of Object.entries(HINDI)) {
    assert.ok(DEVANAGARI.test(hindi), english);
    assert.equal(placesIn(hindi), placesIn(english), english);
  }
});

test("the page asks for no word that is not there, and none is there for nobody", () => {
  const page = readdirSync(new URL("verify/", statics))
    .filter((name) => /\.(js|html)$/.test(name) && name !== "strings.js")
    .map((name) => readFileSync(new URL(`verify/${name}`, statics), "utf8"))
    .join("\n");
  const unused = Object.keys(STRINGS).filter((key) => !page.includes(`"${key}"`));
  const computed = new Set(["S", "H", "D", "C", "A", "K", "Q", "J", "holds", "fails", "live-only", "not-here",
    "drop", "miss", "left", "wrong_declare", "pure", "seq", "set"]);
  assert.deepEqual(unused.filter((key) => !computed.has(key)), []);
  for (const [, key] of page.matchAll(/data-text="([^"]+)"/g)) assert.ok(Object.hasOwn(STRINGS, key), key);
});
