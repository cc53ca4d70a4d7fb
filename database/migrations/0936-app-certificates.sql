-- The certificates that lie with a package's signature, its signer's own first; null of what was brought before, until it is read again.
alter table app_version add column certificates bytea[];
create index app_version_certificates on app_version (id) where certificates is null and deleted_at is null;
-- Whether a package was signed beside by a profile.
create index signing_job_beside on signing_job (profile_id, sha256_before) where state = 'signed' and profile_id is not null;
