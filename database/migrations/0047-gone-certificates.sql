-- Certificates of deleted devices that are forgotten: a broker must refuse them until they end.
create table device_gone (
  serial text primary key,
  sn text not null,
  gone_at timestamptz not null,
  expires_at timestamptz not null
);
create index device_gone_expires on device_gone (expires_at);
alter table device_gone enable row level security;
create policy everything on device_gone to mooring_system using (true) with check (true);
revoke all on device_gone from mooring_app;
