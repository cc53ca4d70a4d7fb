-- Approval of releases in stages (design 2, "Approval step"; docs/adr/0053).

-- Which kinds of releases of an organisation are approved; the nearest rule at or above it counts.
create table approval_config (
  id bigint generated always as identity primary key,
  task_type text not null check (task_type in ('1', '2', '3')),
  enabled boolean not null default true,
  revision integer not null default 1,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now()
);
create unique index approval_config_dept_id on approval_config (dept_id, task_type);
create index approval_config_path on approval_config (dept_path, task_type);
-- Those below are bound by it, so they may read it.
call inherit_by_path('approval_config');
-- Where organisations are merged, the rule of the one that takes the other in stands; the other's stays with what is closed.
create function approval_config_merge() returns trigger language plpgsql as $$
begin
  if new.dept_id <> old.dept_id and exists (select from approval_config where dept_id = new.dept_id and task_type = new.task_type) then
    return null;
  end if;
  return new;
end $$;
create trigger approval_config_merge before update of dept_id on approval_config for each row execute function approval_config_merge();
create trigger revision before update of task_type, enabled on approval_config for each row execute function revision_next();

create table approval_audit (
  id bigint generated always as identity primary key,
  task_type text not null check (task_type in ('1', '2', '3')),
  task_class text not null check (task_class in ('0', '1')),
  task_id bigint not null,
  name text not null,
  step text not null default '10' check (step in ('10', '11', '12', '13', '14', '15', '16', '20', '21', '22', '23', '24', '25', '26',
    '30', '31', '32', '33', '34', '36', '51')),
  result text not null default '0' check (result in ('0', '1', '2')),
  step_at timestamptz not null default now(),
  -- When those who decide at this step were asked, or reminded.
  asked_at timestamptz,
  -- Of the present application; those of earlier stages stand in approval_application.
  content_hash text not null,
  author_id bigint not null,
  author_name text not null,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now()
);
create index approval_audit_asked on approval_audit (asked_at) where step in ('11', '12', '13', '14', '21', '22', '23', '24', '31', '32', '33', '34') and not (step = '34' and result = '1');
create unique index approval_audit_task on approval_audit (task_type, task_id);
create index approval_audit_list on approval_audit (task_type, step_at desc, id);
create index approval_audit_open on approval_audit (task_type, step, dept_path) where step <> '51' and not (step = '34' and result = '1');
call inherit_by_path('approval_audit');

-- Each time that a stage was applied for: what it was for, and its hash.
create table approval_application (
  id bigint generated always as identity primary key,
  audit_id bigint not null references approval_audit on delete cascade,
  stage integer not null check (stage between 1 and 3),
  content_hash text not null,
  content jsonb not null,
  applied_by bigint not null,
  applied_at timestamptz not null default now(),
  -- Set when the last approval of the stage is given.
  approved_at timestamptz,
  dept_path text collate "C" not null
);
create index approval_application_audit on approval_application (audit_id, id desc);
call inherit_by_path('approval_application');

-- What people did, in order; kept as it was said.
create table approval_record (
  id bigint generated always as identity primary key,
  audit_id bigint not null references approval_audit on delete cascade,
  event text not null,
  step text not null,
  to_step text not null,
  comment text not null default '',
  way text not null default 'console' check (way in ('console', 'email')),
  content_hash text,
  actor_id bigint not null,
  actor_name text not null,
  -- Whose terminals the actor speaks for.
  actor_path text collate "C" not null,
  at timestamptz not null default now(),
  dept_path text collate "C" not null
);
create index approval_record_audit on approval_record (audit_id, id);
call inherit_by_path('approval_record');

-- Links that were mailed: one person's, for one step of one content. The link itself is nowhere but in the mail.
create table approval_sign (
  id bigint generated always as identity primary key,
  sign_hash bytea not null unique,
  audit_id bigint not null references approval_audit on delete cascade,
  user_id bigint not null,
  step text not null,
  content_hash text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  dept_path text collate "C" not null
);
create index approval_sign_audit on approval_sign (audit_id);
call own_by_path('approval_sign');

-- How far a release that is approved in stages may go, and what was agreed; null where nobody has to approve.
alter table rollout_task add column ring_gate integer, add column approved_hash text;
