-- Files of many rows that an organisation has imported: one that comes again is known by its bytes.
create table sheet_import (
  id bigint generated always as identity primary key,
  -- The job that took it.
  job text not null,
  sha256 text not null,
  rows integer not null,
  by_name text not null,
  at timestamptz not null,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null
);
create index sheet_import_same on sheet_import (dept_id, sha256, job, at);
call own_by_path('sheet_import');

-- What became of each piece of a file that is being imported, written with its rows: a job that begins anew knows its own work.
create table sheet_taken (
  work bigint not null references work on delete cascade,
  -- The line of the file that the piece begins with.
  line integer not null,
  outcomes jsonb not null,
  dept_path text collate "C" not null,
  primary key (work, line)
);
call own_by_path('sheet_taken');
