/**
 * The page's verifier says of each record what the command's says. The cases come from Python (a
 * file named by PAKKA_CASES, one JSON document a line): see `records.py`.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const fair = new URL("../../server/web/static/fair/", import.meta.url);
const { unbase64, unhex } = await import(new URL("bytes.js", fair));
const { verifyRecord } = await import(new URL("checks.js", fair));
const { worded } = await import(new URL("wording.js", fair));

/** What only one of the two languages can say: an exception's own words. */
const OWN_WORDS = [
  [/(the game (?:refuses to start|has no such options): ).*/, "$1..."],
  [/(the rules can't go on: ).*/, "$1..."],
  [/(the checkpoint is refused).*/, "$1..."],
];
const plain = (text) => OWN_WORDS.reduce((said, [pattern, to]) => said.replace(pattern, to), text);
const said = (problems) => problems.map((problem) => plain(worded(problem)));

const path = process.env.PAKKA_CASES;
const cases = path ? readFileSync(path, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line)) : [];

test("there are cases", { skip: path ? false : "PAKKA_CASES names no file: run tests/browser/test_node.py" }, () => {
  assert.ok(cases.length > 200);
});

for (const { name, data, serverKey, logKey, wanted } of cases) {
  test(name, async () => {
    const pinned = {
      serverKey: serverKey ? unhex(serverKey) : undefined,
      logKey: logKey && { name: logKey.name, pub: unhex(logKey.pub), keyId: unhex(logKey.keyId) },
    };
    const report = await verifyRecord(unbase64(data), pinned);
    const rows = report.lines.map(({ number, title, verdict, problems }) =>
      ({ number, title, verdict, problems: said(problems).filter((text) => !text.startsWith("a ") ) }));
    assert.equal(report.refused?.code ?? null, wanted.refused?.code ?? null);
    assert.deepEqual(rows.map(({ problems, ...row }) => row), wanted.checks.map(({ problems, ...row }) => row));
    for (const [i, row] of rows.entries()) {
      const theirs = wanted.checks[i].problems.map(plain);
      // a free game's rules say in other words what is against them
      if (name.startsWith("free:") && row.verdict === "fails") continue;
      // the page says why a checkpoint is refused in a line of its own
      if (row.number === 10 && theirs.some((text) => text.startsWith("the checkpoint is refused"))) continue;
      assert.deepEqual(row.problems, theirs);
    }
    assert.deepEqual(said(report.notes), wanted.notes);
  });
}
