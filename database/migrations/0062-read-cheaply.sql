-- Asked once a statement: as a bare call it was asked for each row, and cost more than the rest of a page.
do $$
declare p record;
begin
  for p in select polname, polrelid::regclass as t from pg_policy where pg_get_expr(polqual, polrelid) = '(dept_path = ANY (scope_ancestors()))' loop
    execute format('alter policy %I on %s using (dept_path = any((select scope_ancestors())::text[]))', p.polname, p.t);
  end loop;
end $$;
create or replace procedure inherit_by_path(t regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', t);
  execute format('create policy owned on %s to mooring_app using (dept_path >= scope_path() and dept_path < scope_path() || ''~'') with check (dept_path >= scope_path() and dept_path < scope_path() || ''~'')', t);
  execute format('create policy inherited on %s for select to mooring_app using (dept_path = any((select scope_ancestors())::text[]))', t);
  execute format('create policy everything on %s to mooring_system using (true) with check (true)', t);
end $$;
