import type { Call } from '@mooring/contract/kit/call';
import { fault } from '@mooring/contract/kit/fault';
import { hasMetadata, metadataOf, walk } from '@mooring/contract/kit/schema';
import { sql } from 'kysely';
import type { Db } from '../context.ts';
import { lockSet } from '../db/lock-set.ts';
import type { RefTable } from './check-refs.ts';

/** Which entity's row a call edits, by the field of its input that names the revision. */
function edited(call: Call): string | undefined {
  let entity: string | undefined;
  if (hasMetadata(call.input, 'revises'))
    walk(call.input, undefined, (schema) => {
      entity ??= metadataOf(schema)?.revises;
    });
  return entity;
}

/**
 * Refuses a save over somebody else's change (OVERTAKEN). Saves of a row wait for each other until the call's transaction ends, so of
 * two at once one comes first. A call with `tx: 'own'` waits for something slow before it writes: there the lock ends with the question.
 */
export async function checkRevision(db: Db, call: Call, input: unknown, tables: Readonly<Record<string, RefTable>>): Promise<void> {
  const entity = edited(call);
  const { id, revision } = input as { id?: number; revision?: number };
  if (entity === undefined || revision === undefined || id === undefined) return;
  const known = tables[entity];
  if (typeof known !== 'string') throw new Error(`no module says which table "${entity}" is`);
  // Not by the row's own lock: some tables are written past the role that persons are bound to.
  await lockSet(db, `${known}:${id}`);
  const found = await sql<{ revision: number }>`select revision from ${sql.table(known)} where id = ${id}`.execute(db);
  const now = found.rows[0]?.revision;
  // A row that isn't there, or isn't the person's, is the handler's to answer.
  if (now !== undefined && now !== revision) throw fault('OVERTAKEN');
}
