-- Key stores of organisations, the keys in them, and what is signed with those.
create table signing_store (
  id bigint generated always as identity primary key,
  name text not null,
  remark text not null default '',
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_by text not null default '',
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create unique index signing_store_taken on signing_store (dept_id, lower(name));
call own_by_path('signing_store');
create trigger revision before update of name, remark on signing_store for each row execute function revision_next();

-- Of two organisations that are merged each may have a store of one name.
create function signing_store_rename() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from signing_store where dept_id = new.dept_id and lower(name) = lower(new.name) and id <> new.id) then
    new.name := left(new.name, 50) || '-' || new.id;
  end if;
  return new;
end $$;
create trigger rename before update of dept_id on signing_store
  for each row when (new.dept_id <> old.dept_id) execute function signing_store_rename();

create table signing_key (
  id bigint generated always as identity primary key,
  store_id bigint not null references signing_store,
  name text not null,
  algorithm text not null check (algorithm in ('rsa2048', 'rsa3072', 'rsa4096', 'p256', 'p384')),
  state text not null default 'waiting' check (state in ('waiting', 'active', 'suspended', 'retired', 'destroyed')),
  exportable boolean not null default false,
  origin text not null check (origin in ('generated', 'imported')),
  -- SHA-256 of the public half (SubjectPublicKeyInfo), which stands beside it.
  fingerprint text not null,
  public_key bytea not null,
  chain text[] not null,
  subject text not null,
  issuer text not null,
  serial text not null,
  certificate_sha256 text not null,
  not_before timestamptz not null,
  not_after timestamptz not null,
  package_names text[] not null default '{}',
  profiles text[] not null default '{}',
  most_uses integer,
  hour_from smallint check (hour_from between 0 and 23),
  hour_to smallint check (hour_to between 0 and 23),
  uses integer not null default 0,
  -- The days before the end of its certificate of which its people were told last.
  warned_days smallint,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_by text not null default '',
  created_at timestamptz not null default now(),
  revision integer not null default 1,
  check (num_nulls(hour_from, hour_to) <> 1)
);
create unique index signing_key_taken on signing_key (store_id, lower(name)) where state <> 'destroyed';
create unique index signing_key_known on signing_key (store_id, fingerprint) where state <> 'destroyed';
create index signing_key_store on signing_key (store_id);
create index signing_key_ends on signing_key (not_after) where state in ('active', 'suspended');
call own_by_path('signing_key');
create trigger revision before update of package_names, profiles, most_uses, hour_from, hour_to
  on signing_key for each row execute function revision_next();

-- Private halves, sealed by the vault alone: no person's transaction reads or writes them.
create table signing_secret (
  key_id bigint primary key references signing_key on delete cascade,
  sealed bytea not null
);
revoke all on signing_secret from mooring_app;

create table signing_job (
  id bigint generated always as identity primary key,
  key_id bigint not null references signing_key,
  -- No key: an upload goes when its time is over, its record stays.
  file_id bigint not null,
  file_name text not null,
  size bigint not null,
  profile text not null check (profile in ('apk', 'cms')),
  package_name text not null default '',
  min_sdk integer,
  purpose text not null default '',
  state text not null default 'requested'
    check (state in ('requested', 'approved', 'signing', 'signed', 'failed', 'refused', 'withdrawn', 'expired')),
  author_id bigint references account_user on delete set null,
  author text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  decided_by_id bigint references account_user on delete set null,
  decided_by text,
  decided_at timestamptz,
  remark text not null default '',
  signed_at timestamptz,
  sha256_before text not null,
  sha256_after text,
  certificate_sha256 text not null,
  reason text,
  result_name text,
  result_size bigint,
  -- Whether the bytes before and after are still needed here.
  keeps_before boolean not null default true,
  kept_until timestamptz,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null
);
create index signing_job_list on signing_job (dept_path, created_at, id);
create index signing_job_newest on signing_job (created_at, id) include (dept_path);
create index signing_job_file on signing_job (dept_path, file_name, id);
create index signing_job_first on signing_job (file_name, id) include (dept_path);
create index signing_job_state on signing_job (dept_path, state, created_at, id);
create index signing_job_profile on signing_job (dept_path, profile, created_at, id);
create index signing_job_key on signing_job (key_id, created_at, id);
create index signing_job_open on signing_job (expires_at) where state = 'requested';
create index signing_job_before on signing_job (sha256_before) where keeps_before;
create index signing_job_after on signing_job (sha256_after) where kept_until is not null;
create index signing_job_kept on signing_job (kept_until) where kept_until is not null;
create index signing_job_author on signing_job (author_id);
create index signing_job_decider on signing_job (decided_by_id);
create index signing_job_search on signing_job using gin (file_name gin_trgm_ops, package_name gin_trgm_ops);
call own_by_path('signing_job');

-- Whose changes they are, and of which row: several of one kind wait beside each other.
alter table settings_change_request
  add column home text not null default 'settings',
  add column subject_id bigint,
  add column subject_name text not null default '';
create index settings_change_request_subject on settings_change_request (subject_id, target) where state = 'waiting' and subject_id is not null;
create index settings_change_request_home on settings_change_request (home, dept_path, created_at, id);
