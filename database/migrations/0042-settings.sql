-- Code lists of the installation: the same for every organisation, changed by its administrators.
create table settings_dict (
  id bigint generated always as identity primary key,
  code text not null unique,
  name text not null,
  remark text not null default '',
  system boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table settings_dict_entry (
  id bigint generated always as identity primary key,
  dict_id bigint not null references settings_dict on delete cascade,
  value text not null,
  -- Language code → label; a locked entry has a text key instead, so that its label follows the language packs.
  labels jsonb not null default '{}',
  text_key text,
  sort integer not null default 100,
  enabled boolean not null default true,
  system boolean not null default false,
  updated_at timestamptz not null default now(),
  unique (dict_id, value)
);
-- Further addresses of this server that terminals fetch their files from, for a department and all below it.
create table settings_download_domain (
  id bigint generated always as identity primary key,
  name text not null,
  url text not null,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  unique (dept_id, url)
);
create index settings_download_domain_dept on settings_download_domain (dept_path);
call own_by_path('settings_download_domain');

create table language_language (
  id bigint generated always as identity primary key,
  lang_code text not null unique,
  publish_status text not null default '0' check (publish_status in ('0', '1')),
  -- Counts up with each changed text, so that every process knows when to read them again.
  revision bigint not null default 0,
  dept_path text collate "C" not null default '1.',
  updated_at timestamptz
);
create table language_text (
  lang_code text not null references language_language (lang_code),
  key text not null,
  text text not null,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (lang_code, key)
);
-- Read by everybody, changed past the policies by the few whose permission says so.
revoke insert, update, delete on settings_value, settings_dict, settings_dict_entry, language_language, language_text from mooring_app;
