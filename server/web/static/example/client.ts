// A typed client of Pakka: guest sign-in over HTTP, and a socket that comes back and resumes.
// It runs wherever there are `fetch` and `WebSocket`: a browser, a phone's runtime, Node.

import type {
  ClientFrame,
  EventFrame,
  Hello,
  Ok,
  Pong,
  RefusalCode,
  Refused,
  Resumed,
  Routes,
  ServerFrame,
  SnapshotFrame,
  Welcome,
} from "./pakka.js";

type WithoutId<Frame> = Frame extends unknown ? Omit<Frame, "id"> : never;
export type Command = WithoutId<Exclude<ClientFrame, Hello | Pong>>;
export type TableFrame = EventFrame | SnapshotFrame;

const PROTOCOL = "pakka.v1";
const BACK_OFF_MS = 200;
const BACK_OFF_MAX_MS = 10_000;
/** Restart, overload, a lost line. Any other code says that it is over. */
const COME_BACK = [1001, 1005, 1006, 1011, 1012, 1013, 4429];

/** What the server will not do; show people your own language's text for the code. */
export class RefusedError extends Error {
  constructor(
    readonly code: RefusalCode,
    text: string,
    readonly field: string | null = null,
  ) {
    super(`${code}: ${text}`);
  }
}

/** Ask a route of HTTP. A writing one may be repeated under the same key: it is done once. */
export async function ask<Route extends keyof Routes>(
  base: string,
  route: Route,
  options: { body?: Routes[Route]["body"]; token?: string; key?: string } = {},
): Promise<Routes[Route]["answer"]> {
  const [method, path] = route.split(" ") as [string, string];
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (options.token !== undefined) headers["Authorization"] = `Bearer ${options.token}`;
  if (options.key !== undefined) headers["Idempotency-Key"] = options.key;
  const body = options.body === undefined ? null : JSON.stringify(options.body);
  const answer = await fetch(new URL(path, base), { method, headers, body });
  const said = await answer.json();
  if (!answer.ok) throw new RefusedError(said.code, said.text, said.field);
  return said;
}

interface Pending {
  frame: ClientFrame;
  done: (reply: Ok) => void;
  failed: (why: Error) => void;
}

/** One player's socket. A command waits for its one reply, also over a lost line. */
export class Socket {
  onWelcome: (welcome: Welcome) => void = () => {};
  onFrame: (frame: TableFrame) => void = () => {};
  /** Hears that it is over: the code and, where it is refused, why. */
  onEnd: (code: number, why: string) => void = () => {};

  private line: WebSocket | null = null;
  private isWelcome = false;
  private isOver = false;
  private failures = 0;
  private count = 0;
  private refusedHello = "";
  private readonly prefix = crypto.randomUUID().slice(0, 8);
  private readonly pending = new Map<string, Pending>();
  private readonly places = new Map<string, Resumed>();

  constructor(
    private readonly base: string,
    private readonly token: string,
  ) {}

  open(): void {
    const url = new URL("/ws", this.base);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const line = new WebSocket(url, PROTOCOL);
    this.line = line;
    line.onopen = () => this.sayHello();
    line.onmessage = (message) => this.hear(JSON.parse(String(message.data)) as ServerFrame);
    line.onclose = (closed) => this.closed(closed.code);
  }

  /** Send a command. The same id goes out again after a lost line: it is carried out once. */
  command(command: Command): Promise<Ok> {
    const frame = { ...command, id: this.nextId() } as Exclude<ClientFrame, Pong>;
    return new Promise((done, failed) => {
      this.pending.set(frame.id, { frame, done, failed });
      if (this.isWelcome) this.send(frame);
    });
  }

  /** Lose the line as a tunnel would; it comes back by itself. */
  breakLine(): void {
    this.line?.close();
  }

  /** Go for good; what is still waiting for a reply gets none. */
  close(): void {
    this.isOver = true;
    this.pending.clear();
    this.line?.close();
  }

  private nextId(): string {
    this.count += 1;
    return `${this.prefix}-${this.count}`;
  }

  private send(frame: ClientFrame): void {
    if (this.line?.readyState === WebSocket.OPEN) this.line.send(JSON.stringify(frame));
  }

  private sayHello(): void {
    const resume = [...this.places.values()];
    this.send({ t: "hello", id: this.nextId(), token: this.token, resume });
  }

  private hear(frame: ServerFrame): void {
    switch (frame.t) {
      case "welcome":
        this.isWelcome = true;
        this.failures = 0;
        this.onWelcome(frame);
        for (const { frame: again } of this.pending.values()) this.send(again);
        return;
      case "ping":
        return this.send({ t: "pong" });
      case "ok":
      case "refused":
        return this.answered(frame);
      case "event":
      case "snapshot":
        return this.told(frame);
    }
  }

  private answered(reply: Ok | Refused): void {
    const waiting = reply.re === null ? undefined : this.pending.get(reply.re);
    if (waiting === undefined || reply.re === null) {
      if (reply.t === "refused" && !this.isWelcome) this.refusedHello = reply.code;
      return;
    }
    this.pending.delete(reply.re);
    if (reply.t === "ok") waiting.done(reply);
    else waiting.failed(new RefusedError(reply.code, reply.text, reply.field ?? null));
  }

  /** Keep the place to resume from; what is told twice is dropped. */
  private told(frame: TableFrame): void {
    const place = this.places.get(frame.table);
    const isOld = place !== undefined && place.stream === frame.stream && frame.seq <= place.seq;
    if (frame.t === "event" && isOld) return;
    this.places.set(frame.table, { table: frame.table, seq: frame.seq, stream: frame.stream });
    this.onFrame(frame);
  }

  private closed(code: number): void {
    this.isWelcome = false;
    if (this.isOver) return;
    if (!COME_BACK.includes(code)) {
      for (const { failed } of this.pending.values()) failed(new Error(`closed: ${code}`));
      this.pending.clear();
      this.onEnd(code, this.refusedHello);
      return;
    }
    const wait = Math.min(BACK_OFF_MS * 2 ** this.failures, BACK_OFF_MAX_MS);
    this.failures += 1;
    setTimeout(() => this.open(), wait * (0.5 + Math.random() / 2));
  }
}
