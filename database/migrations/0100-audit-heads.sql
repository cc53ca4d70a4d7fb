-- Beside the chain of hashes, which anybody can compute anew, each link has a seal that needs a key. None: sealed by a version before, or not yet.
alter table audit_entry add column seal bytea;

-- Once a day what the chain has come to is signed. `signed` is the very text that the signature is of.
create table audit_head (
  number integer primary key,
  made_at timestamptz not null,
  seal_no bigint not null,
  signed text not null,
  signature bytea not null
);
revoke all on audit_head from mooring_app;
revoke update, delete on audit_head from mooring_system;
