-- Filters, order and columns of a list under a name.
create table settings_saved_view (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  user_name text not null,
  code text not null,
  name text not null,
  query text not null,
  columns jsonb,
  -- With the organisation in which it was saved, and all below it.
  shared boolean not null default false,
  dept_path text collate "C" not null,
  created_at timestamptz not null default now()
);
create unique index settings_saved_view_name on settings_saved_view (user_id, code, lower(name));
create index settings_saved_view_shared on settings_saved_view (code, dept_path) where shared;

-- Of a list one view, of whomever, with which it opens for a person.
create table settings_view_default (
  user_id bigint not null,
  code text not null,
  view_id bigint not null references settings_saved_view on delete cascade,
  primary key (user_id, code)
);
create index settings_view_default_view on settings_view_default (view_id);
