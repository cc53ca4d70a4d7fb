-- When those who decide are warned that a limit passes soon; null where no limit counts, or they were warned.
alter table approval_audit add column warn_at timestamptz;
update approval_audit set warn_at = due_at - least((due_at - step_at) / 4, interval '1 hour') where due_at is not null and late_at is null;
create or replace function approval_due_over() returns trigger language plpgsql as $$
begin
  if new.step is distinct from old.step or new.result is distinct from old.result then
    new.due_at := null;
    new.warn_at := null;
    new.when_late := null;
    new.late_at := null;
  end if;
  return new;
end $$;
create index approval_audit_warn on approval_audit (warn_at, id) where warn_at is not null;

-- To when a limit was extended.
alter table approval_record add column due_at timestamptz;
