-- How long those who decide have at each step of a stage, and what follows when it has passed. Never a pass: nothing is approved by silence.
alter table approval_config
  add column hours1 integer check (hours1 between 1 and 8760),
  add column hours2 integer check (hours2 between 1 and 8760),
  add column hours3 integer check (hours3 between 1 and 8760),
  add column when_late text not null default 'remind' check (when_late in ('remind', 'escalate', 'expire'));
create or replace trigger revision before update of task_type, enabled, hours1, hours2, hours3, when_late on approval_config
  for each row execute function revision_next();

-- By when a decision is due at the step that it stands at; null where no limit counts, or nothing is left to decide.
alter table approval_audit add column due_at timestamptz,
  -- What follows then, as the rule was when the step began.
  add column when_late text,
  -- When its being late was acted on.
  add column late_at timestamptz;
create function approval_due_over() returns trigger language plpgsql as $$
begin
  if new.step is distinct from old.step or new.result is distinct from old.result then
    new.due_at := null;
    new.when_late := null;
    new.late_at := null;
  end if;
  return new;
end $$;
create trigger due_over before update of step, result on approval_audit for each row execute function approval_due_over();
create index approval_audit_due on approval_audit (due_at, id) where due_at is not null and late_at is null;
create index approval_audit_overdue on approval_audit (task_type, due_at) where due_at is not null;
