import { fault } from '@mooring/contract/kit/fault';
import type { Db } from '../../platform/context.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import type { Audit } from './audit.ts';

/** A file that somebody gives with what they do, as it is called then. */
export interface GivenFile {
  readonly id: number;
  readonly name: string;
  readonly size: number;
}

/** They stand in this line of the history for as long as it does. */
export async function keepFiles(
  db: Db,
  { task_type, dept_path }: Pick<Audit, 'task_type' | 'dept_path'>,
  record_id: number,
  files: readonly GivenFile[],
) {
  if (files.length === 0) return;
  const rows = files.map(({ id, name, size }) => ({ record_id, file_id: id, task_type, name, size, dept_path }));
  await unlessRefused(
    db,
    () => db.insertInto('approval_file').values(rows).execute(),
    // Deleted since it was looked at.
    ({ kind }) => (kind === 'referenced' ? fault('NOT_FOUND') : undefined),
  );
}

/** Whoever gave something with an act never hears that it is done while it isn't kept. */
export async function checkKept(db: Db, { type, id }: { readonly type: string; readonly id: number }, files: readonly GivenFile[]) {
  if (files.length === 0) return;
  const kept = await db
    .selectFrom('approval_file as f')
    .innerJoin('approval_record as r', 'r.id', 'f.record_id')
    .innerJoin('approval_audit as a', 'a.id', 'r.audit_id')
    .select('f.file_id')
    .where('a.task_type', '=', type)
    .where('a.task_id', '=', id)
    .where('r.id', '=', (eb) =>
      eb
        .selectFrom('approval_record as l')
        .select((e) => e.fn.max('l.id').as('id'))
        .whereRef('l.audit_id', '=', 'a.id'),
    )
    .execute();
  const ids = new Set(kept.map((row) => row.file_id));
  if (!files.every((file) => ids.has(file.id))) throw fault('OVERTAKEN');
}

/** Of these lines, in the order in which they were brought. */
export async function filesOf(db: Db, records: readonly number[]): Promise<ReadonlyMap<number, GivenFile[]>> {
  const found = new Map<number, GivenFile[]>();
  if (records.length === 0) return found;
  const rows = await db
    .selectFrom('approval_file')
    .select(['record_id', 'file_id as id', 'name', 'size'])
    .where('record_id', 'in', [...records])
    .orderBy('file_id')
    .execute();
  for (const { record_id, id, name, size } of rows) found.set(record_id, [...(found.get(record_id) ?? []), { id, name, size }]);
  return found;
}
