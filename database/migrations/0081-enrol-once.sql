-- Digests of requests by which a terminal was let in: each counts once, so that one which was overheard opens nothing.
create table device_request (
  digest bytea primary key,
  at timestamptz not null default now()
);
alter table device_request enable row level security;
create policy everything on device_request to mooring_system using (true) with check (true);
revoke all on device_request from mooring_app;
