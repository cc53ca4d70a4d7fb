-- A scope's own log, newest first.
create index audit_entry_dept on audit_entry (dept_path, at desc);
create index audit_entry_actor on audit_entry (actor_id, at desc) where actor_id is not null;
create index audit_entry_request on audit_entry (request_id);
-- Which screens a person opened, for footprints. Written by the person's own console.
create table audit_visit (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  path text not null,
  platform text not null,
  dept_path text collate "C" not null,
  at timestamptz not null default now()
);
create index audit_visit_user on audit_visit (user_id, at desc);
create index audit_visit_at on audit_visit (at);
call own_by_path('audit_visit');
create index auth_session_seen on auth_session (seen_at desc, id desc) where ended_at is null;
