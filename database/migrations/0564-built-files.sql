-- What the server packed or unpacked of what somebody brought: it takes room as an upload does, and counts to the quota as one for a day.
create table file_built (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  size bigint not null,
  dept_path text collate "C" not null,
  built_at timestamptz not null
);
create index file_built_recent on file_built (built_at);
call own_by_path('file_built');
