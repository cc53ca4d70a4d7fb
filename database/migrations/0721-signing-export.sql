-- A key that left the vault: the file for one person, its password for another, each for a day.
create table signing_export (
  id bigint generated always as identity primary key,
  key_id bigint not null references signing_key on delete cascade,
  file_for bigint references account_user on delete cascade,
  password_for bigint references account_user on delete cascade,
  expires_at timestamptz not null,
  dept_path text collate "C" not null
);
create index signing_export_key on signing_export (key_id, expires_at);
create index signing_export_file on signing_export (file_for);
create index signing_export_password on signing_export (password_for);
create index signing_export_ends on signing_export (expires_at);
call own_by_path('signing_export');
revoke insert, update, delete on signing_export from mooring_app;

-- PKCS #12 under that password, and the password under the vault's seal.
create table signing_export_secret (
  export_id bigint primary key references signing_export on delete cascade,
  file bytea not null,
  password_sealed bytea not null
);
revoke all on signing_export_secret from mooring_app;
