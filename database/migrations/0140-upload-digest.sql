-- The SHA-256 that its sender says of an upload: the whole has to have it, where it was said.
alter table file_upload add column sha256 text;

-- A file that comes in one call and isn't stored yet. Its bytes wait in a file of the row's number.
create table file_direct (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  size bigint not null,
  dept_path text collate "C" not null,
  begun_at timestamptz not null
);
create index file_direct_mine on file_direct (user_id);
call own_by_path('file_direct');
-- What was brought lately counts to the quota of who brought it.
create index file_file_recent on file_file (created_at) where expires_at is null;
