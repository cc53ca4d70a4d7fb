-- Terminals that unreviewed apps are tried on. Few: who asks for them reads these alone.
alter table device add column test_terminal boolean not null default false;
create index device_test_terminal on device (dept_path, created_at, id) where test_terminal and deleted_at is null;
