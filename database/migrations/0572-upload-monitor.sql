-- What organisations keep, by kind and ('') in all; by the organisation's id: a department that moves takes it along. Whoever brings or deletes
-- a file waits for nobody: signed differences are added up by the way.
create table file_usage (
  dept_id bigint not null,
  kind text not null,
  files bigint not null,
  bytes bigint not null,
  primary key (dept_id, kind)
);
alter table file_usage enable row level security;
create table file_usage_change (
  dept_id bigint not null,
  kind text not null,
  files bigint not null,
  bytes bigint not null
);
create index file_usage_change_dept on file_usage_change (dept_id);
alter table file_usage_change enable row level security;

-- The department at the end of a path: '1.7.31.' is 31.
create function dept_of_path(path text) returns bigint language sql immutable parallel safe as $$
  select substring(path from '(\d+)\.$')::bigint
$$;

-- Past the policies: whoever brings a file can't write what is counted. Its argument is the kind as SQL, of a row `r`.
create function file_usage_note() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part constant text := format('select dept_of_path(r.dept_path) as dept_id, %s as kind, r.size, %%s as n from %%I r', tg_argv[0]);
  moved text := concat_ws(' union all ',
    case when tg_op <> 'DELETE' then format(part, '1', 'added') end, case when tg_op <> 'INSERT' then format(part, '-1', 'gone') end);
begin
  execute format(
    'with moved as (select dept_id, kind, sum(n) as files, sum(n * size) as bytes from (%s) d group by 1, 2 having sum(n) <> 0 or sum(n * size) <> 0),
     seen as (insert into file_usage select distinct dept_id, '''', 0, 0 from moved order by 1 on conflict do nothing)
     insert into file_usage_change select * from moved', moved);
  return null;
end $$;
create trigger file_usage_insert after insert on file_file referencing new table as added for each statement execute function file_usage_note('r.kind');
create trigger file_usage_update after update on file_file referencing new table as added old table as gone for each statement execute function file_usage_note('r.kind');
create trigger file_usage_delete after delete on file_file referencing old table as gone for each statement execute function file_usage_note('r.kind');
create trigger file_usage_insert after insert on rollout_difference referencing new table as added for each statement execute function file_usage_note('''difference''');
create trigger file_usage_update after update on rollout_difference referencing new table as added old table as gone for each statement execute function file_usage_note('''difference''');
create trigger file_usage_delete after delete on rollout_difference referencing old table as gone for each statement execute function file_usage_note('''difference''');
create trigger file_usage_insert after insert on paramfile_file referencing new table as added for each statement execute function file_usage_note('''paramSet''');
create trigger file_usage_update after update on paramfile_file referencing new table as added old table as gone for each statement execute function file_usage_note('''paramSet''');
create trigger file_usage_delete after delete on paramfile_file referencing old table as gone for each statement execute function file_usage_note('''paramSet''');

insert into file_usage select dept_of_path(dept_path), coalesce(kind, ''), count(*), sum(size) from (
  select dept_path, kind, size from file_file
  union all select dept_path, 'difference', size from rollout_difference
  union all select dept_path, 'paramSet', size from paramfile_file
) f group by grouping sets ((1, kind), (1));
create index file_usage_most on file_usage (bytes, dept_id) where kind = '';

-- The most that an organisation and all below it may keep.
create table file_quota (
  dept_id bigint primary key references org_dept (id) on delete cascade,
  bytes bigint not null check (bytes >= 0)
);
alter table file_quota enable row level security;

-- Of an organisation above not even its name's row is enough: usage and quotas are of the range alone.
create function dept_in_scope(id bigint) returns boolean language sql stable as $$
  select exists (select from org_dept o where o.id = $1 and o.dept_path >= scope_path() and o.dept_path < scope_path() || '~')
$$;
create policy owned on file_usage for select to mooring_app using (dept_in_scope(dept_id));
create policy everything on file_usage for all to mooring_system using (true) with check (true);
create policy owned on file_usage_change for select to mooring_app using (dept_in_scope(dept_id));
create policy everything on file_usage_change for all to mooring_system using (true) with check (true);
create policy owned on file_quota to mooring_app using (dept_in_scope(dept_id)) with check (dept_in_scope(dept_id));
create policy everything on file_quota for all to mooring_system using (true) with check (true);

create index file_upload_list on file_upload (created_at, id);
create index file_file_list on file_file (created_at, id);
create index file_file_search on file_file using gin (name gin_trgm_ops);
create index file_file_size on file_file (size, id);
