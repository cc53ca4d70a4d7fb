import type { AuditDetail } from '@mooring/contract/engines/approval/schemas';
import type { TaskScope } from '@mooring/contract/engines/rollout/schemas';
import type { z } from 'zod';
import type { Audit } from '../../engines/approval/audit.ts';
import type { Db } from '../../platform/context.ts';

const NAMED = 20;
const first = (all: readonly string[]) => (all.length > NAMED ? [...all.slice(0, NAMED), `+${all.length - NAMED}`] : all);

/** Who reads of an approval. Whose release it is, and those above, know whom it goes to; others know of what is their own. */
export interface Reader {
  readonly path: string;
  readonly owns: boolean;
}
export const readerOf = (audit: Pick<Audit, 'dept_path'>, path: string): Reader => ({ path, owns: audit.dept_path.startsWith(path) });

type Others = z.input<typeof AuditDetail>['others'];
interface Names {
  readonly deptIds?: readonly number[] | undefined;
  readonly groupIds?: readonly number[] | undefined;
  readonly merchantIds?: readonly number[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly sns?: readonly string[] | undefined;
}
const none: Others = { sns: 0, depts: 0, groups: 0, merchants: 0, tags: 0, releases: 0 };

async function deptNames(db: Db, { owns, path }: Reader, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('org_dept')
    .select(['name', 'dept_path'])
    .where('id', 'in', [...ids])
    .orderBy('name')
    .execute();
  return rows.filter((row) => owns || row.dept_path.startsWith(path)).map((row) => row.name);
}

/** Groups, or merchants, at and below the reader, or all of them. */
async function namesOf(
  db: Db,
  table: 'device_group' | 'merchant_merchant',
  { owns, path }: Reader,
  ids: readonly number[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom(table)
    .select(['name', 'dept_path'])
    .where('id', 'in', [...ids])
    .orderBy('name')
    .execute();
  return rows.filter((row) => owns || row.dept_path.startsWith(path)).map((row) => row.name);
}

async function ownSns(db: Db, { owns, path }: Reader, sns: readonly string[]): Promise<readonly string[]> {
  if (owns || sns.length === 0) return sns;
  const rows = await db
    .selectFrom('device')
    .select('sn')
    .where('sn', 'in', [...sns])
    .where('dept_path', '>=', path)
    .where('dept_path', '<', `${path}~`)
    .execute();
  const own = new Set(rows.map((row) => row.sn));
  return sns.filter((sn) => own.has(sn));
}

async function split(db: Db, reader: Reader, { deptIds = [], groupIds = [], merchantIds = [], tags = [], sns = [] }: Names) {
  const depts = await deptNames(db, reader, deptIds);
  const groups = await namesOf(db, 'device_group', reader, groupIds);
  const merchants = await namesOf(db, 'merchant_merchant', reader, merchantIds);
  const shownTags = reader.owns ? tags : [];
  const own = await ownSns(db, reader, sns);
  const others: Others = reader.owns
    ? none
    : {
        ...none,
        sns: sns.length - own.length,
        depts: deptIds.length - depts.length,
        groups: groupIds.length - groups.length,
        merchants: merchantIds.length - merchants.length,
        tags: tags.length - shownTags.length,
      };
  return { depts, groups, merchants, tags: shownTags, sns: own, others };
}

/** Whom a ring names. */
export async function namedIn(db: Db, reader: Reader, ring: Names): Promise<{ named: string[]; others: Others }> {
  const { depts, groups, merchants, tags, sns, others } = await split(db, reader, ring);
  return { named: [...first([...depts, ...groups, ...merchants, ...tags, ...sns])], others };
}

/** "Winter update, ring 2": the release whose terminals it is for. */
async function updatedBy(db: Db, by: Extract<TaskScope, { releaseScope: '1' }>['updatedBy']): Promise<string[]> {
  if (by === null) return [];
  const row = await db.selectFrom('rollout_task').select('name').where('id', '=', by.taskId).executeTakeFirst();
  return [`${row?.name ?? by.taskId}${by.ring === null ? '' : ` (${by.ring})`}${by.sn === undefined ? '' : ` · ${by.sn}`}`];
}

/** Whom a release is limited to. */
export async function targetsOf(db: Db, reader: Reader, scope: TaskScope): Promise<{ targets: string[]; others: Others }> {
  if (scope.releaseScope === '0') return { targets: [], others: none };
  const { depts, groups, merchants, tags, sns, others } = await split(db, reader, scope);
  if (scope.releaseScope === '2') return { targets: [...first(sns)], others };
  const after = reader.owns ? await updatedBy(db, scope.updatedBy) : [];
  const releases = reader.owns || scope.updatedBy === null ? 0 : 1;
  return {
    targets: [...first([...after, ...depts, ...groups, ...merchants, ...scope.firmware, ...tags])],
    others: { ...others, releases },
  };
}
