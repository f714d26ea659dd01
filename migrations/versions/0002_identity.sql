create table identity.player (
  id           bigint generated always as identity,
  name         text        not null,
  name_key     text        not null,
  kind         smallint    not null,
  guest        boolean     not null,
  suspended_at timestamptz,
  deleted_at   timestamptz,
  created_at   timestamptz not null default now(),
  constraint player_pkey primary key (id),
  constraint player_name_key_key unique (name_key),
  constraint player_kind check (kind in (1, 2)));
create index player_created_idx on identity.player (created_at);

create table identity.credential (
  player_id     bigint      not null,
  password_hash text        not null,
  changed_at    timestamptz not null default now(),
  constraint credential_pkey primary key (player_id),
  constraint credential_player_id_fkey foreign key (player_id) references identity.player);

create table identity.session (
  id         bigint generated always as identity,
  token_hash bytea       not null,
  player_id  bigint      not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint session_pkey primary key (id),
  constraint session_token_hash_key unique (token_hash),
  constraint session_player_id_fkey foreign key (player_id) references identity.player);
create index session_player_idx on identity.session (player_id);

create table identity.operator (
  id          bigint generated always as identity,
  name        text        not null,
  name_key    text        not null,
  role        smallint    not null,
  disabled_at timestamptz,
  created_at  timestamptz not null default now(),
  constraint operator_pkey primary key (id),
  constraint operator_name_key_key unique (name_key),
  constraint operator_role check (role between 1 and 4));

create table identity.sign_in_link (
  token_hash  bytea       not null,
  operator_id bigint      not null,
  expires_at  timestamptz not null,
  used_at     timestamptz,
  constraint sign_in_link_pkey primary key (token_hash),
  constraint sign_in_link_operator_id_fkey foreign key (operator_id) references identity.operator);

create table identity.operator_session (
  token_hash  bytea       not null,
  operator_id bigint      not null,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null,
  revoked_at  timestamptz,
  constraint operator_session_pkey primary key (token_hash),
  constraint operator_session_operator_id_fkey foreign key (operator_id) references identity.operator);

create table identity.act (
  id       bigint generated always as identity,
  operator text        not null,
  act      text        not null,
  subject  text        not null,
  reason   text        not null,
  at       timestamptz not null default clock_timestamp(),
  constraint act_pkey primary key (id),
  constraint act_reason check (length(reason) between 1 and 500));
create index act_subject_idx on identity.act (subject, id);

create table identity.answer (
  actor        text        not null,
  key          text        not null,
  request_hash bytea       not null,
  status       smallint,
  body         text,
  at           timestamptz not null default now(),
  constraint answer_pkey primary key (actor, key));
create index answer_at_idx on identity.answer (at);

-- what an operator did stays, for the owner of the table too
create function identity.forbid() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'LG009';
end $$;
create trigger no_change before update or delete on identity.act
  for each row execute function identity.forbid();
create trigger no_truncate before truncate on identity.act
  for each statement execute function identity.forbid();

grant select, insert, update on identity.player, identity.operator to pakka_app;
grant select, insert, update, delete on
  identity.credential, identity.session, identity.sign_in_link, identity.operator_session,
  identity.answer to pakka_app;
grant select, insert on identity.act to pakka_app;
