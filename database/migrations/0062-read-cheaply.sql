-- Asked once a statement: as a bare call it was asked for each row, and cost more than the rest of a page.
do $$
declare p record;
begin
  for p in select polname, polrelid::regclass as t from pg_policy where pg_get_expr(polqual, polrelid) = '(dept_path = ANY (scope_ancestors()))' loop
    execute format('alter policy %I on %s using (dept_path = any((select scope_ancestors())::text[]))', p.polname, p.t);
  end loop;
end $$;
-- An owned table whose rows those below may read too.
create or replace procedure inherit_by_path(t regclass) language plpgsql as $$
begin
  call own_by_path(t);
  execute format('create policy inherited on %s for select to mooring_app using (dept_path = any((select scope_ancestors())::text[]))', t);
end $$;
