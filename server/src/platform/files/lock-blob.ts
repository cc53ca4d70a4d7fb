import { sql } from 'kysely';
import type { Db } from '../context.ts';

/** Until the transaction ends: bytes are either named or deleted, never both. */
export const lockBlob = (db: Db, sha256: string) => sql`select pg_advisory_xact_lock(hashtextextended(${sha256}, 0))`.execute(db);
