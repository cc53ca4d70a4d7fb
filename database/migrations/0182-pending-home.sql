-- From where a terminal asked, as addresses are counted, and by which key: so many and no more wait for people.
alter table device_pending add column home text not null default '';
create index device_pending_home on device_pending (home, first_at);
create index device_pending_key on device_pending (key_hash);
