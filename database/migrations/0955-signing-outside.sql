-- Signatures by a key that is elsewhere: whose it is, what it is asked to sign, and what came back.
alter table signing_profile
  add column certificates text not null default '',
  add column signer_subject text not null default '',
  add column signer_sha256 text not null default '',
  add column signer_ends timestamptz;
drop trigger revision on signing_profile;
create trigger revision before update of name, product_ids, root, key_id, remark, time_url, time_root, certificates
  on signing_profile for each row execute function revision_next();

alter table signing_job
  alter column key_id drop not null,
  drop constraint signing_job_state_check,
  add constraint signing_job_state_check
    check (state in ('requested', 'approved', 'signing', 'waiting', 'signed', 'failed', 'refused', 'withdrawn', 'expired')),
  -- The time that stands in a signature beside a file: the same each time it is put together.
  add column asked_at timestamptz,
  add column delivered_by text,
  add column delivered_at timestamptz,
  add constraint signing_job_signer check (key_id is not null or profile_kind = 'external');
drop index signing_job_open;
create index signing_job_open on signing_job (expires_at) where state in ('requested', 'waiting');

-- Goes with its job's bytes; no person's transaction reads or writes it.
create table signing_ask (
  id bigint generated always as identity primary key,
  job_id bigint not null references signing_job on delete cascade,
  digest text not null check (digest in ('sha256', 'sha384', 'sha512')),
  -- SHA-256 of what is signed, whichever digest its signature has.
  sha256 text not null,
  data bytea not null,
  signature bytea,
  unique (job_id, digest, sha256)
);
revoke all on signing_ask from mooring_app;
