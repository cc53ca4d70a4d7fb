-- What an organisation announces to its people.
create table message_notice (
  id bigint generated always as identity primary key,
  title text not null,
  body text not null,
  state text not null default 'draft' check (state in ('draft', 'scheduled', 'published', 'ended', 'recalled')),
  priority text not null default '2' check (priority in ('1', '2', '3')),
  recipients text not null default 'all' check (recipients in ('all', 'organisation', 'roles', 'users')),
  dept_ids bigint[] not null default '{}',
  role_ids bigint[] not null default '{}',
  user_ids bigint[] not null default '{}',
  channels text[] not null default '{}',
  starts_at timestamptz,
  ends_at timestamptz,
  files bigint[] not null default '{}',
  -- Filled by the job that hands it out.
  people integer,
  read_count integer not null default 0,
  published_at timestamptz,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_by text not null default '',
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create index message_notice_list on message_notice (dept_path, created_at, id);
create index message_notice_title on message_notice (dept_path, title, id);
create index message_notice_starts on message_notice (dept_path, starts_at, id);
create index message_notice_published on message_notice (dept_path, published_at, id);
create index message_notice_state on message_notice (dept_path, state, created_at, id);
create index message_notice_priority on message_notice (dept_path, priority, created_at, id);
-- Whoever sees many organisations reads them in the order of the list.
create index message_notice_newest on message_notice (created_at, id) include (dept_path);
create index message_notice_titles on message_notice (title, id) include (dept_path);
create index message_notice_starting on message_notice (starts_at, id) include (dept_path);
create index message_notice_publishing on message_notice (published_at, id) include (dept_path);
create index message_notice_search on message_notice using gin (title gin_trgm_ops, body gin_trgm_ops);
-- What the clock moves.
create index message_notice_due on message_notice (starts_at) where state = 'scheduled';
create index message_notice_over on message_notice (ends_at) where state = 'published' and ends_at is not null;
call own_by_path('message_notice');
create trigger revision before update of title, body, priority, recipients, dept_ids, role_ids, user_ids, channels, starts_at, ends_at, files
  on message_notice for each row execute function revision_next();

-- One notice in one person's list.
create table message_notice_delivery (
  id bigint generated always as identity primary key,
  notice_id bigint not null references message_notice on delete cascade,
  user_id bigint not null references account_user on delete cascade,
  status text not null default '0' check (status in ('0', '1')),
  popup boolean not null default false,
  published_at timestamptz not null,
  read_at timestamptz,
  unique (notice_id, user_id)
);
create index message_notice_delivery_list on message_notice_delivery (user_id, published_at desc, id desc);
create index message_notice_delivery_unread on message_notice_delivery (user_id) where status = '0';
create index message_notice_delivery_popup on message_notice_delivery (user_id) where popup;

-- Which files hang on it; they stay as long as it does.
create table message_notice_file (
  notice_id bigint not null references message_notice on delete cascade,
  file_id bigint not null references file_file,
  dept_path text collate "C" not null,
  primary key (notice_id, file_id)
);
create index message_notice_file_file on message_notice_file (file_id);
call own_by_path('message_notice_file');
