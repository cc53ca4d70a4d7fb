-- Since when nothing names a file: looked for hourly, and once more before it is deleted.
alter table file_file add column unused_since timestamptz;
create index file_file_unused on file_file (dept_path, kind) include (size, unused_since) where unused_since is not null;
create index if not exists rollout_package_file on rollout_package (file_id);
create index if not exists work_file on work (file_id) where file_id is not null;

-- What is counted of a row may be less than the row: its size as SQL, and whether it counts at all.
create or replace function file_usage_note() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part constant text := format('select dept_of_path(r.dept_path) as dept_id, %s as kind, (%s)::bigint as size, %%s as n from %%I r where %s',
    tg_argv[0], coalesce(tg_argv[1], 'r.size'), coalesce(tg_argv[2], 'true'));
  moved text := concat_ws(' union all ',
    case when tg_op <> 'DELETE' then format(part, '1', 'added') end, case when tg_op <> 'INSERT' then format(part, '-1', 'gone') end);
begin
  execute format(
    'with moved as (select dept_id, kind, sum(n) as files, sum(n * size) as bytes from (%s) d group by 1, 2 having sum(n) <> 0 or sum(n * size) <> 0),
     seen as (insert into file_usage select distinct dept_id, '''', 0, 0 from moved order by 1 on conflict do nothing)
     insert into file_usage_change select * from moved', moved);
  return null;
end $$;

-- What is kept of signing jobs: the bytes before until they are signed, those after until they are fetched or their time is over.
create function signing_job_bytes(keeps_before boolean, size bigint, kept_until timestamptz, result_size bigint) returns bigint language sql immutable parallel safe
  as $$ select case when keeps_before then size else 0 end + case when kept_until is not null then coalesce(result_size, 0) else 0 end $$;
create trigger file_usage_insert after insert on signing_job referencing new table as added for each statement
  execute function file_usage_note('''signing''', 'signing_job_bytes(r.keeps_before, r.size, r.kept_until, r.result_size)', 'r.keeps_before or r.kept_until is not null');
create trigger file_usage_update after update on signing_job referencing new table as added old table as gone for each statement
  execute function file_usage_note('''signing''', 'signing_job_bytes(r.keeps_before, r.size, r.kept_until, r.result_size)', 'r.keeps_before or r.kept_until is not null');
create trigger file_usage_delete after delete on signing_job referencing old table as gone for each statement
  execute function file_usage_note('''signing''', 'signing_job_bytes(r.keeps_before, r.size, r.kept_until, r.result_size)', 'r.keeps_before or r.kept_until is not null');
insert into file_usage as u select dept_of_path(dept_path), coalesce(kind, ''), count(*), sum(size) from (
  select dept_path, 'signing' as kind, signing_job_bytes(keeps_before, size, kept_until, result_size) as size from signing_job where keeps_before or kept_until is not null
) f group by grouping sets ((1, kind), (1))
on conflict (dept_id, kind) do update set files = u.files + excluded.files, bytes = u.bytes + excluded.bytes;
