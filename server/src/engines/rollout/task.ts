import type { Manifest, ReleaseKey } from '@mooring/contract/device/manifest';
import { Delivery, EXPIRY_DAYS, type TaskClass, TaskScope } from '@mooring/contract/engines/rollout/schemas';
import { resultMachine, taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import type { DB } from '@mooring/database/tables';
import type { Selectable } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { statefulTable } from '../../platform/db/move.ts';

export const taskRows = statefulTable('rollout_task', taskMachine);
export const resultRows = statefulTable('rollout_result', resultMachine);

export type TaskRow = Selectable<DB['rollout_task']>;
export interface Task extends Omit<TaskRow, 'scope' | 'delivery'> {
  readonly scope: TaskScope;
  readonly delivery: Delivery;
}

/** A task as it is stored, with its documents read. */
export const readTask = (row: TaskRow): Task => ({ ...row, scope: TaskScope.parse(row.scope), delivery: Delivery.parse(row.delivery) });

/** Its expiry; one that names none has the days of its class from now. */
export const endOf = (task: Pick<Task, 'expires_at' | 'task_class'>, now: Date): Date =>
  task.expires_at ?? new Date(now.getTime() + EXPIRY_DAYS[task.task_class as TaskClass] * 86_400_000);

export interface Target {
  readonly deviceId: number;
  readonly sn: string;
  readonly firmware: string | null;
  /** Why its last attempt failed. */
  readonly lastReason: string | null;
}
/** What one device gets: a signed manifest and where its bytes are. */
export interface Content {
  readonly manifest: Manifest;
  readonly signature: string;
  readonly releaseKey: ReleaseKey;
  readonly url: string;
  readonly full: boolean;
}

/** What a domain declares to send a kind of thing to many devices; everything else is the engine's. */
export interface TaskKind {
  readonly kind: string;
  /** Call groups whose lists show its tasks and its devices. */
  readonly groups: Readonly<Record<string, string>>;
  /** Content by device id; a device that isn't in the answer can't be served now. */
  contentFor(db: Db, app: AppContext, task: Task, targets: readonly Target[]): Promise<ReadonlyMap<number, Content>>;
  /** The version that devices have after success; those that run it already are left out. */
  targetVersion(db: Db, task: Pick<TaskRow, 'package_id'>): Promise<string>;
  /** Says to people what became of a task; in the transaction that changed it. */
  tell(db: Db, task: Task, news: TaskNews): Promise<void>;
}

export type TaskNews =
  | { readonly what: 'halted' | 'finished'; readonly succeeded: number; readonly failed: number; readonly ended: number }
  | { readonly what: 'asks'; readonly ring: number; readonly succeeded: number; readonly of: number };
