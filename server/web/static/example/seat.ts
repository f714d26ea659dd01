// A seat at a rummy table: it commits, checks the list, reveals, and plays.
//
// What it leaves out, and `server/bots` has: the proofs of the opened cards against the published
// root, the transcript, the public log, and a seed that outlives the app. `pakka verify` checks
// all of that in the record after the hand.

import { type Command, RefusedError, type Socket, type TableFrame } from "./client.js";
import {
  type Bytes,
  SeatKey,
  againHash,
  chainOf,
  handHash,
  hex,
  isSigned,
  listHash,
  revealHash,
  seatCommit,
  unhex,
} from "./fairdeal.js";
import type {
  CallBody,
  ClosedBody,
  GameEvent,
  ListBody,
  OpenBody,
  RummyMove,
  Snapshot,
  TableEvent,
} from "./pakka.js";

interface Attempt {
  hash: Bytes;
  links: Bytes[];
  commit: string;
  /** Epochs that were revealed, and for which list or call: never for two. */
  revealed: Map<number, string>;
}

export class RummySeat {
  onClosed: (closed: ClosedBody) => void = () => {};
  /** Hears of what came too late, as when the clock has played: the next event says what holds. */
  onRefused: (why: RefusedError) => void = () => {};
  /** Turns that were played in the hand. */
  turns = 0;
  seat: number | null = null;

  private opened: OpenBody | null = null;
  private list: ListBody | null = null;
  private turn = 0;
  private readonly attempts = new Map<string, Attempt>();
  private work: Promise<void> = Promise.resolve();

  constructor(
    private readonly socket: Socket,
    readonly table: string,
    private readonly serverPub: Bytes,
    private readonly key: SeatKey,
    private readonly onProblem: (why: unknown) => void,
    /** From this turn of a hand on it is given up; a real player thinks instead. */
    private readonly dropAt: number,
  ) {}

  /** Take a frame of this table; frames are worked off in order. */
  take(frame: TableFrame): void {
    this.work = this.work
      .then(async () => {
        if (frame.t === "snapshot") await this.follow(frame.d);
        else if (frame.d !== null) await this.happened(frame.d);
      })
      .catch(this.onProblem);
  }

  private async happened(d: TableEvent | GameEvent): Promise<void> {
    switch (d.e) {
      case "hand.opened":
        this.opened = d;
        this.turns = 0;
        return;
      case "deal.phase":
        if (!this.isAsked(d.waiting)) return;
        if (d.phase === "commit") await this.commit(d.attempt);
        if (d.phase === "reveal") await this.reveal();
        return;
      case "hand.listed":
        this.list = d;
        return;
      case "hand.again_called":
        return this.revealAgain(d);
      case "turn":
        this.turn = d.turn;
        if (this.isAsked(d.seats)) await this.begin();
        return;
      case "drawn": {
        const card = d.card ?? d.openings?.[0]?.card;
        if (d.seat === this.seat && !d.auto && card !== undefined) await this.discard(card);
        return;
      }
      case "hand.closed":
        return this.onClosed(d);
      case "seat.sits_out":
        if (d.seat === this.seat && d.sits_out !== null) {
          await this.say({ t: "table.back", table: this.table });
        }
        return;
      case "seat.left":
        if (d.seat === this.seat) this.seat = null;
        return;
    }
  }

  /** Take up the table as it stands: after sitting down, or after too long an absence. */
  private async follow(d: Snapshot): Promise<void> {
    this.seat = d.you;
    this.opened = d.open;
    if (d.hand !== null) this.list = d.hand.listed;
    if (!this.isAsked(d.waiting)) return;
    if (d.phase === "commit" && d.attempt !== null) await this.commit(d.attempt);
    if (d.phase === "reveal") await this.reveal();
    if (d.hand === null || !("view" in d.hand)) return;
    if (d.phase === "reshuffle" && d.hand.call !== null) await this.revealAgain(d.hand.call);
    if (d.phase !== "play") return;
    this.turn = d.hand.turn;
    const { view } = d.hand;
    if (!("drawn_card" in view)) throw new Error("another game than rummy");
    const drawn = view.drawn_card;
    await (drawn === null ? this.begin() : this.discard(drawn));
  }

  private isAsked(seats: number[]): boolean {
    return this.seat !== null && seats.includes(this.seat);
  }

  private async attempt(number: number): Promise<Attempt> {
    const { opened, seat } = this;
    if (opened === null || seat === null) throw new Error("no open hand, or no seat");
    const commit = opened.commits[number];
    if (commit === undefined) throw new Error("there are four attempts");
    const hash = await handHash(this.serverPub, this.table, opened.hand, number, opened.spec);
    const known = this.attempts.get(hex(hash));
    if (known !== undefined) return known;
    // An app stores z before the commit leaves: a lost seed is a missed reveal.
    const z = crypto.getRandomValues(new Uint8Array(32));
    const links = await chainOf(z, hash, seat);
    const first = await seatCommit(hash, commit, seat, this.key.pub, links[0]!);
    const made = { hash, links, commit: hex(first), revealed: new Map<number, string>() };
    this.attempts.set(hex(hash), made);
    return made;
  }

  private async commit(number: number): Promise<void> {
    const { commit } = await this.attempt(number);
    const sig = await this.key.sign("commit", unhex(commit));
    const d = { attempt: number, commit, pub: hex(this.key.pub), sig };
    await this.say({ t: "deal.commit", table: this.table, hand: this.opened!.hand, d });
  }

  /** Reveal for a list that the server signed and that has this seat's commit as it was sent. */
  private async reveal(): Promise<void> {
    const { list, opened } = this;
    if (list === null || opened === null) throw new Error("a reveal is asked for without a list");
    const own = await this.attempt(list.attempt);
    const whole = await listHash(list, own.hash, opened.commits[list.attempt]!);
    const row = list.seats.find((one) => one.seat === this.seat);
    const isWhole = hex(whole) === list.L && row?.commit === own.commit;
    if (!isWhole || !(await isSigned(this.serverPub, "list", whole, list.sig))) {
      throw new Error("the list does not hold: nothing is revealed");
    }
    const x = this.link(own, 0, list.L);
    const sig = await this.key.sign("reveal", await revealHash(whole, x));
    const d = { attempt: list.attempt, x: hex(x), sig };
    await this.say({ t: "deal.reveal", table: this.table, hand: opened.hand, d });
  }

  private async revealAgain(call: CallBody): Promise<void> {
    const own = this.list && (await this.attempt(this.list.attempt));
    if (!own || !this.list!.seats.some((one) => one.seat === this.seat && one.status === 1)) return;
    const isOurs = await isSigned(this.serverPub, "call", unhex(call.call), call.sig_call);
    if (!isOurs) throw new Error("the call for a reshuffle is not the server's");
    const x = this.link(own, call.epoch, call.call);
    const sig = await this.key.sign("again", await againHash(unhex(call.call), x));
    const d = { epoch: call.epoch, x: hex(x), sig };
    await this.say({ t: "deal.reveal_again", table: this.table, hand: call.hand, d });
  }

  private link(own: Attempt, epoch: number, why: string): Bytes {
    const before = own.revealed.get(epoch);
    if (before !== undefined && before !== why) throw new Error("a second reveal is asked for");
    own.revealed.set(epoch, why);
    return own.links[epoch]!;
  }

  private async begin(): Promise<void> {
    this.turns += 1;
    const isOver = this.turns >= this.dropAt;
    await this.play(isOver ? { move: "drop" } : { move: "draw", from: "closed" });
  }

  private async discard(card: string): Promise<void> {
    await this.play({ move: "discard", card });
  }

  private async play(d: RummyMove): Promise<void> {
    const { table, turn } = this;
    await this.say({ t: "play", table, hand: this.opened!.hand, turn, d });
  }

  /** Send a command without waiting: its reply may come after the events that it made. */
  private async say(command: Command): Promise<void> {
    this.socket.command(command).catch((why: unknown) => {
      if (why instanceof RefusedError) this.onRefused(why);
      else this.onProblem(why);
    });
  }
}
