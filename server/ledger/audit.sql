The invariants of the ledger. One row each; columns that begin with wrong_ must be 0.

-- the sum of all postings is 0
select count(*) as postings, coalesce(sum(amount), 0) as wrong_sum from ledger.posting;

-- each entry is balanced and complete
with found as (
  select coalesce(j.id, p.journal_id) as id, j.n_postings, count(p.line) as lines,
         coalesce(sum(p.amount), 0) as total, count(a.id) as known
    from ledger.journal j
    full join ledger.posting p on p.journal_id = j.id
    left join ledger.account a on a.id = p.account_id
   group by 1, 2)
select count(*) as entries,
       count(*) filter (where total <> 0) as wrong_balance,
       count(*) filter (where n_postings is distinct from lines) as wrong_lines,
       count(*) filter (where known <> lines) as wrong_accounts
  from found;

-- each balance is the sum of its postings, each version their count
with summed as (
  select account_id, sum(amount) as total, count(*) as n from ledger.posting
   where account_version is not null group by 1)
select count(*) as accounts,
       count(*) filter (where a.posted <> coalesce(s.total, 0)) as wrong_balances,
       count(*) filter (where a.version <> coalesce(s.n, 0)) as wrong_versions
  from ledger.account a left join summed s on s.account_id = a.id where a.keeps_balance;

-- running balances and versions go on without a gap
with line as (
  select account_version, balance_after, amount,
         row_number() over w as n, sum(amount) over w as total
    from ledger.posting where account_version is not null
  window w as (partition by account_id order by account_version))
select count(*) as postings,
       count(*) filter (where account_version <> n) as wrong_versions,
       count(*) filter (where balance_after <> total) as wrong_balances
  from line;

-- accounts keep a balance, or none, as they say
select count(*) as postings,
       count(*) filter (where a.keeps_balance <> (p.account_version is not null)) as wrong_kind
  from ledger.posting p join ledger.account a on a.id = p.account_id;

-- ids and times rise with the versions of each account
with line as (
  select j.id, j.created_at, lag(j.id) over w as id_before, lag(j.created_at) over w as time_before
    from ledger.posting p join ledger.journal j on j.id = p.journal_id
   where p.account_version is not null
  window w as (partition by p.account_id order by p.account_version))
select count(*) as postings,
       count(*) filter (where id <= id_before) as wrong_ids,
       count(*) filter (where created_at < time_before) as wrong_times
  from line;

-- what is held is the sum of the open holds
with opened as (
  select h.account_id, sum(h.amount) as total from ledger.hold h
   where not exists (select from ledger.hold_resolution r where r.hand_id = h.hand_id) group by 1)
select coalesce(sum(a.held), 0) as held_micro,
       count(*) filter (where a.held <> coalesce(o.total, 0)) as wrong_accounts
  from ledger.account a full join opened o on o.account_id = a.id;

-- each hold has the seats and the sum of its hand
with found as (
  select h.hand_id, h.n_seats, h.total, count(s.account_id) as seats, coalesce(sum(s.amount), 0) as held,
         count(*) filter (where a.kind is distinct from 1) as strangers
    from ledger.hand_hold h
    left join ledger.hold s on s.hand_id = h.hand_id
    left join ledger.account a on a.id = s.account_id
   group by 1)
select count(*) as hands,
       count(*) filter (where n_seats <> seats or total <> held or strangers > 0) as wrong_hands,
       (select count(*) from ledger.hold s
         where not exists (select from ledger.hand_hold h where h.hand_id = s.hand_id)) as wrong_seats
  from found;

-- nobody has less than nothing available
select count(*) filter (where kind = 1) as players,
       count(*) filter (where keeps_balance and kind <> 3 and posted - held < 0) as wrong_accounts,
       count(*) filter (where kind <> 3 and min_available is distinct from 0) as wrong_limits
  from ledger.account;

-- each account belongs to the player that its first entry names
select count(*) as accounts,
       count(*) filter (where j.actor <> 'player:' || a.player_id) as wrong_players
  from ledger.account a
  join ledger.posting p on p.account_id = a.id and p.account_version = 1
  join ledger.journal j on j.id = p.journal_id and j.actor like 'player:%'
 where a.kind = 1;

-- settled hands and settlements are one to one
select count(r.hand_id) as hands,
       count(*) filter (where r.hand_id is null) as wrong_entries,
       count(*) filter (where j.id is null) as wrong_hands
  from (select * from ledger.hold_resolution where outcome = 1) r
  full join (select * from ledger.journal where kind = 1) j
    on j.id = r.journal_id and j.hand_id = r.hand_id;

-- each settlement keeps to its hold: the seats, the most they pay, the commission, one winner
with line as (
  select j.id, h.n_seats, j.n_postings, j.gross, j.commission, j.commission_bps, h.commission_bps as agreed,
         p.amount, a.kind, s.amount as held, p.account_id = h.house_id as is_house
    from ledger.journal j
    join ledger.posting p on p.journal_id = j.id
    left join ledger.account a on a.id = p.account_id
    left join ledger.hand_hold h on h.hand_id = j.hand_id
    left join ledger.hold s on s.hand_id = j.hand_id and s.account_id = p.account_id
   where j.kind = 1),
found as (
  select id,
         bool_and(commission_bps is not distinct from agreed and n_postings is not distinct from n_seats + 1
                  and commission = div(gross::numeric * commission_bps, 10000)) as agreed,
         bool_and(coalesce(is_house, false) or (held is not null and amount >= -held)) as covered,
         coalesce(-sum(amount) filter (where amount < 0), 0) = max(gross) as paid,
         coalesce(sum(amount) filter (where is_house), 0) = max(commission) as kept,
         coalesce(sum(amount) filter (where kind = 1 and amount > 0), 0) = max(gross - commission)
           and count(*) filter (where kind = 1 and amount > 0) <= 1 as won
    from line group by 1)
select count(*) as settlements,
       count(*) filter (where not agreed) as wrong_agreement,
       count(*) filter (where not covered) as wrong_cover,
       count(*) filter (where not paid) as wrong_gross,
       count(*) filter (where not kept) as wrong_commission,
       count(*) filter (where not won) as wrong_winner
  from found;

-- the house has the sum of all commissions, less those that were reversed
with had as (select coalesce(sum(amount), 0) as total from ledger.posting where account_id = 2),
due as (
  select coalesce(sum(j.commission), 0) as total from ledger.journal j
   where j.kind = 1 and not exists (select from ledger.journal r where r.reverses = j.id))
select had.total as house_micro, had.total - due.total as wrong_by from had, due;

-- the issuer is below zero by what all others hold
with summed as (select account_id, sum(amount) as total from ledger.posting group by 1),
issued as (select coalesce(sum(total), 0) as total from summed where account_id = 3),
others as (
  select coalesce(sum(case when a.keeps_balance then a.posted else s.total end), 0) as total
    from ledger.account a left join summed s on s.account_id = a.id where a.kind <> 3)
select others.total as circulating_micro, issued.total + others.total as wrong_by from issued, others;

-- promo has nothing of its own
select count(*) as postings, coalesce(sum(amount), 0) as wrong_sum from ledger.posting where account_id = 4;

-- every transfer has its key, and every key its transfer
select count(c.key) as keys,
       count(*) filter (where c.key is null) as wrong_entries,
       count(*) filter (where j.id is null) as wrong_keys
  from ledger.command c
  full join (select * from ledger.journal where kind in (2, 3, 4, 6)) j on j.id = c.journal_id;

-- every reversal is the opposite of its entry
with opposed as (
  select r.id, count(*) filter (where p.amount is distinct from -q.amount
                                or p.account_id is distinct from q.account_id) as wrong
    from ledger.journal r
    join ledger.posting p on p.journal_id = r.id
    left join ledger.posting q on q.journal_id = r.reverses and q.line = p.line
   where r.kind = 5 group by 1)
select count(*) as reversals,
       count(*) filter (where wrong > 0) as wrong_reversals
  from opposed;
