import { orderSides } from '@mooring/contract/order/calls';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import { job } from '../../platform/module.ts';
import type { ManyTold } from '../../platform/resource/act-on-many.ts';
import { notify } from '../message/api.ts';
import { dayOf, type OrderRow } from './order-row.ts';
import { pathOf, type Side } from './sides.ts';
import { gather, peopleIn, say } from './tell.ts';

const TELL = 'order:tellMany';
/** So many are named. */
const NAMED = 10;
/** Should the whole of them never come to its end, those that are through are told all the same. */
const LATEST_MS = 60_000;

const said = {
  orderAccepted: { event: 'accept', many: 'orderAcceptedMany', link: '/ordersList?waiting=true' },
  orderReceived: { event: 'receive', many: 'orderReceivedMany', link: '/ordersList?state=received' },
  orderAssigned: { event: 'assign', many: 'orderAssignedMany', link: '/ordersList?mine=true' },
  orderUnassigned: { event: 'assign', many: 'orderUnassignedMany', link: '/ordersList' },
  orderDue: { event: 'assign', many: 'orderDueMany', link: '/ordersList' },
  orderClosed: { event: 'delivered', many: 'orderClosedMany', link: '/ordersList?state=closed' },
  orderCancelled: { event: 'cancel', many: 'orderCancelledMany', link: '/ordersList?state=cancelled' },
} as const;
type Name = keyof typeof said;
const isMany = (name: string): name is Name => Object.hasOwn(said, name);
const Told = z.object({
  name: z.enum(Object.keys(said) as [Name, ...Name[]]),
  side: z.enum(orderSides).default('customer'),
  /** One of its people; else whoever follows each order. */
  to: z.int().optional(),
  ids: z.array(z.int()),
  userId: z.int(),
  userName: z.string(),
  /** When it began: what the same person did to an order before isn't it. */
  since: z.iso.datetime().default('1970-01-01T00:00:00Z'),
});

/** A step of many orders at once: whoever hears of it hears of all of them together, once they are through. */
export function tellAfter(ctx: Ctx): ManyTold {
  const { userId, userName } = ctx.actor;
  const since = ctx.now().toISOString();
  // What takes longer than that is told in several parts, each once.
  const parts = new Map<string, { readonly of: object; readonly ids: number[]; readonly at: Date }>();
  const queue = (db: Db, key: string, when: { runAt?: Date }) => {
    const { of, ids, at } = parts.get(key) ?? { of: {}, ids: [], at: new Date(0) };
    return enqueue(
      db,
      TELL,
      { payload: { ...of, ids, userId, userName, since } },
      { key: `${TELL}:${ctx.requestId}:${key}:${at.getTime()}`, ...when },
    );
  };
  return {
    each: (inner) =>
      gather(inner, async (db, { id }, of) => {
        if (!isMany(of.name)) return false;
        const key = [of.name, of.side, of.to].join(':');
        const open = parts.get(key);
        const part = open && ctx.now() < open.at ? open : { of, ids: [], at: new Date(ctx.now().getTime() + LATEST_MS) };
        parts.set(key, part);
        part.ids.push(id);
        await queue(db, key, { runAt: part.at });
        return true;
      }),
    done: async () => {
      // What has come due is told already.
      for (const [key, { at }] of parts) if (ctx.now() < at) await ctx.inTx((db) => queue(db, key, {}));
    },
  };
}

/** Whoever follows them, each with theirs. */
async function byPerson(db: Db, side: Side, rows: readonly OrderRow[]): Promise<ReadonlyMap<number, OrderRow[]>> {
  const asked = new Map<string, Promise<number[]>>();
  const theirs = new Map<number, OrderRow[]>();
  for (const row of rows) {
    const key = JSON.stringify([pathOf(side, row), side === 'customer' ? row.created_by_id : row.engineer_id]);
    const people = asked.get(key) ?? peopleIn(db, side, row);
    asked.set(key, people);
    for (const user of await people) theirs.set(user, [...(theirs.get(user) ?? []), row]);
  }
  return theirs;
}

export const tellManyJob = job({
  name: TELL,
  payload: Told,
  run: (ctx, { name, side, to, ids, userId, userName, since }) =>
    ctx.unscoped(async (db) => {
      const { event, many, link } = said[name];
      // A step that failed in the end is among those that were about to be told.
      const isThrough = sql<boolean>`exists (select from order_entry e where e.order_id = o.id and e.event = ${event} and e.by_id = ${userId} and e.at >= ${since}::timestamptz)`;
      const rows = await db
        .selectFrom('order_order as o')
        .selectAll('o')
        .where('o.id', 'in', ids)
        .where(isThrough)
        .orderBy('o.id')
        .execute();
      const by = { actor: { userId, userName } };
      const people = to === undefined ? await byPerson(db, side, rows) : new Map([[to, rows]]);
      for (const [user, [first, ...more]] of people) {
        if (!first || user === userId) continue;
        const params = { engineer: first.engineer || '–', date: dayOf(first.due_on) ?? '–' };
        if (more.length === 0) {
          const sn = name === 'orderClosed' ? first.replacement_sn || first.sn : first.sn;
          const org = side === 'customer' ? first.partner_name : first.dept_name;
          await say(by, db, first, { name, side, users: [user], params: { ...params, sn, org } });
          continue;
        }
        const numbers = [first, ...more].map((row) => row.number);
        const rest = numbers.length - NAMED;
        await notify(db, {
          name: many,
          params: {
            ...params,
            by: userName,
            count: numbers.length,
            orders: numbers.slice(0, NAMED).join(', '),
            rest,
            namedKey: rest > 0 ? 'order.named.more' : 'order.named.all',
          },
          to: { users: [user] },
          deptPath: pathOf(side, first),
          link,
          channels: ['centre', 'email'],
        });
      }
    }),
});
