-- What was given with an act on an approval: final, as its history is, and there as long as it.
create table approval_file (
  record_id bigint not null references approval_record on delete cascade,
  -- No file leaves that stands in a history.
  file_id bigint not null references file_file,
  task_type text not null,
  name text not null,
  size bigint not null,
  dept_path text collate "C" not null,
  primary key (record_id, file_id)
);
create index approval_file_file on approval_file (file_id);
call inherit_by_path('approval_file');
-- Who sees a line depends on where its actor belongs: these follow an organisation that moves.
create index approval_record_actor on approval_record (actor_path);
