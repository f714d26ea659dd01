/** The known answers of fairdeal/1, derived again; for node and for a browser. */
const fair = new URL("../../server/web/static/fair/", import.meta.url);
const { concat, hex, unhex } = await import(new URL("bytes.js", fair));
const { signedBytes } = await import(new URL("encoding.js", fair));
const f = await import(new URL("fairdeal.js", fair));
const { sha256 } = await import(new URL("hashing.js", fair));
const { cardLeaf, pathIn } = await import(new URL("merkle.js", fair));

/** Derive every field of a vector from its inputs. */
export async function answer(v) {
  const seed = unhex(v.server_seed);
  const spec = await f.deckSpec(v.packs, v.printed_jokers);
  const handOf = (attempt) =>
    f.handHash({ serverPub: unhex(v.server_pub), table: unhex(v.table), handNo: v.hand_no, attempt, spec });
  const seedOf = (attempt) =>
    attempt === v.attempt ? seed : sha256(concat([seed, Uint8Array.of(attempt)]));
  const commits = [];
  for (let i = 0; i < 4; i += 1) commits.push(await f.serverCommit(await handOf(i), await seedOf(i)));
  const hand = await handOf(v.attempt);
  const commit = commits[v.attempt];
  const seats = [];
  for (const row of v.seats) {
    const x = await f.chain(unhex(row.z), hand, row.seat);
    const c = await f.seatCommit(hand, commit, row.seat, unhex(row.pub), x[0]);
    seats.push({ ...row, x, c });
  }
  const listed = seats.map((s) => ({
    seat: s.seat, kind: s.kind, player: unhex(s.player), pub: unhex(s.pub), status: s.status,
    commit: s.status ? s.c : new Uint8Array(32),
  }));
  const options = f.optionsText(v.options);
  const about = { game: v.game, rules: v.rules, options, dealer: v.dealer };
  const listing = await f.listHash({
    hand, commit, ...about, logSize: v.log_size, logRoot: unhex(v.log_root), seats: listed,
  });
  const reveals = (epoch) => seats.map((s) => [s.seat, s.status ? s.x[epoch] : null]);
  const mixed = await f.entropy(listing, reveals(0));
  const numbers = Array.from({ length: v.cards }, (_, i) => i);
  const shoe = await f.deal({ seed, hand, listing, entropy: mixed, epoch: 0, numbers });
  const stream = await f.deckStream(shoe.prk);
  for (let place = v.cards - 1; place > 0; place -= 1) await stream.below(place + 1);
  const transcript = [];
  let value = null;
  for (const { k, line } of v.transcript) {
    value = line === null ? await f.begin(hand, shoe.head) : await f.extend(value, k, line);
    const signed = hex(signedBytes("event", await f.eventDigest(hand, k, value)));
    transcript.push({ k, line, T: hex(value), signed_bytes: signed });
  }
  const last = value;
  const reshuffles = [];
  for (const row of v.reshuffles) {
    const { epoch, discards, k } = row;
    const before = value;
    const dh = await f.discardsHash(hand, epoch, discards);
    const call = await f.againCall(hand, epoch, before, dh);
    const again = await f.entropyAgain(before, dh, reveals(epoch));
    const next = await f.deal({ seed, hand, listing, entropy: again, epoch, numbers: discards });
    value = await f.reshuffled(before, k, next.head);
    const first = reveals(epoch).find(([, x]) => x !== null)[1];
    reshuffles.push({
      epoch, discards, discards_hash: hex(dh), call: hex(call), T_before: hex(before),
      again_digest: hex(await f.again(call, first)), entropy: hex(again), prk: hex(next.prk),
      deck: next.order, root: hex(next.root), header: hex(next.head), k, T_after: hex(value),
    });
  }
  const rows = v.result_lines.map((line) => line.split(" "));
  const result = await f.resultHash(hand, rows);
  const receipt = await f.receipt({ hand, seat: seats[0].seat, kind: 0, value: seats[0].c, ms: v.receipt_ms });
  const voided = reveals(0).map(([seat, x], i) => [seat, seats[i].status, x]);
  return {
    cards: shoe.order.length,
    seats: seats.map(({ x, c, ...row }) => ({ ...row, x: x.map(hex), commit: hex(c) })),
    deck_spec: hex(spec),
    hand: hex(hand),
    server_commits: commits.map(hex),
    seats_hash: hex(await f.seatsHash(hand, commit, listed)),
    game_hash: hex(await f.gameHash(about)),
    list_hash: hex(listing),
    entropy: hex(mixed),
    prk: hex(shoe.prk),
    rejected_words: stream.rejected,
    stream_blocks: stream.blocks,
    deck: shoe.order,
    toss_of_listed_seats: (await f.toss(shoe.prk, [seats.length]))[0],
    salt_0: hex(shoe.salts[0]),
    leaf_0: hex(await cardLeaf({ hand, epoch: 0, position: 0, number: shoe.order[0], salt: shoe.salts[0] })),
    root: hex(shoe.root),
    header: hex(shoe.head),
    opening_17: {
      position: 17, card: shoe.order[17], salt: hex(shoe.salts[17]), path: pathIn(shoe.levels, 17).map(hex),
    },
    transcript,
    reshuffles,
    receipt_commit: hex(receipt),
    receipt_signed_bytes: hex(signedBytes("receipt", receipt)),
    reveal_digest: hex(await f.reveal(listing, seats[0].x[0])),
    result: hex(result),
    log_open: hex(f.logOpen(unhex(v.table), v.hand_no, spec, commits)),
    log_deal: hex(f.logDeal({ hand, epoch: 0, listing, entropy: mixed, size: v.cards, root: shoe.root })),
    log_void: hex(f.logVoid(hand, v.void_reason, seed, voided)),
    log_close: hex(f.logClose(hand, seed, last, result)),
    log_cancel: hex(f.logCancel(unhex(v.table), v.hand_no, v.cancel_reason)),
  };
}

/** Fields that are given, not derived. */
export const INPUTS = new Set([
  "packs", "printed_jokers", "server_pub", "table", "hand_no", "attempt", "server_seed", "log_size",
  "log_root", "game", "rules", "options", "dealer", "receipt_ms", "void_reason", "cancel_reason",
  "result_lines",
]);
