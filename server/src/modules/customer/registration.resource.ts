import { awsCalls, IOT_REGISTER_MOST, IotRegistration } from '@mooring/contract/customer/registration';
import { iotRegistrationMachine } from '@mooring/contract/customer/state-machines';
import { Fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { countCandidates, nextCandidates } from '../../platform/db/candidates.ts';
import { all, containsWords, exact } from '../../platform/db/criteria.ts';
import { shareSet } from '../../platform/db/lock-set.ts';
import { move, recordCreated } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { whichOf } from '../device/api.ts';
import { invalidateRegistrations, registrationRows, registrationsOf } from './registration-rows.ts';

const BATCH = 1000;
const COUNT_MOST = 100_001;
const SHOWN_MOST = 10_000;

async function awsPlatform(ctx: Ctx, id: number): Promise<{ name: string; path: string }> {
  const row = await ctx.inTx((db) =>
    db.selectFrom('customer_iot').select(['name', 'kind', 'dept_path as path']).where('id', '=', id).executeTakeFirst(),
  );
  if (!row?.path.startsWith(ctx.scope.path)) throw new Fault('NOT_FOUND', { code: 404 });
  if (row.kind !== 'aws') throw new Fault('IOT_NOT_AWS', { fields: { customerId: 'fault.IOT_NOT_AWS' } });
  return row;
}

/** Those of them that aren't there yet; who was taken back, or failed, is asked for again. */
async function registerSome(ctx: Ctx, db: Db, customerId: number, path: string, ids: readonly number[]): Promise<number> {
  // Not beside a change of where the platform is, nor its end.
  await shareSet(db, registrationsOf(customerId));
  const known = await db.selectFrom('customer_iot').select('id').where('id', '=', customerId).executeTakeFirst();
  if (!known) throw new Fault('NOT_FOUND', { code: 404 });
  const made = await sql<{ id: number }>`
    insert into customer_registration (customer_id, device_id, sn, product_id, thing_name, next_at, created_at, dept_path)
    select ${customerId}, id, sn, product_id, sn, ${ctx.now()}, ${ctx.now()}, ${path} from device where id = any(${ids}::bigint[]) order by sn
    on conflict (customer_id, sn) do nothing returning id`.execute(db);
  const added = made.rows.map((row) => row.id);
  if (added.length > 0) await recordCreated(db, registrationRows, added, ctx.actor.userId);
  const set = { next_at: ctx.now(), tries: 0, reason: null };
  const options = { actorId: ctx.actor.userId, set };
  const again = sql`customer_id = ${customerId} and sn in (select sn from device where id = any(${ids}::bigint[]))`;
  // A terminal that was deleted and added again is another row.
  await sql`
    update customer_registration r set device_id = d.id, product_id = d.product_id from device d
    where d.id = any(${ids}::bigint[]) and r.customer_id = ${customerId} and r.sn = d.sn and r.device_id is distinct from d.id and r.state in ('revoked', 'failed')`.execute(
    db,
  );
  const back = await move(db, registrationRows, 'again', again, options);
  const failed = await move(db, registrationRows, 'retry', again, options);
  await invalidateRegistrations(ctx, db, path);
  return added.length + back.length + failed.length;
}

const register: Handler<typeof awsCalls.register> = async (ctx, { customerId, of, preview }) => {
  const { name, path } = await awsPlatform(ctx, customerId);
  const which = sql<boolean>`${await whichOf(ctx, of)} and d.deleted_at is null and d.status <> '4' and starts_with(d.dept_path, ${path})`;
  const total = await countCandidates(ctx, 'device', which, IOT_REGISTER_MOST + 1);
  if (total > IOT_REGISTER_MOST) throw new Fault('IOT_REGISTER_MANY', { fields: { of: 'fault.IOT_REGISTER_MANY' } });
  if (preview) return { total, done: 0, refused: 0, failed: [], work: null };
  let done = 0;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const ids = await nextCandidates(ctx, 'device', which, after, BATCH);
    const added = ids.length === 0 ? 0 : await ctx.inTx((db) => registerSome(ctx, db, customerId, path, ids));
    done += added;
    after = ids.length < BATCH ? undefined : ids.at(-1);
  }
  ctx.audit({ target: `iot terminal ${name}`, after: { done } });
  return { total, done, refused: total - done, failed: [], work: null };
};

type Selection = { ids: number[] } | { criteria: z.output<typeof IotRegistration.criteria>; except: number[] };
function chosen(of: Selection): RawBuilder<boolean> {
  if ('ids' in of) return sql<boolean>`d.id = any(${of.ids}::bigint[])`;
  const { text, customerId, state, productId } = of.criteria;
  return sql<boolean>`${all(
    containsWords(['d.sn'], text),
    exact('d.customer_id', customerId),
    exact('d.state', state),
    exact('d.product_id', productId),
  )} and d.id <> all(${of.except}::bigint[])`;
}
const statesOf = (events: readonly (keyof typeof iotRegistrationMachine.events)[]) =>
  events.flatMap((event) => [...iotRegistrationMachine.events[event].from]);

/** The same for each of many, by batches: what is in another state is left as it is. */
async function moveMany(
  ctx: Ctx,
  { of, preview }: { of: Selection; preview: boolean },
  states: readonly string[],
  step: (db: Db, ids: readonly number[]) => Promise<number>,
): Promise<BulkOutcome> {
  const total = await countCandidates(ctx, 'customer_registration', chosen(of), COUNT_MOST);
  const which = sql<boolean>`${chosen(of)} and d.state = any(${[...states]}::text[])`;
  const fits = await countCandidates(ctx, 'customer_registration', which, COUNT_MOST);
  if (preview) return { total, done: 0, refused: total - fits, failed: [], work: null };
  let done = 0;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const ids = await nextCandidates(ctx, 'customer_registration', which, after, BATCH);
    const moved = await ctx.inTx(async (db) => {
      const n = ids.length === 0 ? 0 : await step(db, ids);
      await invalidateRegistrations(ctx, db);
      return n;
    });
    done += moved;
    after = ids.length < BATCH ? undefined : ids.at(-1);
  }
  ctx.audit({ target: `iot terminal (${done})`, after: { done } });
  return { total, done, refused: total - done, failed: [], work: null };
}

const due = (ctx: Ctx) => ({ actorId: ctx.actor.userId, set: { next_at: ctx.now(), tries: 0, reason: null } });

const retry: Handler<typeof awsCalls.retry> = (ctx, input) =>
  moveMany(ctx, input, statesOf(['retry']).concat('stuck'), async (db, ids) => {
    const again = await move(db, registrationRows, 'retry', ids, due(ctx));
    const back = await move(db, registrationRows, 'revoke', sql`id = any(${ids}::bigint[]) and state = 'stuck'`, due(ctx));
    return again.length + back.length;
  });

const revoke: Handler<typeof awsCalls.revoke> = (ctx, input) =>
  moveMany(ctx, input, statesOf(['revoke']), async (db, ids) => (await move(db, registrationRows, 'revoke', ids, due(ctx))).length);

const counts: Handler<typeof awsCalls.counts> = async (ctx, { customerId }) => {
  const states = Object.keys(iotRegistrationMachine.states);
  const { rows } = await sql<{ state: string; n: number }>`
    select s.state, (select count(*)::int from (
      select from customer_registration r where r.customer_id = ${customerId} and r.state = s.state limit ${SHOWN_MOST + 1}) x) as n
    from unnest(${states}::text[]) as s(state)`.execute(ctx.db);
  return {
    counts: Object.fromEntries(rows.map(({ state, n }) => [state, Math.min(n, SHOWN_MOST)])),
    capped: rows.some(({ n }) => n > SHOWN_MOST),
  };
};

export const registrations: Resource<typeof IotRegistration> = resource(IotRegistration, awsCalls, {
  table: 'customer_registration',
  target: (row) => `iot terminal ${row.sn}`,
  joined: (query) =>
    query
      .innerJoin('customer_iot as c', 'c.id', 't.customer_id')
      .leftJoin('product_product as p', 'p.id', 't.product_id')
      .select(['c.name as customer_name', 'p.name as product_name']),
  handlers: { register, retry, revoke, counts },
});
