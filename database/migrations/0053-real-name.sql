-- A person's or organisation's checked identity: one row a person; what is good at this moment.
create table account_real_name (
  id bigint generated always as identity primary key,
  user_id bigint not null unique references account_user on delete cascade,
  -- The organisation that a checked organisation's name speaks for.
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  state text not null default '0' check (state in ('0', '1', '2', '3', '4', '5', '6', '7')),
  -- The state that a waiting one came from.
  before text,
  kind text check (kind in ('person', 'org')),
  name text,
  document_kind text,
  -- Sealed with the master key; only the last four signs are kept in the clear.
  number_sealed bytea,
  number_hint text,
  legal_person text,
  valid_until date,
  asked_at timestamptz,
  checked_at timestamptz
);
create index account_real_name_due on account_real_name (valid_until) where state in ('1', '2', '7');
create index account_real_name_waiting on account_real_name (asked_at) where state in ('3', '6');
create index account_real_name_org on account_real_name (dept_id) where kind = 'org';

-- Each time something was handed in, and what was decided about it.
create table account_real_name_request (
  id bigint generated always as identity primary key,
  user_id bigint not null references account_user on delete cascade,
  kind text not null check (kind in ('person', 'org')),
  outcome text not null default 'waiting' check (outcome in ('waiting', 'approved', 'refused', 'timedOut')),
  name text not null,
  document_kind text not null,
  number_sealed bytea not null,
  number_hint text not null,
  legal_person text,
  valid_until date not null,
  reasons jsonb not null default '{}',
  decided_by_name text,
  decided_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index account_real_name_request_waiting on account_real_name_request (user_id) where outcome = 'waiting';
create index account_real_name_request_created on account_real_name_request (created_at desc, id desc);
create index account_real_name_request_user on account_real_name_request (user_id, id desc);

-- Pictures of documents: their bytes are sealed before they are stored, and never are a file of the file centre.
create table account_real_name_picture (
  id bigint generated always as identity primary key,
  user_id bigint not null references account_user on delete cascade,
  request_id bigint references account_real_name_request on delete cascade,
  which text check (which in ('front', 'back', 'licence')),
  sha256 text not null,
  created_at timestamptz not null default now()
);
create index account_real_name_picture_request on account_real_name_picture (request_id);
create index account_real_name_picture_user on account_real_name_picture (user_id) where request_id is null;
create index account_real_name_picture_blob on account_real_name_picture (sha256);
-- Only the server itself reads these, never a person's transaction.
revoke all on account_real_name, account_real_name_request, account_real_name_picture from mooring_app;

-- One's own name is checked, or that of the organisation that one belongs to. A renewal that waits leaves it good until its day.
create function has_real_name(who bigint) returns boolean language sql stable parallel safe as $$
  select exists (select from account_user u join account_real_name n on n.user_id = u.id or (n.kind = 'org' and n.dept_id = u.dept_id)
    where u.id = who and (n.state in ('1', '2', '6', '7') or (n.state = '3' and n.before = '7' and n.valid_until >= current_date)))
$$;
-- Permissions that the installation keeps from those whose name isn't checked.
create function withheld_from(who bigint) returns text[] language sql stable parallel safe as $$
  select coalesce((select array(select jsonb_array_elements_text(value->'withheld')) from settings_value
    where type = 'unauthenticated' and jsonb_array_length(value->'withheld') > 0 and not has_real_name(who)), '{}')
$$;
