import type { Platform } from '@mooring/contract/kit/call';
import type { DB } from '@mooring/database/tables';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { OutboundMessage } from './gateway/send-messages.ts';

/** Who acts. A job derives the actor's rights again when it runs. */
export interface Actor {
  readonly userId: number;
  readonly userName: string;
  readonly deptId: number;
  readonly deptPath: string;
  readonly deptName?: string;
  readonly permissions: ReadonlySet<string>;
  readonly sessionId: number | undefined;
  /** Set where a system acts with an API token of the person. */
  readonly apiToken?: { readonly id: number; readonly name: string };
}

/** Where the act applies: rows whose path starts here (design 1, "Tenancy is kept by the database"). */
export interface Scope {
  readonly platform: Platform;
  readonly deptId: number;
  readonly path: string;
}

/** The database as a handler may touch it: one transaction, bound by the policies of the scope. */
export type Db = Kysely<DB>;

export interface JobOptions {
  readonly runAt?: Date;
  readonly key?: string;
  readonly maxAttempts?: number;
}

/** The only door of a handler to the outside. */
export interface Ctx {
  /** Already the transaction; it begins with the first query and commits after the handler. With `tx: 'own'` use `inTx`. */
  readonly db: Db;
  /** A short transaction in the same scope, for handlers that declare `tx: 'own'`, and for jobs. */
  inTx<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** The same with a whole door of its own, for handlers that are called many times (exports). */
  withScope<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Past the range policy: for rules that span organisations (a unique SN, a rollup). Say why at each use. */
  unscoped<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** The same, each statement planned for what it is given: where one plan would be far from right for another's values. */
  inBulk<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** The same for what only reads: nobody waits for the end of its transaction. */
  readOnly<T>(work: (db: Db) => Promise<T>): Promise<T>;
  readonly actor: Actor;
  /** The actor’s rights as they are by now: for a job that goes on for long. None where they may no longer act here. */
  permissionsNow(): Promise<ReadonlySet<string>>;
  readonly scope: Scope;
  readonly lang: string;
  readonly timeZone: string;
  readonly requestId: string;
  readonly ip: string;
  readonly log: Logger;
  /** Set while a change is carried out that somebody else requested and the actor approves. */
  readonly approving?: number;
  now(): Date;
  /** Queues a job in the same transaction. */
  enqueue(db: Db, job: string, payload: unknown, options?: JobOptions): Promise<void>;
  /** Says something to devices in the same transaction. */
  sendMessages(db: Db, messages: readonly OutboundMessage[]): Promise<number>;
  /** Says in the same transaction that a group of rows changed, so that open lists refetch. `path` is the owner's; the scope's if left out. */
  invalidate(db: Db, group: string, path?: string): Promise<void>;
  /** What the audit row keeps of a change, besides the masked input. */
  audit(detail: { target?: string; actor?: { userId: number; userName: string }; before?: unknown; after?: unknown }): void;
}
