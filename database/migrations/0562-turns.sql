-- A job's turn: the version before queues without one, and its jobs come in the middle.
create function enqueue_job(job text, payload json, run_at timestamptz, job_key text, max_attempts integer, priority integer) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform graphile_worker.add_job(job, payload, run_at => run_at, job_key => job_key, max_attempts => max_attempts, priority => priority);
end $$;
revoke all on function enqueue_job(text, json, timestamptz, text, integer, integer) from public;
grant execute on function enqueue_job(text, json, timestamptz, text, integer, integer) to mooring_app, mooring_system;

-- How many background jobs of a person aren't over, wherever they were begun: somebody who acts for several units sees those of one alone.
-- Until the transaction ends nobody else counts, so that of many at once only as many are begun as may be.
create function open_work_of(person bigint) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('work:' || person, 0));
  return (select count(*) from work where user_id = person and state in ('waiting', 'running'));
end $$;
revoke all on function open_work_of from public;
grant execute on function open_work_of to mooring_app, mooring_system;
create index work_open on work (user_id) where state in ('waiting', 'running');
