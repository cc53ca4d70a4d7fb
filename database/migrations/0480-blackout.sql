-- Days on which nothing is installed on the terminals of an organisation and of all below it.
create table release_blackout (
  id bigint generated always as identity primary key,
  name text not null,
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  remark text not null default '',
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create index release_blackout_dept on release_blackout (dept_path, from_day);
create index release_blackout_last on release_blackout (to_day);
call inherit_by_path('release_blackout');
create trigger revision before update of name, from_day, to_day, remark on release_blackout for each row execute function revision_next();
