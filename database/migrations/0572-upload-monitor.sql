-- What organisations keep, by kind and ('') in all, counted as it comes and goes; by the organisation's id: a department that moves takes it along.
create table file_usage (
  dept_id bigint not null,
  kind text not null,
  files bigint not null,
  bytes bigint not null,
  primary key (dept_id, kind)
);
alter table file_usage enable row level security;
create policy owned on file_usage for select to mooring_app using (exists (select from org_dept o where o.id = dept_id));
create policy everything on file_usage for all to mooring_system using (true) with check (true);

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
    'insert into file_usage as u select dept_id, coalesce(kind, ''''), sum(n), sum(n * size) from (%s) d
     group by grouping sets ((dept_id, kind), (dept_id)) having sum(n) <> 0 or sum(n * size) <> 0 order by 1, 2
     on conflict (dept_id, kind) do update set files = u.files + excluded.files, bytes = u.bytes + excluded.bytes', moved);
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
create policy owned on file_quota to mooring_app using (exists (select from org_dept o where o.id = dept_id)) with check (exists (select from org_dept o where o.id = dept_id));
create policy everything on file_quota for all to mooring_system using (true) with check (true);

create index file_upload_list on file_upload (created_at, id);
create index file_file_list on file_file (dept_path, created_at, id);
create index file_file_size on file_file (size, id);
