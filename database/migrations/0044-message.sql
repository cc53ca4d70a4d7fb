-- What is said to people in the console. Raised by a module (a text key with its values) or written by a person.
create table message_message (
  id bigint generated always as identity primary key,
  type text not null check (type in ('1', '2', '3')),
  priority text not null default '2' check (priority in ('1', '2', '3')),
  -- Of a module: key and values, said in each reader's language.
  text_key text,
  params jsonb not null default '{}',
  title text not null default '',
  body text not null default '',
  link text,
  recipients text not null check (recipients in ('all', 'organisation', 'users')),
  -- Who: ids of people, paths of organisations, or holders of a permission at or above a path.
  target jsonb not null,
  channels text[] not null default '{centre}',
  sender_id bigint,
  -- A reader below may not see the person.
  sender text,
  dept_path text collate "C" not null,
  -- Filled by the job that hands it out.
  people integer,
  read_count integer not null default 0,
  created_at timestamptz not null default now()
);
create index message_message_sent on message_message (dept_path, created_at desc, id desc);
-- One message in one person's list; deleting takes the row away.
create table message_delivery (
  id bigint generated always as identity primary key,
  message_id bigint not null references message_message on delete cascade,
  user_id bigint not null references account_user on delete cascade,
  status text not null default '0' check (status in ('0', '1')),
  popup boolean not null default false,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  unique (message_id, user_id)
);
create index message_delivery_list on message_delivery (user_id, created_at desc, id desc);
create index message_delivery_unread on message_delivery (user_id) where status = '0';
create index message_delivery_popup on message_delivery (user_id) where popup;
