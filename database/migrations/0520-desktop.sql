-- What terminals show: playlists, the look of their system, their home screen. A draft is edited; what was published is packed and stays.
create table desktop_advert (
  id bigint generated always as identity primary key,
  name text not null,
  product_id bigint references product_product,
  place text not null check (place in ('idle', 'boot', 'main')),
  items jsonb not null,
  from_day date,
  to_day date,
  hours jsonb,
  remark text not null default '',
  state text not null default 'draft' check (state in ('draft', 'published', 'withdrawn')),
  version text not null default '',
  size bigint not null default 0,
  archive_sha256 text,
  published_at timestamptz,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_by text not null default '',
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create table desktop_customization (
  id bigint generated always as identity primary key,
  name text not null,
  product_id bigint references product_product,
  boot_picture_id bigint,
  wallpaper_id bigint,
  status_bar text not null default 'keep',
  navigation_keys text not null default 'keep',
  brightness integer,
  volume integer,
  screen_seconds integer,
  locale text,
  time_zone text,
  remark text not null default '',
  state text not null default 'draft' check (state in ('draft', 'published', 'withdrawn')),
  version text not null default '',
  size bigint not null default 0,
  archive_sha256 text,
  published_at timestamptz,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_by text not null default '',
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create table desktop_desktop (
  id bigint generated always as identity primary key,
  name text not null,
  product_id bigint references product_product,
  layout jsonb not null,
  remark text not null default '',
  state text not null default 'draft' check (state in ('draft', 'published', 'withdrawn')),
  version text not null default '',
  size bigint not null default 0,
  archive_sha256 text,
  published_at timestamptz,
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_by text not null default '',
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create index desktop_advert_list on desktop_advert (dept_path, created_at, id);
create index desktop_customization_list on desktop_customization (dept_path, created_at, id);
create index desktop_desktop_list on desktop_desktop (dept_path, created_at, id);
create index desktop_advert_bytes on desktop_advert (archive_sha256);
create index desktop_customization_bytes on desktop_customization (archive_sha256);
create index desktop_desktop_bytes on desktop_desktop (archive_sha256);
create index desktop_advert_version on desktop_advert (version) where version <> '';
create index desktop_customization_version on desktop_customization (version) where version <> '';
create index desktop_desktop_version on desktop_desktop (version) where version <> '';
create index desktop_advert_product on desktop_advert (product_id);
create index desktop_customization_product on desktop_customization (product_id);
create index desktop_desktop_product on desktop_desktop (product_id);
call inherit_by_path('desktop_advert');
call inherit_by_path('desktop_customization');
call inherit_by_path('desktop_desktop');
create trigger revision before update of name, product_id, place, items, from_day, to_day, hours, remark on desktop_advert
  for each row execute function revision_next();
create trigger revision before update of name, product_id, boot_picture_id, wallpaper_id, status_bar, navigation_keys, brightness, volume, screen_seconds, locale, time_zone, remark on desktop_customization
  for each row execute function revision_next();
create trigger revision before update of name, product_id, layout, remark on desktop_desktop
  for each row execute function revision_next();

-- Which files hang on them: whoever sees the row may read them, and they stay as long as it does.
create table desktop_file (
  id bigint generated always as identity primary key,
  advert_id bigint references desktop_advert on delete cascade,
  customization_id bigint references desktop_customization on delete cascade,
  desktop_id bigint references desktop_desktop on delete cascade,
  part text not null generated always as (case when advert_id is not null then 'advert' when customization_id is not null then 'customization' else 'desktop' end) stored,
  file_id bigint not null references file_file,
  dept_path text collate "C" not null,
  check (num_nonnulls(advert_id, customization_id, desktop_id) = 1)
);
create index desktop_file_file on desktop_file (file_id);
create unique index desktop_file_advert on desktop_file (advert_id, file_id) where advert_id is not null;
create unique index desktop_file_customization on desktop_file (customization_id, file_id) where customization_id is not null;
create unique index desktop_file_desktop on desktop_file (desktop_id, file_id) where desktop_id is not null;
call inherit_by_path('desktop_file');

-- What a release sent is kept as long as the release: the database settles the race with its deletion.
alter table rollout_task
  add column advert_id bigint generated always as (case when kind = 'storeAdvertSpace' then (content ->> 'contentId')::bigint end) stored references desktop_advert,
  add column customization_id bigint generated always as (case when kind = 'systemCustomization' then (content ->> 'contentId')::bigint end) stored references desktop_customization,
  add column desktop_id bigint generated always as (case when kind = 'customizeDesktop' then (content ->> 'contentId')::bigint end) stored references desktop_desktop;
create index rollout_task_advert on rollout_task (advert_id) where advert_id is not null;
create index rollout_task_customization on rollout_task (customization_id) where customization_id is not null;
create index rollout_task_desktop on rollout_task (desktop_id) where desktop_id is not null;
