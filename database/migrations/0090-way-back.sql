-- The oldest version that runs on this schema, by the last migration that it must know. A migration that takes something away, renames it or
-- gives it another meaning raises it, and names the version of the product that it belongs to.
create table schema_floor (
  one boolean primary key default true check (one),
  migration text not null,
  version text not null
);
insert into schema_floor (migration, version) values ('0066-young-and-parked', '0.1.0');

-- What was put aside so that an older version starts, which knows only its own migrations; the newer one takes it back at its next start.
create table kysely_migration_ahead (
  name varchar(255) primary key,
  timestamp varchar(255) not null
);

revoke all on schema_floor, kysely_migration_ahead from mooring_app, mooring_system;
