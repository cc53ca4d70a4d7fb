-- Where the keys of a store are, and what waits while the token is away: since when, of a job and of a store, whose people are told once.
alter table signing_store
  add column kind text not null default 'software' check (kind in ('software', 'token')),
  add column token_away_since timestamptz;
alter table signing_job add column waits_since timestamptz;
create index signing_job_waits on signing_job (waits_since) where waits_since is not null;
create index signing_store_away on signing_store (token_away_since) where token_away_since is not null;
