-- The runs of one job within a time.
create index job_run_times on job_run (name, started_at);
