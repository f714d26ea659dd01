-- Accounts, holds and the journal. Amounts are micro-HT. Nothing here is written but by the functions
-- of 0003_ledger_functions.sql; what is append-only stays so for the owner of the tables too.

create table ledger.account (
  id            bigint generated always as identity (start with 1000),
  kind          smallint    not null,                -- 1 player 2 house 3 issuer 4 promo 5 suspense
  player_id     bigint,
  unit          text        not null default 'HT',
  keeps_balance boolean     not null default true,   -- false: append-only, the balance is a sum
  min_available bigint      default 0,               -- null: unlimited (issuer only)
  posted        bigint      not null default 0,
  held          bigint      not null default 0,
  available     bigint generated always as (posted - held) stored,
  version       bigint      not null default 0,      -- gapless, +1 for each posting
  frozen        boolean     not null default false,
  created_at    timestamptz not null default now(),
  constraint account_pkey primary key (id),
  constraint account_kind check (kind between 1 and 5),
  constraint account_unit check (unit = 'HT'),
  constraint account_held check (held >= 0),
  constraint account_no_overdraft check (min_available is null or posted - held >= min_available),
  constraint account_issuer_only check (min_available is not null or kind = 3),
  constraint account_append_only check (keeps_balance or (posted = 0 and held = 0 and version = 0)),
  constraint account_player_owner check ((kind = 1) = (player_id is not null))
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);
create unique index account_player_idx on ledger.account (player_id) where kind = 1;
create unique index account_house_idx on ledger.account (kind) where kind <> 1;

-- The house's own accounts have their kind as id. Those that every hand and every newcomer touch
-- keep no balance, so that nobody waits for anybody on them.
insert into ledger.account (id, kind, keeps_balance, min_available) overriding system value
values (2, 2, false, 0), (3, 3, false, null), (4, 4, false, 0), (5, 5, true, 0);

create table ledger.hand_hold (          -- escrow, taken before the deal; what was agreed on
  hand_id        bigint      not null,
  table_id       uuid        not null,
  practice       boolean     not null,
  n_seats        smallint    not null,
  total          bigint      not null,
  commission_bps smallint    not null,
  house_id       bigint      not null,
  request_hash   bytea       not null,
  expires_at     timestamptz not null,
  created_at     timestamptz not null default now(),
  constraint hand_hold_pkey primary key (hand_id),
  constraint hand_hold_n_seats check (n_seats between 2 and 8),
  constraint hand_hold_total check (total > 0),
  constraint hand_hold_commission_bps check (commission_bps between 0 and 10000));
create index hand_hold_expires_idx on ledger.hand_hold (expires_at);
create index hand_hold_table_idx on ledger.hand_hold (table_id, hand_id);

create table ledger.hold (
  hand_id    bigint not null,
  account_id bigint not null,
  amount     bigint not null,
  constraint hold_pkey primary key (hand_id, account_id),
  constraint hold_amount check (amount > 0));

create sequence ledger.journal_id;
create table ledger.journal (            -- one row for each business event
  id             bigint      not null,
  kind           smallint    not null,   -- 1 settle 2 issue 3 withdraw 4 adjust 5 reversal 6 grant
  hand_id        bigint,
  n_postings     smallint    not null,
  gross          bigint,
  commission_bps smallint,
  commission     bigint,
  reverses       bigint,
  reason         text        not null,
  actor          text        not null,
  xid            bigint      not null default pg_current_xact_id()::text::bigint,
  created_at     timestamptz not null default clock_timestamp(),
  constraint journal_pkey primary key (id),
  constraint journal_reverses_key unique (reverses),
  constraint journal_reverses_fkey foreign key (reverses) references ledger.journal,
  constraint journal_kind check (kind between 1 and 6),
  constraint journal_n_postings check (n_postings >= 2),
  constraint journal_settle_has_hand check ((kind = 1) = (hand_id is not null)),
  constraint journal_reversal_reverses check ((kind = 5) = (reverses is not null)),
  constraint journal_commission_rule check (
    (kind = 1) = (gross is not null and commission_bps is not null and commission is not null)
    and (kind <> 1 or commission = div(gross::numeric * commission_bps, 10000))));
create unique index journal_hand_idx on ledger.journal (hand_id) where hand_id is not null;
create index journal_xid_idx on ledger.journal using brin (xid);
create index journal_created_idx on ledger.journal using brin (created_at);
create index journal_reason_idx on ledger.journal (reason, id) where kind <> 1;

create table ledger.posting (            -- no times: the journal has them
  journal_id      bigint   not null,
  line            smallint not null,
  account_id      bigint   not null,
  amount          bigint   not null,
  account_version bigint,                -- null for an account that keeps no balance
  balance_after   bigint,
  constraint posting_pkey primary key (journal_id, line),
  constraint posting_version check ((account_version is null) = (balance_after is null)));
create unique index posting_statement_idx on ledger.posting (account_id, account_version)
  where account_version is not null;
create index posting_append_only_idx on ledger.posting (account_id, journal_id)
  where account_version is null;

create table ledger.hold_resolution (    -- THE exactly-once row: settled or voided
  hand_id      bigint      not null,
  outcome      smallint    not null,     -- 1 settled 2 voided
  journal_id   bigint,
  request_hash bytea,
  reason       text,
  created_at   timestamptz not null default now(),
  constraint hold_resolution_pkey primary key (hand_id),
  constraint hold_resolution_hand_id_fkey foreign key (hand_id) references ledger.hand_hold,
  constraint hold_resolution_journal_id_key unique (journal_id),
  constraint hold_resolution_outcome check (outcome in (1, 2)),
  constraint hold_resolution_settled check (
    (outcome = 1) = (journal_id is not null and request_hash is not null)),
  constraint hold_resolution_voided check ((outcome = 2) = (reason is not null)));

create table ledger.command (            -- idempotency of every transfer
  key          text        not null,
  request_hash bytea       not null,
  journal_id   bigint      not null,
  created_at   timestamptz not null default now(),
  constraint command_pkey primary key (key),
  constraint command_journal_id_key unique (journal_id));

-- nothing is changed or deleted
create function ledger.forbid() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'ledger.% is append-only', tg_table_name using errcode = 'LG009';
end $$;

do $$ declare t text; begin
  foreach t in array array['hand_hold', 'hold', 'journal', 'posting', 'hold_resolution', 'command'] loop
    execute format('create trigger no_change before update or delete on ledger.%I
                    for each row execute function ledger.forbid()', t);
    execute format('create trigger no_truncate before truncate on ledger.%I
                    for each statement execute function ledger.forbid()', t);
  end loop;
end $$;
create trigger no_delete before delete on ledger.account
  for each row execute function ledger.forbid();
create trigger no_truncate before truncate on ledger.account
  for each statement execute function ledger.forbid();
create trigger no_other_account
  before update of id, kind, player_id, unit, keeps_balance, min_available, created_at on ledger.account
  for each row execute function ledger.forbid();

-- zero-sum, completeness, accounts that exist, gross as the sum of what was paid: one deferred firing
-- for each entry
create function ledger.check_journal() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  v_sum numeric; v_paid numeric; v_lines int; v_known int;
begin
  select coalesce(sum(p.amount), 0), coalesce(-sum(p.amount) filter (where p.amount < 0), 0),
         count(*), count(a.id)
    into v_sum, v_paid, v_lines, v_known
    from ledger.posting p left join ledger.account a on a.id = p.account_id
   where p.journal_id = new.id;
  if v_sum <> 0 or v_lines <> new.n_postings or v_known <> v_lines
     or (new.kind = 1 and v_paid <> new.gross) then
    raise exception 'entry % is unbalanced: sum %, paid %, % of % lines, % known accounts',
      new.id, v_sum, v_paid, v_lines, new.n_postings, v_known using errcode = 'LG010';
  end if;
  return null;
end $$;
create constraint trigger journal_balances after insert on ledger.journal
  deferrable initially deferred for each row execute function ledger.check_journal();
