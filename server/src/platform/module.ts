import type { FileUse } from '@mooring/contract/file/upload-monitor-calls';
import type { Call, ParsedInputOf } from '@mooring/contract/kit/call';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RawBuilder } from 'kysely';
import type { z } from 'zod';
import type { AppContext } from './app-context.ts';
import type { Ctx, Db } from './context.ts';
import type { MessageHandler } from './gateway/message.ts';
import type { RefTable } from './http/check-refs.ts';
import type { Resource } from './resource/resource.ts';
import type { Exporter } from './work/exporter.ts';

type Awaitable<T> = T | Promise<T>;
type Answer<C> = C extends Call<z.ZodType, infer O> ? z.input<O> : never;

/** What a call does. It returns the body; only `mount` knows the envelope. */
export type Handler<C> = (ctx: Ctx, input: ParsedInputOf<C>, wire: Wire) => Promise<Answer<C>>;

/** The raw request and reply, for the few calls whose wire isn't JSON. */
export interface Wire {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface Route {
  readonly call: Call;
  readonly handler: Handler<Call>;
}

/** A group's handlers: one for each call, or it doesn't compile. */
export function handlers<G extends object>(group: G, table: { readonly [K in keyof G]: Handler<G[K]> }): Route[] {
  return Object.entries(group).map(([name, call]) => ({ call: call as Call, handler: table[name as keyof G] as unknown as Handler<Call> }));
}

/** A background job. It may run twice and must say so in its comment what makes that harmless. */
export interface Job<P = unknown> {
  readonly name: string;
  readonly payload: z.ZodType<P>;
  /** Cron expression (UTC) of a recurring job. */
  readonly every?: string;
  /** What the log proves or access rests on, or what keeps small what strangers can make grow: nobody pauses or changes it. */
  readonly fixed?: true;
  run(ctx: Ctx, payload: P): Promise<void>;
}
export const job = <P>(spec: Job<P>): Job => spec as unknown as Job;

/** What a domain gives to the house. Nothing else registers anything. */
export interface Module {
  readonly name: string;
  readonly routes?: readonly Route[];
  /** Rows whose calls, refs and export follow from their declaration. */
  readonly resources?: readonly Resource[];
  readonly jobs?: readonly Job[];
  /** Entity of a `ref()` → table that is asked, under the policy, whether the id is there. */
  readonly refs?: Readonly<Record<string, RefTable>>;
  /** Figures beside menu entries, by menu code, with the permission that shows them. */
  readonly counts?: Readonly<Record<string, { can: string; count: (db: Db, ctx: Ctx) => Promise<number> }>>;
  /** Runs once after migrations, in one transaction past the policies; must be repeatable. */
  readonly seed?: (db: Db) => Promise<void>;
  /** Long-running work of a service (gateway, worker). Returns its stop. */
  readonly services?: readonly Service[];
  /** Messages of terminals, taken in batches (platform/gateway). */
  readonly messages?: readonly MessageHandler[];
  /** Lists that can be exported. */
  readonly exporters?: readonly Exporter[];
  /** Rows of this domain that files hang on: who holds the permission and sees the row may read its file. */
  readonly fileOwners?: readonly FileOwner[];
  /** Whether a row of this domain still needs a blob that a file lets go. */
  readonly keepsBlob?: (db: Db, sha256: string) => Promise<boolean>;
  /** Figures for /metrics, read when they are asked for: one number, or one for each value of the label. A counter only grows. */
  readonly gauges?: Readonly<
    Record<
      string,
      {
        readonly help: string;
        readonly label?: string;
        readonly type?: 'counter';
        readonly read: () => number | Readonly<Record<string, number>>;
      }
    >
  >;
  /** What a change of this domain that no second person approved leaves behind; asked of every such change, in its transaction. */
  readonly undone?: (
    ctx: Pick<Ctx, 'invalidate'>,
    db: Db,
    of: { readonly target: string; readonly subject_id: number | null; readonly dept_path: string },
  ) => Promise<void>;
  /** Locks the rows that such changes are about, in one order and before the requests themselves: what asks for a change has the row first too. */
  readonly lockSubjects?: (db: Db, of: readonly { readonly target: string; readonly subject_id: number | null }[]) => Promise<void>;
  /** HTTP routes outside the envelope: devices' enrolment and bytes. */
  readonly plugins?: (app: AppContext) => readonly ((http: FastifyInstance) => void | Promise<void>)[];
}
export interface FileOwner {
  readonly table: string;
  /** Holds the file's id. */
  readonly column: string;
  /** Only rows with this value in this column, where a table holds rows of several permissions. */
  readonly where?: readonly [column: string, value: string];
  /** Set where a row is kept for history alone: its file is free then. */
  readonly gone?: string;
  /** Only rows of the table for which this holds, where more is seen of a row than its file. */
  readonly only?: (ctx: Ctx) => RawBuilder<boolean>;
  readonly can: Exclude<Call['can'], 'public' | 'session'>;
  /** What a row is to who asks what keeps a file. */
  readonly use: {
    readonly what: FileUse;
    /** What it is called: of the table's columns. */
    readonly name: RawBuilder<unknown>;
    /** Where it is looked at: an address, and what stands behind it. */
    readonly at?: { readonly path: string; readonly id: RawBuilder<unknown> };
    /** A name that says words of the console. */
    readonly said?: (lang: string, name: string) => string;
  };
}
export interface Service {
  readonly of: 'http' | 'worker' | 'gateway' | 'broker';
  readonly name: string;
  start(app: AppContext): Awaitable<() => Promise<void>>;
}
