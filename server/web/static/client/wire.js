// @ts-check
/** A socket of `pakka.v1` that comes back: hello, replies by id, pings, resume, back-off. */

/** @typedef {Record<string, any>} Frame */
/** @typedef {"connecting" | "open" | "lost" | "replaced" | "signed_out" | "ended"} Line */
/** @typedef {{frame: Frame, resolve: (reply: Frame) => void}} Pending */

const SUBPROTOCOL = "pakka.v1";
/** The server pings every 15 s; after three missed ones the connection is dead. */
const QUIET_MS = 45_000;
const BACK_OFF_MS = 200;
const BACK_OFF_MAX_MS = 10_000;
const REPLY_MS = 30_000;
/** Refusals that a later attempt may not meet. */
const PASSING = new Set(["slow_down", "busy"]);
const PASSING_TIMES = 5;
/** Codes by which the server says that it is over. @type {Record<number, Line>} */
const OVER = { 4409: "replaced", 4401: "signed_out", 4403: "signed_out", 4412: "ended", 1008: "ended" };

/** What a command came to, if not to `ok`. */
export class Refused extends Error {
  /** @param {string} code @param {string} text */
  constructor(code, text) {
    super(text || code);
    this.code = code;
  }
}

export class Wire {
  /**
   * @param {{url: string, onFrame: (frame: Frame) => void, onWelcome: (frame: Frame) => void,
   *   onLine: (line: Line) => void, onNotResumed: () => void, onSent?: (frame: Frame) => void,
   *   resume: () => Frame[], open?: (url: string, protocol: string) => WebSocket}} of
   */
  constructor(of) {
    this.of = of;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Map<string, Pending>} */
    this.pending = new Map();
    this.prefix = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.count = 0;
    this.failures = 0;
    this.isWelcome = false;
    this.isOver = false;
    this.helloId = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.quiet = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.again = undefined;
  }

  /** Connect, and come back after every passing failure. */
  start() {
    this.isOver = false;
    clearTimeout(this.again);
    this.of.onLine("connecting");
    const open = this.of.open ?? ((url, protocol) => new WebSocket(url, protocol));
    const socket = open(this.of.url, SUBPROTOCOL);
    this.socket = socket;
    this.#heard();
    socket.addEventListener("open", () => {
      this.helloId = this.#nextId();
      this.#write({ t: "hello", id: this.helloId, resume: this.of.resume() });
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.socket) this.#receive(event.data);
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.socket) this.#closed(event.code);
    });
  }

  /** End for good. */
  stop() {
    this.isOver = true;
    clearTimeout(this.again);
    clearTimeout(this.quiet);
    const socket = this.socket;
    this.socket = null;
    socket?.close(1000);
    for (const id of this.pending.keys()) this.#answer(id, { t: "refused", code: "fault" });
  }

  /** A phone has its line again, or the page is shown again: don't wait for the back-off. */
  hurry() {
    if (!this.isOver && !this.socket) this.start();
  }

  /** The browser says that its line is gone; the socket itself would notice only after a while. */
  lose() {
    const { socket } = this;
    if (!socket) return;
    this.#closed(0);
    socket.close();
  }

  /**
   * Send a command and wait for `ok`; a lost connection sends it again, under the same id.
   * @param {Frame} frame @returns {Promise<Frame>} rejected with `Refused`
   */
  async command(frame) {
    for (let attempt = 0; ; attempt += 1) {
      const reply = await this.#exchange(frame);
      if (reply.t === "ok") return reply;
      if (!PASSING.has(reply.code) || attempt === PASSING_TIMES) throw new Refused(String(reply.code), String(reply.text ?? ""));
      await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** attempt));
    }
  }

  /** @param {Frame} frame @returns {Promise<Frame>} */
  #exchange(frame) {
    const sent = { ...frame, id: this.#nextId() };
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#answer(sent.id, { t: "refused", code: "unavailable" }), REPLY_MS);
      this.pending.set(sent.id, {
        frame: sent,
        resolve: (reply) => {
          clearTimeout(timer);
          resolve(reply);
        },
      });
      if (this.isWelcome) this.#write(sent);
    });
  }

  #nextId() {
    this.count += 1;
    return `${this.prefix}-${this.count}`;
  }

  /** @param {Frame} frame */
  #write(frame) {
    this.of.onSent?.(frame);
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(frame));
  }

  #heard() {
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => this.socket?.close(), QUIET_MS);
  }

  /** @param {string} text */
  #receive(text) {
    this.#heard();
    const frame = JSON.parse(text);
    if (frame.t === "welcome") this.#welcome(frame);
    else if (frame.t === "ping") this.#write({ t: "pong" });
    else if (frame.t === "event" || frame.t === "snapshot") this.of.onFrame(frame);
    else if (frame.t === "refused" && frame.re === this.helloId) {
      if (this.isWelcome) this.of.onNotResumed();
      else this.#over(frame.code === "not_signed_in" || frame.code === "suspended" ? "signed_out" : "ended");
    } else if (frame.t === "ok" || frame.t === "refused") this.#answer(String(frame.re), frame);
  }

  /** @param {Frame} frame */
  #welcome(frame) {
    this.of.onWelcome(frame);
    this.failures = 0;
    this.isWelcome = true;
    this.of.onLine("open");
    for (const { frame: waiting } of this.pending.values()) this.#write(waiting);
  }

  /** @param {string} id @param {Frame} reply */
  #answer(id, reply) {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    pending?.resolve(reply);
  }

  /** @param {number} code */
  #closed(code) {
    clearTimeout(this.quiet);
    this.socket = null;
    this.isWelcome = false;
    if (this.isOver) return;
    const over = OVER[code];
    if (over) {
      this.#over(over);
      return;
    }
    this.of.onLine("lost");
    const bound = Math.min(BACK_OFF_MAX_MS, BACK_OFF_MS * 2 ** Math.min(this.failures, 10));
    this.failures += 1;
    this.again = setTimeout(() => this.start(), 20 + Math.random() * bound);
  }

  /** @param {Line} line */
  #over(line) {
    this.stop();
    this.of.onLine(line);
  }
}
