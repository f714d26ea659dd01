// Play one hand at the practice table, and lose the line once on the way:
//   node play.js http://127.0.0.1:8000

import { Socket, ask } from "./client.js";
import { SeatKey, unhex } from "./fairdeal.js";
import type { ClosedBody } from "./pakka.js";
import { RummySeat } from "./seat.js";

declare const process: { argv: string[]; exit(code: number): never };

const DROP_AT = 4;
const BREAK_AT = 2;

function problem(why: unknown): never {
  console.error(String(why));
  process.exit(1);
}

async function hand(base: string): Promise<ClosedBody> {
  const about = await ask(base, "GET /");
  const { tables } = await ask(base, "GET /api/v1/tables");
  const table = tables.find((one) => one.practice && one.game === "rummy");
  if (table === undefined) throw new Error("no practice table is open");
  const key = crypto.randomUUID();
  const guest = await ask(base, "POST /api/v1/guests", { body: { name: "Asha" }, key });
  if (guest.token === null) throw new Error("a token was asked for");
  const socket = new Socket(base, guest.token);
  const seatKey = await SeatKey.make();
  const seat = new RummySeat(socket, table.id, unhex(about.server_key), seatKey, problem, DROP_AT);
  seat.onRefused = (why) => console.error(String(why));
  let isBroken = false;
  socket.onWelcome = (welcome) => {
    if (welcome.server_key !== about.server_key) problem("the server has another key");
  };
  socket.onFrame = (frame) => {
    seat.take(frame);
    if (seat.turns === BREAK_AT && !isBroken) {
      isBroken = true;
      socket.breakLine();
    }
  };
  socket.onEnd = (code, why) => problem(`the socket was closed: ${code} ${why}`);
  const closed = new Promise<ClosedBody>((done) => {
    seat.onClosed = (end) => {
      console.log(`turns ${seat.turns}, line ${isBroken ? "broken once" : "whole"}`);
      done(end);
    };
  });
  socket.open();
  await socket.command({ t: "table.sit", table: table.id });
  const end = await closed;
  await socket.command({ t: "table.leave", table: table.id });
  socket.close();
  return end;
}

const base = process.argv[2] ?? "http://127.0.0.1:8000";
hand(base).then((end) => {
  for (const row of end.result) console.log(`seat ${row.seat}: ${row.points} points`);
  console.log(`pakka verify ${new URL(end.record, base)}`);
}, problem);
