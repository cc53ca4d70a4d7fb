import { SyncConflict, SyncRun, SyncSource, syncConflictCalls, syncRunCalls, syncSourceCalls } from '@mooring/contract/inventory/sync';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { type AppContext, authorOf } from '../../../platform/app-context.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { lockSet } from '../../../platform/db/lock-set.ts';
import type { Handler } from '../../../platform/module.ts';
import { addressFirst } from '../../../platform/outbound/address-first.ts';
import { type Resource, resource } from '../../../platform/resource/resource.ts';
import { decide } from './decide.ts';
import { addRun, queueRun } from './run-sync.ts';
import { invalidateSync, TOKEN } from './sync-rows.ts';

type Deciding = Parameters<typeof decide>[0];

export const runs: Resource<typeof SyncRun> = resource(SyncRun, syncRunCalls, {
  table: 'inventory_sync_run',
  target: (row) => `asset sync ${row.id}`,
  joined: (query) => query.innerJoin('inventory_sync_source as s', 's.id', 't.source_id').select('s.name as source_name'),
});

const runNow: Handler<typeof syncSourceCalls.run> = async (ctx, { id }) => {
  const source = await ctx.db
    .selectFrom('inventory_sync_source')
    .select(['id', 'name', 'dept_id', 'dept_path as path'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!source) throw new Fault('NOT_FOUND', { code: 404 });
  const { userId, userName } = ctx.actor;
  const run = await addRun(ctx.db, source, { id: userId, name: userName }, ctx.now());
  if (run === undefined) throw new Fault('SYNC_RUNNING');
  await queueRun(ctx.db, run, { id: source.dept_id, path: source.path }, authorOf(ctx));
  await invalidateSync(ctx, ctx.db);
  ctx.audit({ target: `register ${source.name}` });
  return runs.read(ctx, run);
};

interface Stood {
  readonly url: string;
  readonly token_sealed: Buffer | null;
}
/** The token as it is kept: a new one, the one that stands there, or none. It goes to the address that it was entered for, and to no other. */
function sealedToken(
  app: AppContext,
  { signIn, token, url }: { signIn: string; token: string; url: string },
  before: Stood | undefined,
): Buffer | null {
  if (signIn === 'none') return null;
  if (token !== '') return app.masterKey.seal(TOKEN, Buffer.from(token));
  if (!before?.token_sealed) throw new Fault('BAD_INPUT', { fields: { token: 'invalid.required' } });
  if (new URL(before.url).origin !== new URL(url).origin) throw new Fault('BAD_INPUT', { fields: { token: 'invalid.tokenAgain' } });
  return before.token_sealed;
}
/** Each is read again and again, and each may bring terminals. */
const MOST_SOURCES = 10;
async function checkRoom(db: Db, path: string): Promise<void> {
  await lockSet(db, `assetSync:${path}`);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from inventory_sync_source where dept_path = ${path}`.execute(db);
  if ((rows[0]?.n ?? 0) >= MOST_SOURCES) throw new Fault('SYNC_SOURCES_MANY');
}
const under = ['waiting', 'running'] as const;
const begins = (ctx: Ctx, schedule: string, before: { schedule: string; next_at: Date | null } | undefined) =>
  schedule === 'none' ? null : before?.schedule === schedule ? before.next_at : ctx.now();

export const makeSources = (app: AppContext): Resource<typeof SyncSource> => {
  const made = resource(SyncSource, syncSourceCalls, {
    table: 'inventory_sync_source',
    small: true,
    target: (row) => `register ${row.name}`,
    joined: (query) =>
      query
        .innerJoin('org_dept as o', 'o.id', 't.dept_id')
        .select([
          'o.name as dept_name',
          sql<string | null>`(select r.state from inventory_sync_run r where r.source_id = t.id order by r.started_at desc limit 1)`.as(
            'last_state',
          ),
          sql<Date | null>`(select r.started_at from inventory_sync_run r where r.source_id = t.id order by r.started_at desc limit 1)`.as(
            'last_at',
          ),
          sql<number>`(select count(*)::int from inventory_sync_conflict c where c.source_id = t.id and c.state = 'open')`.as('conflicts'),
        ]),
    columns: async (ctx, { signIn, token, url, schedule }, { before, path, db }) => {
      if (!before) await checkRoom(db, path);
      return {
        token_sealed: sealedToken(app, { signIn, token, url }, before),
        next_at: begins(ctx, schedule, before),
        keeper_id: ctx.actor.userId,
      };
    },
    refuses: { delete: (row) => 'last_state' in row && under.some((one) => one === row.last_state) && 'SYNC_RUNNING' },
    handlers: { run: runNow },
  });
  return addressFirst(made, 'registers', [syncSourceCalls.add, syncSourceCalls.update], ['url']);
};

export const makeConflicts = (run: Deciding) =>
  resource(SyncConflict, syncConflictCalls, {
    table: 'inventory_sync_conflict',
    target: (row) => `asset sync ${row.sn}`,
    joined: (query) => query.innerJoin('inventory_sync_source as s', 's.id', 't.source_id').select('s.name as source_name'),
    handlers: { keep: decide(run, 'syncKeep'), take: decide(run, 'syncTake') },
  });
