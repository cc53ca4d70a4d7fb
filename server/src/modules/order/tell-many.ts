import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import { job } from '../../platform/module.ts';
import type { ManyTold } from '../../platform/resource/act-on-many.ts';
import { notify } from '../message/api.ts';
import type { OrderRow } from './order-row.ts';
import { gather, peopleIn, say } from './tell.ts';

const TELL = 'order:tellMany';
/** So many are named. */
const NAMED = 10;
/** Should the whole of them never come to its end, those that are through are told all the same. */
const LATEST_MS = 60_000;

const said = {
  orderAccepted: { event: 'accept', many: 'orderAcceptedMany', link: '/ordersList?waiting=true' },
  orderReceived: { event: 'receive', many: 'orderReceivedMany', link: '/ordersList?state=received' },
} as const;
type Name = keyof typeof said;
const Told = z.object({
  name: z.enum(Object.keys(said) as [Name, ...Name[]]),
  ids: z.array(z.int()),
  userId: z.int(),
  userName: z.string(),
});

/** A step of many orders at once: the other side hears of all of them together, once they are through. */
export function tellAfter(ctx: Ctx, name: Name): ManyTold {
  const { userId, userName } = ctx.actor;
  // What takes longer than that is told in several parts, each once.
  let part = { ids: [] as number[], at: new Date(0) };
  const queue = (db: Db, when: { runAt?: Date }) =>
    enqueue(
      db,
      TELL,
      { payload: { name, ids: part.ids, userId, userName } },
      { key: `${TELL}:${ctx.requestId}:${part.at.getTime()}`, ...when },
    );
  return {
    each: (inner) =>
      gather(inner, (db, { id }) => {
        if (ctx.now() >= part.at) part = { ids: [], at: new Date(ctx.now().getTime() + LATEST_MS) };
        part.ids.push(id);
        return queue(db, { runAt: part.at });
      }),
    done: async () => {
      if (part.ids.length > 0) await ctx.inTx((db) => queue(db, {}));
    },
  };
}

/** Whoever follows them, each with theirs. */
async function byPerson(db: Db, rows: readonly OrderRow[]): Promise<ReadonlyMap<number, OrderRow[]>> {
  const asked = new Map<string, Promise<number[]>>();
  const theirs = new Map<number, OrderRow[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.dept_path, row.created_by_id]);
    const people = asked.get(key) ?? peopleIn(db, 'customer', row);
    asked.set(key, people);
    for (const user of await people) theirs.set(user, [...(theirs.get(user) ?? []), row]);
  }
  return theirs;
}

export const tellManyJob = job({
  name: TELL,
  payload: Told,
  run: (ctx, { name, ids, userId, userName }) =>
    ctx.unscoped(async (db) => {
      // A step that failed in the end is among those that were about to be told.
      const isThrough = sql<boolean>`exists (select from order_entry e where e.order_id = o.id and e.event = ${said[name].event} and e.by_id = ${userId})`;
      const rows = await db
        .selectFrom('order_order as o')
        .selectAll('o')
        .where('o.id', 'in', ids)
        .where(isThrough)
        .orderBy('o.id')
        .execute();
      const by = { actor: { userId, userName } };
      for (const [user, [first, ...more]] of await byPerson(db, rows)) {
        if (!first || user === userId) continue;
        if (more.length === 0) {
          await say(by, db, first, { name, side: 'customer', users: [user], params: { org: first.partner_name } });
          continue;
        }
        const numbers = [first, ...more].map((row) => row.number);
        const rest = numbers.length - NAMED;
        await notify(db, {
          name: said[name].many,
          params: {
            by: userName,
            count: numbers.length,
            orders: numbers.slice(0, NAMED).join(', '),
            rest,
            namedKey: rest > 0 ? 'order.named.more' : 'order.named.all',
          },
          to: { users: [user] },
          deptPath: first.dept_path,
          link: said[name].link,
          channels: ['centre', 'email'],
        });
      }
    }),
});
