-- Whether nothing (no version) before a result means that there was nothing: seen on the terminal when it was sent. Where it isn't said, nobody knows.
alter table rollout_result add column from_known boolean;
-- How many apps a terminal has, named or not; where it doesn't say, nobody knows whether it has one that it doesn't name.
alter table device add column apps_in_all bigint;
-- Releases that are under way, or ended lately, of an organisation and those above it: by which a terminal's page says what passed it over.
create index rollout_task_lately on rollout_task (dept_path, (coalesce(ended_at, 'infinity'::timestamptz)));
-- By what terminals had before: a file of their own, the code of an app.
create index paramfile_file_of_device on paramfile_file (device_id, set_id);
create index app_version_name_code on app_version (package_name, version_code);
