-- A stored file: a name for a blob. Blobs are content-addressed and may stand behind several files.
create table file_file (
  id bigint generated always as identity primary key,
  kind text not null,
  name text not null,
  size bigint not null,
  sha256 text not null,
  md5 text not null,
  user_id bigint,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);
create index file_file_blob on file_file (sha256);
create index file_file_mine on file_file (user_id, md5, kind);
create index file_file_expiry on file_file (expires_at) where expires_at is not null;
call own_by_path('file_file');

-- An upload in parts; the same content of the same person goes on where it stopped.
create table file_upload (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  identifier text not null,
  kind text not null,
  name text not null,
  size bigint not null,
  part_size integer not null,
  parts integer not null,
  state text not null default 'uploading' check (state in ('uploading', 'assembling', 'done', 'failed', 'cancelled')),
  reason text,
  file_id bigint references file_file on delete set null,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now(),
  touched_at timestamptz not null default now()
);
create unique index file_upload_mine on file_upload (user_id, identifier, kind);
create index file_upload_touched on file_upload (touched_at) where state <> 'done';
call own_by_path('file_upload');

create table file_part (
  upload_id bigint not null references file_upload on delete cascade,
  part_number integer not null,
  size integer not null,
  md5 text not null,
  primary key (upload_id, part_number)
);
alter table file_part enable row level security;
create policy of_upload on file_part to mooring_app using (exists (select from file_upload u where u.id = upload_id)) with check (exists (select from file_upload u where u.id = upload_id));
create policy everything on file_part to mooring_system using (true) with check (true);
