import { awsCalls, IOT_REGISTER_MOST } from '@mooring/contract/customer/registration';
import { Fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { countCandidates } from '../../platform/db/candidates.ts';
import { shareSet } from '../../platform/db/lock-set.ts';
import { move, recordCreated } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { type BulkAct, bulkJobOf, bulkRunner, whichOf } from '../device/api.ts';
import { invalidateRegistrations, registrationRows, registrationsOf } from './registration-rows.ts';

interface Platform {
  readonly name: string;
  readonly path: string;
  readonly deptId: number;
}
async function awsPlatform(db: Db, scope: string, id: number): Promise<Platform> {
  const row = await db
    .selectFrom('customer_iot')
    .select(['name', 'kind', 'dept_path as path', 'dept_id as deptId'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row?.path.startsWith(scope)) throw new Fault('NOT_FOUND', { code: 404 });
  if (row.kind !== 'aws') throw new Fault('IOT_NOT_AWS', { fields: { customerId: 'fault.IOT_NOT_AWS' } });
  return row;
}

const isRegistrable = (path: unknown): RawBuilder<boolean> =>
  sql<boolean>`(d.deleted_at is null and d.status <> '4' and starts_with(d.dept_path, ${path}::text))`;
/** Terminal `d` is there, or on its way. */
const isThere = (customerId: unknown): RawBuilder<boolean> =>
  sql<boolean>`exists (select from customer_registration r where r.customer_id = ${customerId}::bigint and r.sn = d.sn and r.state not in ('revoked', 'failed'))`;

/** Those of them that aren't there yet; who was taken back, or failed, is asked for again. Answers who they were. */
const registerSome: BulkAct = async (ctx: Ctx, db, chosen, params) => {
  const customerId = Number(params.customerId);
  // Not beside a change of where the platform is, nor its end.
  await shareSet(db, registrationsOf(customerId));
  const { path } = await awsPlatform(db, ctx.scope.path, customerId);
  const fits = await sql<{
    id: number;
  }>`select d.id from device d where d.id = any(${chosen}::bigint[]) and ${isRegistrable(path)}`.execute(db);
  const ids = fits.rows.map(({ id }) => id);
  const made = await sql<{ id: number; device_id: number }>`
    insert into customer_registration (customer_id, device_id, sn, product_id, thing_name, next_at, created_at, dept_path)
    select ${customerId}, id, sn, product_id, sn, ${ctx.now()}, ${ctx.now()}, ${path} from device where id = any(${ids}::bigint[]) order by sn
    on conflict (customer_id, sn) do nothing returning id, device_id`.execute(db);
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
  const moved = [...back, ...failed].map(({ id }) => id);
  const others = await sql<{ id: number }>`
    select device_id as id from customer_registration where id = any(${moved}::bigint[]) and device_id is not null`.execute(db);
  return [...made.rows.map((row) => row.device_id), ...others.rows.map(({ id }) => id)];
};

async function failures(db: Db, _name: 'iotRegister', ids: readonly number[], { customerId, path }: Record<string, unknown>) {
  const { rows } = await sql<{ id: number; label: string; fault: string }>`
    select d.id, d.sn as label, case when ${isRegistrable(path)} and ${isThere(customerId)} then 'IOT_REGISTERED' else 'IOT_DEVICE_GONE' end as fault
    from device d where d.id = any(${ids}::bigint[]) order by d.id`.execute(db);
  return rows;
}

const many = {
  job: 'customer.register',
  acts: { iotRegister: registerSome },
  cans: { iotRegister: awsCalls.register.can },
  changeable: (_name: 'iotRegister', { customerId, path }: Record<string, unknown>) =>
    sql<boolean>`(${isRegistrable(path)} and not ${isThere(customerId)})`,
  failures,
};
const run = bulkRunner(many);
export const registerJob = bulkJobOf(many);

export const register: Handler<typeof awsCalls.register> = async (ctx, { customerId, of: asked, preview }) => {
  const { name, path, deptId } = await ctx.inTx((db) => awsPlatform(db, ctx.scope.path, customerId));
  // Whoever sees more than the platform's organisation means those of it, where they are filtered and not named.
  const of = 'ids' in asked || asked.criteria.below !== undefined ? asked : { ...asked, criteria: { ...asked.criteria, below: deptId } };
  if ((await countCandidates(ctx, 'device', await whichOf(ctx, of), IOT_REGISTER_MOST + 1)) > IOT_REGISTER_MOST)
    throw new Fault('IOT_REGISTER_MANY', { fields: { of: 'fault.IOT_REGISTER_MANY' } });
  const outcome = await run(ctx, 'iotRegister', of, preview, { customerId, path });
  if (!preview) ctx.audit({ target: `iot terminal ${name}`, after: { done: outcome.work === null ? outcome.done : outcome.total } });
  return outcome;
};
