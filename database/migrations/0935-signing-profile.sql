-- What packages of a product have to be signed by, and the profile that a signature was asked for under.
create table signing_profile (
  id bigint generated always as identity primary key,
  name text not null,
  kind text not null check (kind in ('none', 'chain', 'cms', 'external')),
  product_ids bigint[] not null default '{}',
  root text not null default '',
  root_subject text not null default '',
  root_sha256 text not null default '',
  key_id bigint references signing_key,
  remark text not null default '',
  dept_id bigint not null references org_dept,
  dept_path text collate "C" not null,
  created_by text not null default '',
  created_at timestamptz not null default now(),
  revision integer not null default 1
);
create unique index signing_profile_taken on signing_profile (dept_id, lower(name));
create index signing_profile_products on signing_profile using gin (product_ids);
create index signing_profile_key on signing_profile (key_id);
call own_by_path('signing_profile');
create trigger revision before update of name, product_ids, root, key_id, remark
  on signing_profile for each row execute function revision_next();

-- Of two organisations that are merged each may have a profile of one name; the older one keeps a product that both name.
create function signing_profile_rename() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from signing_profile where dept_id = new.dept_id and lower(name) = lower(new.name) and id <> new.id) then
    new.name := left(new.name, 50) || '-' || new.id;
  end if;
  return new;
end $$;
create trigger rename before update of dept_id on signing_profile
  for each row when (new.dept_id <> old.dept_id) execute function signing_profile_rename();

alter table signing_job
  add column profile_id bigint references signing_profile on delete set null,
  add column profile_name text not null default '',
  add column profile_kind text not null default '',
  add column root_sha256 text not null default '',
  -- Of what the profile asks for: another one by the time of the approval, and the request is outdated.
  add column profile_terms text not null default '';
create index signing_job_of_profile on signing_job (profile_id, created_at, id);
