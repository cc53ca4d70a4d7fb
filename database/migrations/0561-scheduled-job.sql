-- The recurring jobs of the server, and what became of their runs.
create table job_schedule (
  id bigint generated always as identity primary key,
  name text not null unique,
  state text not null default '1',
  -- Null: as the version of the product has it.
  cron text,
  -- Missing runs count from here: the server was down before.
  watched_from timestamptz not null default now(),
  -- The last run, and the last time it was missing, of which people were told.
  told_run bigint not null default 0,
  told_overdue_at timestamptz,
  dept_path text collate "C" not null default '1.',
  revision integer not null default 1
);
call own_by_path('job_schedule');
create trigger revision before update of cron on job_schedule for each row execute function revision_next();

create table job_run (
  id bigint generated always as identity primary key,
  name text not null,
  mode text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  outcome text not null default 'running',
  error text,
  by_name text,
  -- The worker that it runs in: one that holds no lock any more was killed.
  worker text not null,
  dept_path text collate "C" not null default '1.'
);
create index job_run_of on job_run (name, id desc);
create index job_run_running on job_run (worker) where outcome = 'running';
create index job_run_started on job_run (started_at, id);
call own_by_path('job_run');
