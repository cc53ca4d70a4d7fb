-- Changes that decide who may sign in, while they wait for a second person and afterwards.
create table settings_change_request (
  id bigint generated always as identity primary key,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused', 'withdrawn', 'expired')),
  target text not null,
  line_id bigint references org_dept on delete cascade,
  -- Path of the call, and its input under the master key for as long as it waits: there may be a secret in it.
  call text not null,
  input_sealed bytea,
  before jsonb not null,
  after jsonb not null,
  secrets text[] not null,
  author_id bigint references account_user on delete set null,
  author_name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by bigint references account_user on delete set null,
  decided_by_name text,
  decided_at timestamptz,
  remark text not null default '',
  dept_path text collate "C" not null
);
create index settings_change_request_page on settings_change_request (created_at, id);
create index settings_change_request_open on settings_change_request (expires_at) where state = 'waiting';
create index settings_change_request_line on settings_change_request (line_id);
create index settings_change_request_author on settings_change_request (author_id);
create index settings_change_request_decider on settings_change_request (decided_by);
revoke all on settings_change_request from mooring_app;
