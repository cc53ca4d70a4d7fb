import { ATTACHMENT } from '@mooring/contract/file/kinds';
import { type RawBuilder, sql } from 'kysely';
import type { GivenFile } from '../../engines/approval/files.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import type { FileOwner } from '../../platform/module.ts';
import { freeFile, namedFiles } from '../file/api.ts';
import { concerning } from './audits.queries.ts';
import { approvedKinds } from './kinds.ts';

/** Own uploads that somebody gives with an act. Faults: NOT_FOUND, FILE_KIND_REFUSED. */
export async function givenFiles(ctx: Ctx, ids: readonly number[]): Promise<GivenFile[]> {
  const found = await namedFiles(ctx, ids, [ATTACHMENT], async () => []);
  return [...found.values()].map(({ id, name, size }) => ({ id, name, size }));
}

/** For the audit log: by what names they were given. */
export const namesOf = (files: readonly GivenFile[]) => (files.length > 0 ? { files: files.map(({ name }) => name) } : {});

/** Given with an approval that is gone. */
export const freeGiven = (ctx: Pick<Ctx, 'enqueue' | 'now'>, db: Db) => (fileId: number) => freeFile(ctx, db, fileId);

/** To a reader at a path: lines of the side of the release, and of their own people. Which other customers said something is not theirs to know. */
export const recordSeenAt = (path: string): RawBuilder<boolean> =>
  sql<boolean>`(starts_with(r.dept_path, ${path}) or starts_with(r.dept_path, r.actor_path) or starts_with(r.actor_path, ${path}))`;

/** A file in a line of an approval that a reader at a path sees. */
export const givenTo = (db: Db, { auditId, fileId, path }: { auditId: number; fileId: number; path: string }) =>
  db
    .selectFrom('approval_file as f')
    .innerJoin('approval_record as r', 'r.id', 'f.record_id')
    .select('f.name')
    .where('f.file_id', '=', fileId)
    .where('r.audit_id', '=', auditId)
    .where(recordSeenAt(path))
    .limit(1)
    .executeTakeFirst();

/** Of approvals that the actor sees, as `seenBy` has it, the lines that they see. */
const seen = ({ scope: { path, platform } }: Ctx, on: typeof platform): RawBuilder<boolean> =>
  platform !== on
    ? sql<boolean>`false`
    : sql<boolean>`exists (
        select from approval_record r join approval_audit a on a.id = r.audit_id
        where r.id = approval_file.record_id and ${recordSeenAt(path)} and ${on === 'manager' ? concerning(path) : sql<boolean>`true`})`;

/** Files are read by whoever sees their line of the history. */
export const approvalFileOwners: readonly FileOwner[] = approvedKinds.flatMap(({ type, of }): FileOwner[] => {
  const row = {
    table: 'approval_file',
    column: 'file_id',
    where: ['task_type', type],
    use: { what: 'approval', name: sql`approval_file.name` },
  } as const;
  return [
    { ...row, can: `approval:${of.kind}:page`, only: (ctx) => seen(ctx, 'centre') },
    { ...row, can: 'approval:own:page', only: (ctx) => seen(ctx, 'manager') },
  ];
});
