-- The functions that own every write of the ledger. Each is the owner's (security definer), with a
-- fixed search_path; the application may call them and read, nothing else.
--
-- Order of locks, everywhere: accounts by ascending id in a statement of their own; the journal id
-- (so that for each account id, time and version rise together); the gate row; the journal; one
-- UPDATE that feeds one INSERT of all postings.

create function ledger.open_player_account(p_player bigint, out account_id bigint, out is_new boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into ledger.account (kind, player_id) values (1, p_player)
    on conflict (player_id) where kind = 1 do nothing returning id into account_id;
  is_new := found;
  if not is_new then
    select a.id into strict account_id from ledger.account a where a.kind = 1 and a.player_id = p_player;
  end if;
end $$;

create function ledger.freeze_account(p_player bigint, p_frozen boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update ledger.account set frozen = p_frozen where kind = 1 and player_id = p_player;
  if not found then
    raise exception 'player % has no account', p_player using errcode = 'LG001';
  end if;
end $$;

create function ledger.hold_hand(
  p_hand bigint, p_table uuid, p_practice boolean, p_players bigint[], p_amounts bigint[],
  p_bps smallint, p_ttl interval) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_hash bytea := sha256(convert_to(
    jsonb_build_array(p_table, p_practice, p_players, p_amounts, p_bps)::text, 'UTF8'));
  v_seen bytea; v_outcome smallint; v_known int; v_frozen text; v_uncovered text; v_rows int;
begin
  if cardinality(p_players) <> cardinality(p_amounts)
     or exists (select from unnest(p_amounts) x where x is null or x <= 0) then
    raise exception 'an amount to hold is above zero' using errcode = 'LG005';
  end if;
  perform 1 from ledger.account where kind = 1 and player_id = any (p_players)
    order by id for no key update;
  insert into ledger.hand_hold
      (hand_id, table_id, practice, n_seats, total, commission_bps, house_id, request_hash, expires_at)
    select p_hand, p_table, p_practice, cardinality(p_players), (select sum(x) from unnest(p_amounts) x),
           p_bps, h.id, v_hash, now() + p_ttl
      from ledger.account h where h.kind = 2
    on conflict (hand_id) do nothing;
  if not found then
    select h.request_hash, r.outcome into strict v_seen, v_outcome
      from ledger.hand_hold h left join ledger.hold_resolution r using (hand_id)
     where h.hand_id = p_hand;
    if v_outcome = 2 then
      raise exception 'hand % was voided', p_hand using errcode = 'LG004';
    elsif v_seen <> v_hash or v_outcome = 1 then
      raise exception 'hand % was held otherwise', p_hand using errcode = 'LG012';
    end if;
    return 'already held';
  end if;
  select count(a.id), string_agg(m.player_id::text, ',') filter (where a.frozen),
         string_agg(m.player_id::text, ',') filter (where a.available < m.amount)
    into v_known, v_frozen, v_uncovered
    from unnest(p_players, p_amounts) m (player_id, amount)
    left join ledger.account a on a.kind = 1 and a.player_id = m.player_id;
  if v_known <> cardinality(p_players) then
    raise exception 'a player has no account' using errcode = 'LG001';
  elsif v_frozen is not null then
    raise exception 'frozen accounts' using errcode = 'LG013', detail = v_frozen;
  elsif v_uncovered is not null then
    raise exception 'not covered' using errcode = 'LG008', detail = v_uncovered;
  end if;
  with moved as (
    update ledger.account a set held = a.held + m.amount
      from unnest(p_players, p_amounts) m (player_id, amount)
     where a.kind = 1 and a.player_id = m.player_id
    returning a.id, m.amount)
  insert into ledger.hold (hand_id, account_id, amount) select p_hand, id, amount from moved;
  get diagnostics v_rows = row_count;
  if v_rows <> cardinality(p_players) then
    raise exception 'a player is named twice' using errcode = 'LG002';
  end if;
  return 'held';
end $$;

create function ledger.settle_hand(
  p_hand bigint, p_winner bigint, p_payers bigint[], p_pays bigint[],
  out journal_id bigint, out gross bigint, out commission bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_hash bytea := sha256(convert_to(jsonb_build_array(p_winner, p_payers, p_pays)::text, 'UTF8'));
  v_journal bigint; v_gross bigint; v_commission bigint; v_rows int;
  v_hold ledger.hand_hold; v_seen ledger.hold_resolution;
begin
  if cardinality(p_payers) <> cardinality(p_pays)
     or exists (select from unnest(p_pays) x where x is null or x < 0) then
    raise exception 'a payment is zero or above' using errcode = 'LG005';
  end if;
  perform 1 from ledger.account where kind = 1 and player_id = any (p_payers || p_winner)
    order by id for no key update;
  select * into v_hold from ledger.hand_hold h where h.hand_id = p_hand;
  if not found then
    raise exception 'hand % is not held', p_hand using errcode = 'LG007';
  end if;
  v_gross := (select coalesce(sum(x), 0) from unnest(p_pays) x);
  v_commission := div(v_gross::numeric * v_hold.commission_bps, 10000);
  v_journal := nextval('ledger.journal_id');
  insert into ledger.hold_resolution (hand_id, outcome, journal_id, request_hash)
    values (p_hand, 1, v_journal, v_hash) on conflict (hand_id) do nothing;
  if not found then
    select * into strict v_seen from ledger.hold_resolution r where r.hand_id = p_hand;
    if v_seen.outcome = 2 then
      raise exception 'hand % was voided', p_hand using errcode = 'LG004';
    elsif v_seen.request_hash <> v_hash then
      raise exception 'hand % was settled otherwise', p_hand using errcode = 'LG011';
    end if;
    settle_hand.journal_id := v_seen.journal_id;
    settle_hand.gross := v_gross;
    settle_hand.commission := v_commission;
    return;
  end if;
  insert into ledger.journal (id, kind, hand_id, n_postings, gross, commission_bps, commission, reason, actor)
    values (v_journal, 1, p_hand, cardinality(p_payers) + 2, v_gross, v_hold.commission_bps, v_commission,
            'hand', 'table');
  with m as (
    select p.player_id, -p.pay as delta, p.line
      from unnest(p_payers, p_pays) with ordinality p (player_id, pay, line)
    union all select p_winner, v_gross - v_commission, cardinality(p_payers) + 1),
  moved as (
    update ledger.account a
       set posted = a.posted + m.delta, held = a.held - h.amount, version = a.version + 1
      from m, ledger.hold h
     where a.kind = 1 and a.player_id = m.player_id and h.hand_id = p_hand and h.account_id = a.id
       and m.delta >= -h.amount                                   -- never more than was held
    returning a.id, m.line, m.delta, a.version, a.posted)
  insert into ledger.posting (journal_id, line, account_id, amount, account_version, balance_after)
    select v_journal, line, id, delta, version, posted from moved
    union all
    select v_journal, cardinality(p_payers) + 2, v_hold.house_id, v_commission, null, null;
  get diagnostics v_rows = row_count;
  if v_rows <> cardinality(p_payers) + 2 or v_rows <> v_hold.n_seats + 1 then
    raise exception 'the settlement of hand % does not fit its hold', p_hand using errcode = 'LG002';
  end if;
  settle_hand.journal_id := v_journal;
  settle_hand.gross := v_gross;
  settle_hand.commission := v_commission;
end $$;

create function ledger.void_hand(p_hand bigint, p_reason text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_outcome smallint;
begin
  perform 1 from ledger.account where id in (select account_id from ledger.hold where hand_id = p_hand)
    order by id for no key update;
  if not exists (select from ledger.hand_hold where hand_id = p_hand) then
    raise exception 'hand % is not held', p_hand using errcode = 'LG007';
  end if;
  insert into ledger.hold_resolution (hand_id, outcome, reason) values (p_hand, 2, p_reason)
    on conflict (hand_id) do nothing;
  if not found then
    select outcome into strict v_outcome from ledger.hold_resolution where hand_id = p_hand;
    return case v_outcome when 1 then 'already settled' else 'already voided' end;
  end if;
  update ledger.account a set held = a.held - h.amount
    from ledger.hold h where h.hand_id = p_hand and a.id = h.account_id;
  return 'voided';
end $$;

create function ledger.transfer(
  p_key text, p_kind smallint, p_from bigint, p_to bigint, p_amount bigint, p_reason text, p_actor text,
  p_via bigint default null) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_hash bytea := sha256(convert_to(
    jsonb_build_array(p_kind, p_from, p_to, p_amount, p_reason, p_via)::text, 'UTF8'));
  v_journal bigint; v_seen ledger.command; v_rows int;
  v_lines int := case when p_via is null then 2 else 4 end;
begin
  if p_amount <= 0 or p_amount > 1000000000000000 or p_from = p_to or p_kind not in (2, 3, 4, 6) then
    raise exception 'bad transfer' using errcode = 'LG005';
  end if;
  perform 1 from ledger.account where id in (p_from, p_to) and keeps_balance
    order by id for no key update;
  v_journal := nextval('ledger.journal_id');
  insert into ledger.command (key, request_hash, journal_id) values (p_key, v_hash, v_journal)
    on conflict (key) do nothing;
  if not found then
    select * into strict v_seen from ledger.command where key = p_key;
    if v_seen.request_hash <> v_hash then
      raise exception 'that key was used for another transfer' using errcode = 'LG003';
    end if;
    return v_seen.journal_id;
  end if;
  if exists (select from ledger.account where id in (p_from, p_to) and frozen) then
    raise exception 'frozen account' using errcode = 'LG013';
  end if;
  insert into ledger.journal (id, kind, n_postings, reason, actor)
    values (v_journal, p_kind, v_lines, p_reason, p_actor);
  with m (id, delta, line) as (
    select * from (values (p_from, -p_amount, 1), (p_via, p_amount, 2), (p_via, -p_amount, 3),
                          (p_to, p_amount, v_lines)) v (id, delta, line) where v.id is not null),
  moved as (
    update ledger.account a set posted = a.posted + m.delta, version = a.version + 1
      from m where a.id = m.id and a.keeps_balance
    returning a.id, m.line, m.delta, a.version, a.posted)
  insert into ledger.posting (journal_id, line, account_id, amount, account_version, balance_after)
    select v_journal, line, id, delta, version, posted from moved
    union all
    select v_journal, m.line, m.id, m.delta, null, null
      from m join ledger.account a on a.id = m.id and not a.keeps_balance;
  get diagnostics v_rows = row_count;
  if v_rows <> v_lines then
    raise exception 'unknown account' using errcode = 'LG001';
  end if;
  return v_journal;
end $$;

create function ledger.reverse(p_journal bigint, p_reason text, p_actor text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_journal bigint; v_first ledger.journal; v_rows int;
begin
  select * into v_first from ledger.journal where id = p_journal;
  if not found then
    raise exception 'there is no entry %', p_journal using errcode = 'LG014';
  elsif v_first.kind = 5 then
    raise exception 'entry % is a reversal itself', p_journal using errcode = 'LG006';
  end if;
  perform 1 from ledger.account
    where keeps_balance and id in (select account_id from ledger.posting where journal_id = p_journal)
    order by id for no key update;
  v_journal := nextval('ledger.journal_id');
  insert into ledger.journal (id, kind, n_postings, reverses, reason, actor)
    values (v_journal, 5, v_first.n_postings, p_journal, p_reason, p_actor)
    on conflict (reverses) do nothing;
  if not found then
    return (select id from ledger.journal where reverses = p_journal);
  end if;
  with moved as (
    update ledger.account a set posted = a.posted - p.amount, version = a.version + 1
      from ledger.posting p where p.journal_id = p_journal and a.id = p.account_id and a.keeps_balance
    returning a.id, p.line, -p.amount as delta, a.version, a.posted)
  insert into ledger.posting (journal_id, line, account_id, amount, account_version, balance_after)
    select v_journal, line, id, delta, version, posted from moved
    union all
    select v_journal, p.line, p.account_id, -p.amount, null, null
      from ledger.posting p join ledger.account a on a.id = p.account_id and not a.keeps_balance
     where p.journal_id = p_journal;
  get diagnostics v_rows = row_count;
  if v_rows <> v_first.n_postings then
    raise exception 'entry % can''t be reversed whole', p_journal using errcode = 'LG006';
  end if;
  return v_journal;
end $$;

revoke all on all functions in schema ledger from public;
grant select on all tables in schema ledger to pakka_app;
grant execute on function
  ledger.open_player_account, ledger.freeze_account, ledger.hold_hand, ledger.settle_hand,
  ledger.void_hand, ledger.transfer, ledger.reverse to pakka_app;
