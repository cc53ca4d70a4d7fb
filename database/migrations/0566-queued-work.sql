-- Of which background jobs something in the queue runs or still has its turn: what is open otherwise ends (work:expire). One that failed too
-- often stays in the queue, and has none. As of the statement that asks, so that what ends meanwhile isn't taken for lost.
create function queued_work() returns setof bigint
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select substr(key, 6)::bigint from graphile_worker._private_jobs
    where key ~ '^work:[0-9]+$' and (attempts < max_attempts or locked_at is not null);
end $$;
revoke all on function queued_work from public;
grant execute on function queued_work to mooring_system;
