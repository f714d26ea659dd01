/** How a hand is laid out: what a move of a card leaves where, and what each group is. */
import assert from "node:assert/strict";
import test from "node:test";

const play = new URL("../../server/web/static/play/", import.meta.url);
const g = await import(new URL("groups.js", play));

const hand = ["4S", "5S", "6S", "8H", "JK", "TH", "KC", "KD", "KH", "2D", "2D#1", "9C", "QS"];

test("a first layout has a group for each suit and the jokers last", () => {
  const groups = g.reconciled([], hand, "2");
  assert.deepEqual(groups[0], ["4S", "5S", "6S", "QS"]);
  assert.deepEqual(groups.at(-1), ["2D", "2D#1", "JK"]);
  assert.deepEqual(groups.flat().sort(), [...hand].sort());
});

test("a card that comes stands alone at the end, and a card that goes leaves no empty group", () => {
  const groups = g.reconciled([["4S"], ["5S", "6S"]], ["5S", "6S", "AH"]);
  assert.deepEqual(groups, [["5S", "6S"], ["AH"]]);
});

test("cards are moved into a group, before the card they are dropped on, and into a new one", () => {
  const groups = [["4S", "5S"], ["6S", "AH"]];
  assert.deepEqual(g.moved(groups, ["6S"], 0, 1), [["4S", "6S", "5S"], ["AH"]]);
  assert.deepEqual(g.moved(groups, ["4S"], 0, 2), [["5S", "4S"], ["6S", "AH"]]);
  assert.deepEqual(g.moved(groups, ["4S", "AH"], 2, 0), [["5S"], ["6S"], ["4S", "AH"]]);
});

test("keys move a card through its group, into the next, and out at the end", () => {
  assert.deepEqual(g.nudged([["4S", "5S"]], "4S", 1), [["5S", "4S"]]);
  assert.deepEqual(g.nudged([["4S", "5S"], ["AH"]], "5S", 1), [["4S"], ["5S", "AH"]]);
  assert.deepEqual(g.nudged([["4S"], ["AH"]], "AH", -1), [["4S", "AH"]]);
  assert.deepEqual(g.nudged([["4S", "5S"]], "5S", 1), [["4S"], ["5S"]]);
  assert.deepEqual(g.nudged([["4S"]], "4S", 1), [["4S"]]);
});

test("a group is named by the best that it is", () => {
  assert.equal(g.kindOf(["4S", "5S", "6S"], "2"), "pure");
  assert.equal(g.kindOf(["8H", "JK", "TH"], "2"), "seq");
  assert.equal(g.kindOf(["KC", "KD", "KH"], "2"), "set");
  assert.equal(g.kindOf(["KC", "KC#1", "KH"], "2"), "loose");
  assert.equal(g.kindOf(["KS", "AS", "2S"], null), "loose");
});

test("a finish is found only if the other thirteen are complete", () => {
  const right = ["4S", "5S", "6S", "8H", "JK", "TH", "KC", "KD", "KH", "3C", "3D", "3H", "3S", "9C"];
  assert.equal(g.finishOf(right, "2"), "9C");
  assert.equal(g.canDeclare(right, "4S", "2"), false);
  assert.equal(g.finishOf([...right.slice(0, 13), "QS"].filter((card) => card !== "5S").concat("7D"), "2"), null);
});
