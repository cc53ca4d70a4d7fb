-- Releases that are under way, or ended lately, of an organisation and those above it: by which a terminal's page says what passed it over.
create index rollout_task_lately on rollout_task (dept_path, (coalesce(ended_at, 'infinity'::timestamptz)));
