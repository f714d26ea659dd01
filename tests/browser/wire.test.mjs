/** The socket that comes back: commands by id, resume, pings, and the codes by which it is over. */
import assert from "node:assert/strict";
import test from "node:test";

const client = new URL("../../server/web/static/client/", import.meta.url);
const { Refused, Wire } = await import(new URL("wire.js", client));

class Socket extends EventTarget {
  readyState = 1;
  sent = [];
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close(code = 1005) {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
  open() {
    this.dispatchEvent(new Event("open"));
  }
  say(frame) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(frame) }));
  }
  welcome() {
    this.open();
    this.say({ t: "welcome", re: this.sent[0].id });
  }
}

function wired() {
  const heard = { lines: [], frames: [], lost: 0, sockets: [] };
  const wire = new Wire({
    url: "ws://x/ws",
    onFrame: (frame) => heard.frames.push(frame),
    onWelcome: () => {},
    onLine: (line) => heard.lines.push(line),
    onNotResumed: () => (heard.lost += 1),
    resume: () => [{ table: "t", seq: 7, stream: 1 }],
    open: () => {
      heard.sockets.push(new Socket());
      return heard.sockets.at(-1);
    },
  });
  wire.start();
  return { wire, heard, last: () => heard.sockets.at(-1) };
}

const until = async (holds) => {
  for (let i = 0; i < 6_000 && !holds(); i += 1) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(holds());
};

test("hello says where to resume, and a ping is answered", (t) => {
  const { wire, last, heard } = wired();
  t.after(() => wire.stop());
  last().welcome();
  assert.deepEqual(last().sent[0].resume, [{ table: "t", seq: 7, stream: 1 }]);
  last().say({ t: "ping", now: 1 });
  assert.deepEqual(last().sent[1], { t: "pong" });
  assert.deepEqual(heard.lines, ["connecting", "open"]);
});

test("a command waits for its reply over a lost line, and goes again under the same id", async (t) => {
  const { wire, last, heard } = wired();
  t.after(() => wire.stop());
  last().welcome();
  const done = wire.command({ t: "play" });
  const { id } = last().sent[1];
  last().close(1006);
  await until(() => heard.sockets.length === 2);
  last().welcome();
  assert.equal(last().sent[1].id, id);
  last().say({ t: "ok", re: id });
  assert.equal((await done).t, "ok");
});

test("a refusal is told by its code; one that passes is tried again under a new id", async (t) => {
  const { wire, last } = wired();
  t.after(() => wire.stop());
  last().welcome();
  const done = wire.command({ t: "play" });
  last().say({ t: "refused", re: last().sent[1].id, code: "slow_down" });
  await until(() => last().sent.length === 3);
  assert.notEqual(last().sent[2].id, last().sent[1].id);
  last().say({ t: "refused", re: last().sent[2].id, code: "stale_turn" });
  await assert.rejects(done, (error) => error instanceof Refused && error.code === "stale_turn");
});

test("another tab that takes over is not fought", async (t) => {
  const { wire, last, heard } = wired();
  t.after(() => wire.stop());
  last().welcome();
  last().close(4409);
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.equal(heard.sockets.length, 1);
  assert.equal(heard.lines.at(-1), "replaced");
});

test("a table that can't be resumed just now is asked for anew", (t) => {
  const { wire, last, heard } = wired();
  t.after(() => wire.stop());
  last().welcome();
  last().say({ t: "refused", re: last().sent[0].id, code: "busy" });
  assert.equal(heard.lost, 1);
  assert.equal(heard.lines.at(-1), "open");
});
