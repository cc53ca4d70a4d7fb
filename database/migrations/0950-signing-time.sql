-- Who says when a signature was made (RFC 3161), what it said, and which of the two a job waits for.
alter table signing_profile
  add column time_url text not null default '',
  add column time_root text not null default '',
  add column time_subject text not null default '';
drop trigger revision on signing_profile;
create trigger revision before update of name, product_ids, root, key_id, remark, time_url, time_root
  on signing_profile for each row execute function revision_next();

alter table signing_job
  add column waits_for text check (waits_for in ('token', 'time')),
  add column stamped_at timestamptz,
  add column stamped_by text not null default '',
  -- The token itself, in DER.
  add column stamp bytea;
-- Those that waited until now wait for a token.
update signing_job set waits_for = 'token' where waits_since is not null;
