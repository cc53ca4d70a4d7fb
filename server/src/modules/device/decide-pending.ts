import type { regCalls } from '@mooring/contract/device/reg-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { type BulkOutcome, PAGE_SIZE_MAX } from '@mooring/contract/kit/page';
import { codesOf } from '@mooring/contract/kit/state-machine';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { all, contains, exact } from '../../platform/db/criteria.ts';
import { move } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { deptInScope } from './add-device.ts';
import { pendingRows } from './device-rows.ts';

type Selection = InputOf<typeof regCalls.refuse>['of'];
interface Chosen {
  readonly id: number;
  readonly sn: string;
  readonly state: string;
  readonly known: boolean;
  /** What it says it is, where that is a product here. */
  readonly product_id: number | null;
}

async function chosen(ctx: Ctx, of: Selection): Promise<readonly Chosen[]> {
  const which =
    'ids' in of
      ? sql<boolean>`q.id = any(${of.ids}::bigint[])`
      : sql<boolean>`${all(contains('q.sn', of.criteria.sn), exact('q.state', of.criteria.state))} and q.id <> all(${of.except ?? []}::bigint[])`;
  const { rows } = await sql<Chosen>`
    select q.id, q.sn, q.state, d.id is not null as known, p.id as product_id from device_pending q
    left join device d on d.sn = q.sn and d.deleted_at is null left join product_product p on p.code = q.product_code
    where ${which} order by q.id limit ${PAGE_SIZE_MAX}`.execute(ctx.db);
  return rows;
}

interface Decision {
  readonly event: 'accept' | 'refuse';
  readonly preview: boolean;
  /** Why this one can't be decided so, beyond its state. */
  readonly fault?: (one: Chosen) => string | undefined;
  readonly set: Readonly<Record<string, unknown>>;
}

/** Decides about many at once: who can't be is named with the reason, the others are done. */
async function decide(ctx: Ctx, of: Selection, { event, preview, fault, set }: Decision): Promise<BulkOutcome> {
  const rows = await chosen(ctx, of);
  const open = codesOf(pendingRows.machine, pendingRows.machine.events[event].from);
  const wrong = rows.map((one) => ({ one, fault: open.includes(one.state) ? fault?.(one) : 'DEVICE_STATE' }));
  const ready = wrong.flatMap(({ one, fault: why }) => (why === undefined ? [one.id] : []));
  const moved = preview ? [] : await move(ctx.db, pendingRows, event, ready, { actorId: ctx.actor.userId, set });
  const done = new Set(moved.map((one) => one.id));
  const left = wrong.flatMap(({ one, fault: why }) => {
    const refused = why ?? (preview || done.has(one.id) ? undefined : 'DEVICE_STATE');
    return refused === undefined ? [] : [{ id: one.id, label: one.sn, fault: refused }];
  });
  if (!preview)
    ctx.audit({
      target: rows
        .map((one) => one.sn)
        .join(' ')
        .slice(0, 200),
    });
  return { total: rows.length, done: done.size, refused: left.length, failed: left.slice(0, 100), work: null };
}

/** Lets terminals in: they get their certificates at their next request. An unknown SN needs an organisation, and a product that it names or is given. */
export const acceptPending: Handler<typeof regCalls.accept> = async (ctx, { of, preview, deptId, productId }) => {
  const dept = deptId === undefined ? undefined : await deptInScope(ctx.db, ctx.scope.path, deptId);
  const product = productId ?? sql`coalesce((select id from product_product where code = product_code), product_id)`;
  return decide(ctx, of, {
    event: 'accept',
    preview,
    fault: (one) => (one.known || (dept && (productId ?? one.product_id)) ? undefined : 'PENDING_NEEDS_DEPT'),
    set: { reason: null, product_id: product, ...(dept ? { dept_id: dept.id } : {}) },
  });
};

export const refusePending: Handler<typeof regCalls.refuse> = (ctx, { of, preview, reason }) =>
  decide(ctx, of, { event: 'refuse', preview, set: { reason } });
