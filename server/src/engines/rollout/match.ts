import { type TaskScope, taskClasses } from '@mooring/contract/engines/rollout/schemas';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import type { Subject } from './task.ts';

type PartialScope = Extract<TaskScope, { releaseScope: '1' }>;
export interface Aim {
  readonly subject: Subject;
  /** What the subject is on a device `d` now. */
  readonly current: RawBuilder<string | null>;
  /** Whether a device `d` has the subject at all. */
  readonly fits: RawBuilder<boolean>;
  readonly deptPath: string;
  readonly scope: TaskScope;
  /** Device states (section 4) that count. */
  readonly states: readonly string[];
}

/** In service, or not active yet. */
export const statesOf = (taskClass: string): readonly string[] => (taskClass === taskClasses.preset ? ['1', '5'] : ['1', '2', '3', '5']);

/** Devices (as `d`) of what a task sends, in reach of its owner. */
export const inReach = ({ subject, deptPath }: Pick<Aim, 'subject' | 'deptPath'>): RawBuilder<boolean> =>
  sql<boolean>`${subject.productId === null ? sql`true` : sql`d.product_id = ${subject.productId}`} and d.deleted_at is null
    and d.dept_path >= ${deptPath} and d.dept_path < ${`${deptPath}~`}`;

/** Devices (as `d`) that a task is for: of its product, in reach of its owner, in service, and not at the version already. */
export async function matching(db: Db, aim: Aim): Promise<RawBuilder<boolean>> {
  const base = sql<boolean>`${inReach(aim)} and d.status = any(${aim.states}::text[]) and ${aim.fits} and ${aim.current} is distinct from ${aim.subject.version}::text`;
  const { scope } = aim;
  if (scope.releaseScope === '0') return base;
  if (scope.releaseScope === '2') return sql<boolean>`${base} and d.sn = any(${scope.sns}::text[])`;
  const inDepts = scope.deptIds.length === 0 ? sql<boolean>`true` : await below(db, scope.deptIds);
  const running = scope.firmware.length === 0 ? sql<boolean>`true` : sql<boolean>`${aim.current} = any(${scope.firmware}::text[])`;
  const tagged = scope.tags.length === 0 ? sql<boolean>`true` : sql<boolean>`d.tags && ${scope.tags}::text[]`;
  return sql<boolean>`${base} and ${inDepts} and ${running} and ${tagged} and ${updated(scope.updatedBy)}`;
}

/** Devices (as `d`) that a release has updated, or one of its rings. */
const updated = (by: PartialScope['updatedBy']): RawBuilder<boolean> =>
  by === null
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from rollout_result u where u.task_id = ${by.taskId} and u.device_id = d.id and u.state in ('3', '6')
        and ${by.ring === null ? sql`true` : sql`u.ring = ${by.ring}`})`;

/** Devices (as `d`) at and below departments. */
export async function below(db: Db, deptIds: readonly number[]): Promise<RawBuilder<boolean>> {
  const depts = await db
    .selectFrom('org_dept')
    .select('dept_path')
    .where('id', 'in', [...deptIds])
    .execute();
  const ranges = depts.map((dept) => sql<boolean>`(d.dept_path >= ${dept.dept_path} and d.dept_path < ${`${dept.dept_path}~`})`);
  return ranges.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(ranges, sql` or `)})`;
}
