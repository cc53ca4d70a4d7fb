import { createHash } from 'node:crypto';
import type { Db } from '../../platform/context.ts';
import type { Task } from './task.ts';

/** Whatever a release is made of, by which it is agreed to: another value of any part is another release. */
export interface TaskContent {
  readonly name: string;
  readonly package: {
    readonly id: number;
    readonly name: string;
    readonly version: string;
    readonly kind: string;
    readonly product: string;
    readonly size: number;
    readonly sha256: string;
    /** Of a difference: what it makes of its base. */
    readonly fullSha256?: string;
  } | null;
  readonly content: unknown;
  readonly product: number | null;
  readonly scope: unknown;
  readonly delivery: unknown;
  readonly remark: string;
}

/** Keys in order, so that one content has one text however it was stored. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`)
      .join(',')}}`;
  return JSON.stringify(value);
}

type Whole = Pick<Task, 'kind' | 'task_class' | 'name' | 'package_id' | 'content' | 'product_id' | 'scope' | 'delivery' | 'remark'>;

/** What a release is made of as it stands in the database now: the bytes of its package too, not only which one it names. */
export async function contentOfTask(db: Db, task: Whole): Promise<TaskContent> {
  const found =
    task.package_id === null
      ? undefined
      : await db
          .selectFrom('rollout_package as f')
          .leftJoin('product_product as p', 'p.id', 'f.product_id')
          .select(['f.id', 'f.name', 'f.version', 'f.kind', 'f.size', 'f.sha256', 'f.full_sha256', 'p.name as product'])
          .where('f.id', '=', task.package_id)
          .executeTakeFirst();
  const { full_sha256, ...named } = found ?? { full_sha256: null };
  return {
    name: task.name,
    package:
      'id' in named ? { ...named, product: named.product ?? '', ...(full_sha256 === null ? {} : { fullSha256: full_sha256 }) } : null,
    content: task.content,
    product: task.product_id,
    scope: task.scope,
    delivery: task.delivery,
    remark: task.remark,
  };
}

/** The name of a product may change; which one it is stays. */
export const hashOfContent = (task: Pick<Task, 'kind' | 'task_class'>, content: TaskContent): string =>
  createHash('sha256')
    .update(
      canonical({
        kind: task.kind,
        taskClass: task.task_class,
        ...content,
        package: content.package ? { ...content.package, product: undefined } : null,
      }),
    )
    .digest('hex');

export const hashOfTask = async (db: Db, task: Whole): Promise<string> => hashOfContent(task, await contentOfTask(db, task));
