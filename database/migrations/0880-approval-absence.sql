-- Who is away from when to when, and who decides for them (design 2, "Approval step"). It gives nobody a right: a delegate holds the same role by themselves.
create table approval_absence (
  id bigint generated always as identity primary key,
  user_id bigint not null references account_user on delete cascade,
  delegate_id bigint not null references account_user on delete cascade check (delegate_id <> user_id),
  from_at timestamptz not null,
  until_at timestamptz not null check (until_at > from_at),
  -- Taken back before its time.
  ended_at timestamptz,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now()
);
create index approval_absence_user on approval_absence (user_id, until_at) where ended_at is null;
create index approval_absence_delegate on approval_absence (delegate_id, until_at) where ended_at is null;
call own_by_path('approval_absence');

-- Whom somebody decided for, as they were called then.
alter table approval_record add column on_behalf_of text[] not null default '{}';
