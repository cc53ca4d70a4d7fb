-- Android's proven rotation (APK Signature Scheme 3): which key one follows, the first of that line, and the proof that each of them named the next.
alter table signing_key
  add column follows_id bigint references signing_key,
  add column oldest_id bigint references signing_key,
  add column proof bytea,
  add constraint signing_key_line check (
    (follows_id is null) = (oldest_id is null) and (follows_id is null) = (proof is null) and follows_id is distinct from id and oldest_id is distinct from id);
create unique index signing_key_next on signing_key (follows_id) where follows_id is not null;
create index signing_key_oldest on signing_key (oldest_id) where oldest_id is not null;

-- Whether what is signed carries that proof, and the key that signs it as well, for Androids that know no rotation.
alter table signing_job
  add column rotation boolean not null default false,
  add column oldest_key_id bigint references signing_key;
create index signing_job_oldest on signing_job (oldest_key_id, state) where oldest_key_id is not null;
