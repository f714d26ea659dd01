-- The same functions, for fewer and shorter statements. What was wrong with the first ones, by their
-- plans: every join with the accounts of a hand's players read all accounts there were, in the check
-- of the cover, in both updates and in the balance check of each entry. Here accounts are found once,
-- in the statement that locks them, and by their ids from then on.
--
-- The order of locks is that of 0003, and so is every refusal.

create or replace function ledger.hold_hand(
  p_hand bigint, p_table uuid, p_practice boolean, p_players bigint[], p_amounts bigint[],
  p_bps smallint, p_ttl interval) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_hash bytea := sha256(convert_to(
    jsonb_build_array(p_table, p_practice, p_players, p_amounts, p_bps)::text, 'UTF8'));
  v_seen bytea; v_outcome smallint; v_known int; v_frozen text; v_uncovered text; v_rows int;
  v_ids bigint[]; v_total bigint;
begin
  if cardinality(p_players) <> cardinality(p_amounts) or (0 < all (p_amounts)) is not true then
    raise exception 'an amount to hold is above zero' using errcode = 'LG005';
  end if;
  select count(a.id), array_agg(a.id order by m.at), sum(m.amount),
         string_agg(m.player_id::text, ',') filter (where a.frozen),
         string_agg(m.player_id::text, ',') filter (where a.available < m.amount)
    into v_known, v_ids, v_total, v_frozen, v_uncovered
    from unnest(p_players, p_amounts) with ordinality m (player_id, amount, at)
    left join (select id, player_id, available, frozen from ledger.account
                where kind = 1 and player_id = any (p_players)
                order by id for no key update) a using (player_id);
  insert into ledger.hand_hold
      (hand_id, table_id, practice, n_seats, total, commission_bps, house_id, request_hash, expires_at)
    select p_hand, p_table, p_practice, cardinality(p_players), v_total, p_bps, h.id, v_hash, now() + p_ttl
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
  if v_known <> cardinality(p_players) then
    raise exception 'a player has no account' using errcode = 'LG001';
  elsif v_frozen is not null then
    raise exception 'frozen accounts' using errcode = 'LG013', detail = v_frozen;
  elsif v_uncovered is not null then
    raise exception 'not covered' using errcode = 'LG008', detail = v_uncovered;
  end if;
  with moved as (
    update ledger.account a set held = a.held + m.amount
      from unnest(v_ids, p_amounts) m (id, amount)
     where a.id = any (v_ids) and a.id = m.id
    returning a.id, m.amount)
  insert into ledger.hold (hand_id, account_id, amount) select p_hand, id, amount from moved;
  get diagnostics v_rows = row_count;
  if v_rows <> cardinality(p_players) then
    raise exception 'a player is named twice' using errcode = 'LG002';
  end if;
  return 'held';
end $$;

create or replace function ledger.settle_hand(
  p_hand bigint, p_winner bigint, p_payers bigint[], p_pays bigint[],
  out journal_id bigint, out gross bigint, out commission bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_hash bytea := sha256(convert_to(jsonb_build_array(p_winner, p_payers, p_pays)::text, 'UTF8'));
  v_players bigint[] := p_payers || p_winner;
  v_journal bigint; v_gross bigint := 0; v_commission bigint; v_rows int; v_pay bigint; v_ids bigint[];
  v_hold ledger.hand_hold; v_seen ledger.hold_resolution;
begin
  if cardinality(p_payers) <> cardinality(p_pays) or (0 <= all (p_pays)) is not true then
    raise exception 'a payment is zero or above' using errcode = 'LG005';
  end if;
  select array_agg(a.id order by array_position(v_players, a.player_id)) into v_ids
    from (select id, player_id from ledger.account
           where kind = 1 and player_id = any (v_players) order by id for no key update) a;
  select * into v_hold from ledger.hand_hold h where h.hand_id = p_hand;
  if not found then
    raise exception 'hand % is not held', p_hand using errcode = 'LG007';
  end if;
  foreach v_pay in array p_pays loop
    v_gross := v_gross + v_pay;
  end loop;
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
  with moved as (
    update ledger.account a
       set posted = a.posted + m.delta, held = a.held - h.amount, version = a.version + 1
      from (select u.line, u.id, coalesce(-u.pay, v_gross - v_commission) as delta
              from unnest(v_ids, p_pays) with ordinality u (id, pay, line)) m
      join ledger.hold h on h.hand_id = p_hand and h.account_id = m.id
     where a.id = any (v_ids) and a.id = m.id
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

create or replace function ledger.check_journal() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  v_sum numeric; v_paid numeric; v_lines int; v_known int;
begin
  select coalesce(sum(p.amount), 0), coalesce(-sum(p.amount) filter (where p.amount < 0), 0),
         count(*), count((select a.id from ledger.account a where a.id = p.account_id))
    into v_sum, v_paid, v_lines, v_known
    from ledger.posting p
   where p.journal_id = new.id;
  if v_sum <> 0 or v_lines <> new.n_postings or v_known <> v_lines
     or (new.kind = 1 and v_paid <> new.gross) then
    raise exception 'entry % is unbalanced: sum %, paid %, % of % lines, % known accounts',
      new.id, v_sum, v_paid, v_lines, new.n_postings, v_known using errcode = 'LG010';
  end if;
  return null;
end $$;
