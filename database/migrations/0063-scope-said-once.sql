-- Who says the scope says what is above it: worked out in each statement that reads what is inherited it took a tenth of a page.
create or replace function scope_ancestors() returns text[] language sql stable parallel safe
  return coalesce(nullif(current_setting('mooring.ancestors', true), ''), '{}')::text[];

-- Figures of devices that were found within the scope: asking that again for each costs more than the rest of a page.
create function presence_of(devices bigint[]) returns setof device_presence language sql stable rows 20 security definer
  begin atomic
    select p from device_presence p where device_id = any(devices);
  end;
revoke execute on function presence_of from public;
grant execute on function presence_of to mooring_app, mooring_system;
