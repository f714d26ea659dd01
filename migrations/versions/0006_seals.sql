-- Seals over the journal, the holds and their outcomes; and transaction ids that only rise, even when
-- a dump is restored on another cluster, which counts its transactions from the beginning.

create table ledger.xid_base (
  single boolean not null default true,
  base   bigint  not null,
  constraint xid_base_pkey primary key (single),
  constraint xid_base_single check (single));
insert into ledger.xid_base (base) values (0);

create function ledger.current_xid() returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select pg_current_xact_id()::text::bigint + base from ledger.xid_base
$$;

-- every transaction below it has ended, and what it wrote is visible
create function ledger.xid_watermark() returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + base from ledger.xid_base
$$;

-- `salt` blinds what is sealed: who knows the hashes beside his own entry can't guess the entries
alter table ledger.journal alter column xid set default ledger.current_xid();
alter table ledger.journal add column salt uuid not null default gen_random_uuid();
alter table ledger.hand_hold
  add column xid bigint not null default ledger.current_xid(),
  add column salt uuid not null default gen_random_uuid();
alter table ledger.hold_resolution
  add column xid bigint not null default ledger.current_xid(),
  add column salt uuid not null default gen_random_uuid();
alter index ledger.journal_xid_idx set (autosummarize = on);
create index hand_hold_xid_idx on ledger.hand_hold using brin (xid) with (autosummarize = on);
create index hold_resolution_xid_idx on ledger.hold_resolution using brin (xid) with (autosummarize = on);

create table ledger.seal (               -- over all that was written by transactions of [xid_from, xid_to)
  seq        bigint      not null,
  xid_from   bigint      not null,
  xid_to     bigint      not null,
  entries    bigint      not null,
  postings   bigint      not null,
  holds      bigint      not null,
  outcomes   bigint      not null,
  root       bytea       not null,
  prev_hash  bytea       not null,
  seal_hash  bytea       not null,
  server_pub bytea       not null,
  signature  bytea       not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint seal_pkey primary key (seq),
  constraint seal_xid_to_key unique (xid_to),
  constraint seal_seal_hash_key unique (seal_hash),
  constraint seal_range check (xid_from >= 0 and xid_to > xid_from),
  constraint seal_not_empty check (entries + holds + outcomes > 0),
  constraint seal_lengths check (
    length(root) = 32 and length(prev_hash) = 32 and length(seal_hash) = 32
    and length(server_pub) = 32 and length(signature) = 64));
create trigger no_change before update or delete on ledger.seal
  for each row execute function ledger.forbid();
create trigger no_truncate before truncate on ledger.seal
  for each statement execute function ledger.forbid();

create function ledger.append_seal(
  p_seq bigint, p_xid_from bigint, p_xid_to bigint, p_entries bigint, p_postings bigint,
  p_holds bigint, p_outcomes bigint, p_root bytea, p_prev_hash bytea, p_seal_hash bytea,
  p_server_pub bytea, p_signature bytea) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare v_last ledger.seal;
begin
  select * into v_last from ledger.seal order by seq desc limit 1;
  if p_seq <> coalesce(v_last.seq, 0) + 1 or p_xid_from <> coalesce(v_last.xid_to, 0)
     or p_prev_hash <> coalesce(v_last.seal_hash, decode(repeat('00', 32), 'hex'))
     or p_xid_to > ledger.xid_watermark() then
    raise exception 'seal % does not go on where the last one ended', p_seq using errcode = 'LG015';
  end if;
  insert into ledger.seal (seq, xid_from, xid_to, entries, postings, holds, outcomes, root, prev_hash,
                           seal_hash, server_pub, signature)
    values (p_seq, p_xid_from, p_xid_to, p_entries, p_postings, p_holds, p_outcomes, p_root, p_prev_hash,
            p_seal_hash, p_server_pub, p_signature);
end $$;

-- Go on above every id that was written: for a cluster that counts from lower ones. On the cluster
-- that wrote them it changes nothing, because an id is always above those that have ended.
create function ledger.continue_xids() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare v_sealed bigint; v_top bigint;
begin
  select coalesce(max(xid_to), 0) into v_sealed from ledger.seal;
  select greatest(v_sealed,
           (select max(xid) from ledger.journal where xid >= v_sealed),
           (select max(xid) from ledger.hand_hold where xid >= v_sealed),
           (select max(xid) from ledger.hold_resolution where xid >= v_sealed)) into v_top;
  update ledger.xid_base set base = base + v_top + 1 - ledger.current_xid()
    where ledger.current_xid() <= v_top;
end $$;

revoke all on all functions in schema ledger from public;
grant select on ledger.xid_base, ledger.seal to pakka_app;
grant execute on function
  ledger.current_xid, ledger.xid_watermark, ledger.append_seal, ledger.continue_xids to pakka_app;
