-- "There is such a device" was planned as a list of all devices in scope, made for each statement. As a value of one row it can only be looked up.
create or replace procedure follow_device(t regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', t);
  execute format('create policy of_device on %s to mooring_app using ((select true from device d where d.id = device_id)) with check ((select true from device d where d.id = device_id))', t);
  execute format('create policy everything on %s to mooring_system using (true) with check (true)', t);
end $$;

do $$
declare p record;
begin
  for p in select format('%I.%I', schemaname, tablename) as name from pg_policies where policyname = 'of_device' loop
    execute format('alter policy of_device on %s using ((select true from device d where d.id = device_id)) with check ((select true from device d where d.id = device_id))', p.name);
  end loop;
end $$;

alter policy of_upload on file_part
  using ((select true from file_upload u where u.id = upload_id)) with check ((select true from file_upload u where u.id = upload_id));
