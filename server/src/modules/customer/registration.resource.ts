import { awsCalls, IotRegistration } from '@mooring/contract/customer/registration';
import { iotRegistrationMachine } from '@mooring/contract/customer/state-machines';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { countCandidates, nextCandidates } from '../../platform/db/candidates.ts';
import { all, containsWords, exact } from '../../platform/db/criteria.ts';
import { move } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { register } from './register-many.ts';
import { invalidateRegistrations, registrationRows } from './registration-rows.ts';

const BATCH = 1000;
const COUNT_MOST = 100_001;
const SHOWN_MOST = 10_000;

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
