import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import type { AppContext } from '../app-context.ts';
import type { Db } from '../context.ts';

export type KeyRole = 'deviceRoot' | 'deviceIssuer' | 'releaseRoot' | 'release';
export interface KeyRow {
  readonly id: string;
  readonly role: KeyRole;
  readonly public_key: string;
  readonly certificate: string | null;
  readonly signature: string | null;
  readonly private_key_sealed: Buffer | null;
}

/** Only one process makes keys. */
export const lockKeys = (db: Db) => sql`select pg_advisory_xact_lock(7104)`.execute(db);

export async function currentKey(db: Db, role: KeyRole): Promise<KeyRow | undefined> {
  const found =
    await sql<KeyRow>`select id, role, public_key, certificate, signature, private_key_sealed from gateway_key where role = ${role} and retired_at is null order by created_at desc limit 1`.execute(
      db,
    );
  return found.rows[0];
}

/** Also those that were retired: what they signed is still about. */
export async function keysOfRole(db: Db, role: KeyRole): Promise<readonly KeyRow[]> {
  const found =
    await sql<KeyRow>`select id, role, public_key, certificate, signature, private_key_sealed from gateway_key where role = ${role} order by created_at desc`.execute(
      db,
    );
  return found.rows;
}

export const retireKey = (db: Db, id: string, now: Date) => sql`update gateway_key set retired_at = ${now} where id = ${id}`.execute(db);

export async function keepKey(db: Db, row: KeyRow): Promise<void> {
  await sql`insert into gateway_key (id, role, public_key, certificate, signature, private_key_sealed)
    values (${row.id}, ${row.role}, ${row.public_key}, ${row.certificate}, ${row.signature}, ${row.private_key_sealed})`.execute(db);
}

const rootFile = (app: AppContext, name: string) => join(app.config.DATA_DIR, 'authority', `${name}.key`);

/** A root's private key stands apart, in a sealed file that may be taken away once the key below it is made. */
export function keepRootKey(app: AppContext, name: string, pem: string): void {
  const file = rootFile(app, name);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, app.masterKey.seal(name, Buffer.from(pem)), { mode: 0o600 });
}

export function openRootKey(app: AppContext, name: string): string {
  try {
    return app.masterKey.open(name, readFileSync(rootFile(app, name))).toString();
  } catch (error) {
    throw new Error(`${rootFile(app, name)} is needed to make a new key below this root: ${String(error)}`);
  }
}
