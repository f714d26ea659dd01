/** Which hands a score sheet counts: those of this table, back to the first long pause. */
import assert from "node:assert/strict";
import test from "node:test";

const { sessionOf } = await import(new URL("../../server/web/static/play/sittings.js", import.meta.url));

const line = (hand, table, ended_at) => ({ hand, table, number: Number(hand), seat: 0, ended_at, record: "" });
const numbers = (lines) => lines.map((one) => one.hand);

test("hands of another table are left out, and break no session", () => {
  const lines = [
    line("4", "a", "2026-01-01T10:20:00Z"),
    line("3", "b", "2026-01-01T10:10:00Z"),
    line("2", "a", "2026-01-01T10:00:00Z"),
  ];
  assert.deepEqual(numbers(sessionOf(lines, "a")), ["4", "2"]);
});

test("a session ends at the first long pause before it", () => {
  const lines = [
    line("4", "a", "2026-01-02T00:30:00Z"),
    line("3", "a", "2026-01-01T23:00:00Z"),
    line("2", "a", "2026-01-01T20:00:00Z"),
    line("1", "a", "2026-01-01T19:55:00Z"),
  ];
  assert.deepEqual(numbers(sessionOf(lines, "a")), ["4", "3"]);
  assert.deepEqual(sessionOf([], "a"), []);
});
