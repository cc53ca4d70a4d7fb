import type { Capability } from '@mooring/contract/device/capabilities';
import type { Down } from '@mooring/contract/device/messages';
import { Delivery, EXPIRY_DAYS, type Refusal, type TaskClass, TaskScope } from '@mooring/contract/engines/rollout/schemas';
import { resultMachine, taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import type { DB } from '@mooring/database/tables';
import type { RawBuilder, Selectable } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { statefulTable } from '../../platform/db/move.ts';
import type { DifferenceSource } from './differences/source.ts';
import type { ReleaseGate } from './gate.ts';
import type { BackOf } from './had-before.ts';

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

/** What a task brings to devices: which part of them, and what that part is after success. `version` is null where it is put back. */
export interface Subject {
  readonly name: string;
  readonly version: string | null;
  /** Null for devices of any product. */
  readonly productId: number | null;
  /** What is stored beside the task, and of which each device gets its own part. */
  readonly source?: number;
  /** Only for devices that have the subject already. */
  readonly present?: boolean;
  /** Tried before it is approved: on test terminals alone. */
  readonly trial?: boolean;
  /** What a device must be able to do besides what the kind asks of it. */
  readonly needs?: Capability;
  /** A parameter template: each device's own result of it goes along. */
  readonly templateId?: number;
  /** The one product that the template is for; the release may be for others too. */
  readonly templateProduct?: number;
}
export type SubjectOf = Pick<TaskRow, 'package_id' | 'product_id' | 'content'>;

export interface Target {
  readonly deviceId: number;
  readonly sn: string;
  /** What the subject is on it now. */
  readonly current: string | null;
  /** An earlier attempt couldn't apply a difference. */
  readonly unfit: boolean;
  /** What it says that it can do. */
  readonly capabilities: readonly string[];
}
/** What one device gets: a signed manifest and where its bytes are, what is set on it, or which app goes. */
export type Payload = Pick<Down['offer'], 'package' | 'releaseKey' | 'url' | 'detachedSignature' | 'settings' | 'uninstall'>;

/** A device that will never be served, as when it isn't one of those that the content is for: its result is a failure with this reason. */
interface Unserved {
  readonly unserved: string;
  /** What the reason is about, in words that need no translation: the name of a field. */
  readonly message?: string;
}

/** What a domain declares to send a kind of thing to many devices; everything else is the engine's. */
export interface RolloutKind {
  readonly of: TaskKind;
  /** Kinds of files (specification, section 9) that its packages may be; none where it sends settings. */
  readonly files: readonly string[];
  /** What the subject of a task is on a device `d` now. */
  current(subject: Subject): RawBuilder<string | null>;
  /** The version that people know the subject by on a device `d`, where `current` tells more than that. */
  runs?(subject: Subject): RawBuilder<string | null>;
  /** Whether a device `d` in which nothing is seen of the subject has nothing of it; where left out it does, once it was in contact. */
  readonly seesAll?: RawBuilder<boolean>;
  /** A device may be in releases of several subjects at once: of different apps. Otherwise one of a kind goes out to it at a time. */
  readonly bySubject?: true;
  /** The version or digest that a device `d` says it has of a part that a task left there, where its settings don't say it. */
  has?(part: RawBuilder<string>, taskId: RawBuilder<number>): RawBuilder<string | null>;
  /** The part of another kind that a success of a task `t` sets besides, as its own releases do; null where there is none. */
  readonly besides?: { readonly of: TaskKind; readonly part: RawBuilder<string | null> };
  /** Kinds of which a success brings all parts anew: what their last releases left is over. */
  readonly renews?: readonly TaskKind[];
  /** What is sent where it has gone from a terminal, in place of the content that had reached it; the same where it says nothing. */
  again?(content: TaskRow['content']): TaskRow['content'];
  /** Its versions follow one another: a device that runs a newer one refuses to go back, unless the release allows it. */
  readonly ordered?: true;
  /**
   * Whether a device `d` runs a newer version than the subject's, where the database can tell; otherwise the versions of all devices that are
   * asked for are read and compared.
   */
  isNewer?(subject: Subject): RawBuilder<boolean>;
  /** Which devices `d` have the subject at all; all of them where it says nothing. */
  fits?(subject: Subject): RawBuilder<boolean>;
  /** Which devices `d` that it fits are kept from the subject by a rule of its own, and why. */
  withheld?(subject: Subject): readonly (readonly [why: Refusal, holds: RawBuilder<boolean>])[];
  subjectOf(db: Db, task: SubjectOf): Promise<Subject>;
  /** By device id. A device that isn't in the answer can't be served now, and is asked for again. */
  payloadsFor(db: Db, app: AppContext, task: Task, targets: readonly Target[]): Promise<ReadonlyMap<number, Payload | Unserved>>;
  /** Kinds of which something travels along: who makes or enables the task needs the same right for those. */
  along?(task: SubjectOf): readonly TaskKind[];
  /** What a device that has `current` gets, and its bytes; nothing where there is none that it could be sent. */
  weigh(ctx: Pick<Ctx, 'db' | 'unscoped'>, task: SubjectOf): Promise<(current: string | null) => Weight | undefined>;
  /** Of these devices, those that lack what nothing can be sent without, with its names: said before a release is made. */
  lacking?(ctx: Pick<Ctx, 'db' | 'readOnly'>, task: SubjectOf, deviceIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** The way back of what it sent. */
  readonly back: BackOf;
  /** What the server makes differences of, where terminals of the kind take them. */
  readonly differences?: DifferenceSource;
  /** Who must agree before a release goes out; nobody where it is left out. */
  readonly gate?: ReleaseGate;
  /** Refuses what can't be sent now, with its own fault. */
  check(ctx: Ctx, task: SubjectOf): Promise<void>;
  /**
   * What is kept of the content, with what the server adds to it for those who look at the task; as it came where it says nothing. `path` is
   * the task's owner: what is kept beside it is theirs too.
   */
  filled?(ctx: Ctx, task: SubjectOf, path: string): Promise<object>;
}

/** What a package is worth to a device at a version. */
export interface Weight {
  readonly gets: 'full' | 'diff' | 'same' | 'settings' | 'params';
  readonly bytes: number;
  /** The version as people know it, where `current` tells more. */
  readonly version?: string;
  /** A smaller one is verified, and waits for a person to put it to use. */
  readonly idle?: true;
}

/** Says to people what became of a task; in the transaction that changed it. */
export type TellNews = (db: Db, kind: TaskKind, task: Task, news: TaskNews) => Promise<void>;
/** The kinds of an installation, and who tells people of their tasks. */
export interface Rollouts {
  readonly kinds: readonly RolloutKind[];
  readonly tell: TellNews;
}
export const kindNamed = (kinds: readonly RolloutKind[], name: string): RolloutKind | undefined =>
  kinds.find((one) => one.of.kind === name);

export type TaskNews =
  | { readonly what: 'halted' | 'finished'; readonly succeeded: number; readonly failed: number; readonly ended: number }
  | { readonly what: 'expired'; readonly succeeded: number; readonly failed: number; readonly left: number }
  | { readonly what: 'asks'; readonly ring: number; readonly succeeded: number; readonly of: number };
