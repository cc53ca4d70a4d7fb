import { ABSENCE_DAYS, ABSENCES_AHEAD, type absenceCalls } from '@mooring/contract/approval/absence-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import type { Handler } from '../../platform/module.ts';
import { approves, colleaguesApproving } from '../access/api.ts';
import { type NotificationName, notify } from '../message/api.ts';
import { askAgain } from './tell.ts';

type Calls = typeof absenceCalls;
const DAY = 86_400_000;

/** Those that aren't over, with the other person's name. */
async function open(db: Db, mine: 'user_id' | 'delegate_id', ctx: Ctx, cans: readonly string[]) {
  const other = mine === 'user_id' ? 'delegate_id' : 'user_id';
  const rows = await db
    .selectFrom('approval_absence as a')
    .innerJoin('account_user as u', 'u.id', `a.${other}`)
    .select(['a.id', 'a.user_id', 'a.delegate_id', 'a.from_at', 'a.until_at', 'u.name'])
    .select(
      sql<boolean>`exists (select from approval_absence x where x.user_id = a.delegate_id and x.ended_at is null and x.from_at < a.until_at and x.until_at > a.from_at)`.as(
        'is_away',
      ),
    )
    .where(`a.${mine}`, '=', ctx.actor.userId)
    .where('a.ended_at', 'is', null)
    .where('a.until_at', '>', ctx.now())
    .orderBy('a.from_at')
    .limit(ABSENCES_AHEAD)
    .execute();
  const colleagues = new Set(mine === 'user_id' ? (await colleaguesApproving(db, ctx.actor.userId, { cans })).map((one) => one.id) : []);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    fromAt: row.from_at,
    untilAt: row.until_at,
    state: row.from_at > ctx.now() ? ('planned' as const) : ('active' as const),
    works: !row.is_away && (mine === 'delegate_id' || colleagues.has(row.delegate_id)),
  }));
}

const tell = (ctx: Ctx, db: Db, name: NotificationName, userId: number, deptPath: string) =>
  notify(db, { name, params: { name: ctx.actor.userName }, to: { users: [userId] }, deptPath, link: '/absence' });

const overlapping = (db: Db, userId: number, from: Date, until: Date) =>
  db
    .selectFrom('approval_absence')
    .select('id')
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('from_at', '<', until)
    .where('until_at', '>', from)
    .limit(1)
    .executeTakeFirst();

const add =
  (cans: readonly string[]): Handler<Calls['add']> =>
  (ctx, input) =>
    ctx.unscoped(async (db) => {
      const { userId, deptPath } = ctx.actor;
      const { delegateId } = input;
      const from = new Date(Math.max(Date.parse(input.fromAt), ctx.now().getTime()));
      const until = new Date(input.untilAt);
      if (
        until <= from ||
        until.getTime() - from.getTime() > ABSENCE_DAYS * DAY ||
        from.getTime() - ctx.now().getTime() > ABSENCE_DAYS * DAY
      )
        throw new Fault('ABSENCE_TIMES');
      // Two who name each other at once wait for one another, in one order.
      for (const id of [userId, delegateId].sort((a, b) => a - b)) await lockSet(db, `absence:${id}`);
      const colleague = (await colleaguesApproving(db, userId, { cans })).find((one) => one.id === delegateId);
      if (!colleague) throw new Fault('DELEGATE_ROLE');
      if (await overlapping(db, userId, from, until)) throw new Fault('ABSENCE_OVERLAPS');
      if (await overlapping(db, delegateId, from, until)) throw new Fault('DELEGATE_AWAY');
      if ((await open(db, 'user_id', ctx, cans)).length >= ABSENCES_AHEAD) throw new Fault('ABSENCE_LIMIT');
      const { id } = await db
        .insertInto('approval_absence')
        .values({ user_id: userId, delegate_id: delegateId, from_at: from, until_at: until, dept_path: deptPath })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tell(ctx, db, 'delegateNamed', delegateId, deptPath);
      // Whoever chose this person as their own delegate is asked again meanwhile, and should know.
      const { rows } = await sql<{ user_id: number }>`select distinct user_id from approval_absence
      where delegate_id = ${userId} and ended_at is null and from_at < ${until} and until_at > ${from} limit ${ABSENCES_AHEAD}`.execute(db);
      for (const row of rows) await tell(ctx, db, 'delegateAway', row.user_id, deptPath);
      if (rows.length > 0)
        await askAgain(
          ctx,
          db,
          rows.map((row) => row.user_id),
          new Date(from.getTime() + 1000),
        );
      ctx.audit({ target: `absence ${colleague.name}`, after: { delegateId, fromAt: from, untilAt: until } });
      const found = (await open(db, 'user_id', ctx, cans)).find((one) => one.id === id);
      if (!found) throw fault('NOT_FOUND');
      return found;
    });

const end: Handler<Calls['end']> = (ctx, { id }) =>
  ctx.unscoped(async (db) => {
    const row = await db
      .updateTable('approval_absence')
      .set({ ended_at: ctx.now() })
      .where('id', '=', id)
      .where('user_id', '=', ctx.actor.userId)
      .where('ended_at', 'is', null)
      .where('until_at', '>', ctx.now())
      .returning(['delegate_id', 'from_at', 'until_at'])
      .executeTakeFirst();
    if (!row) throw fault('NOT_FOUND');
    const delegate = await db.selectFrom('account_user').select('name').where('id', '=', row.delegate_id).executeTakeFirst();
    if (row.from_at <= ctx.now()) await askAgain(ctx, db, [ctx.actor.userId]);
    await tell(ctx, db, 'delegateEnded', row.delegate_id, ctx.actor.deptPath);
    ctx.audit({ target: `absence ${delegate?.name ?? ''}`, before: { fromAt: row.from_at, untilAt: row.until_at } });
    return null;
  });

/** One's own absences, wherever one acts at the moment: read past the range policy, by user id. `cans`: permissions that decide, besides roles that approve. */
export const absenceRoutes = (cans: readonly string[]): { readonly [K in keyof Calls]: Handler<Calls[K]> } => ({
  status: (ctx) =>
    ctx.readOnly(async (db) => ({
      approves: await approves(db, ctx.actor.userId, cans),
      absences: await open(db, 'user_id', ctx, cans),
      standsInFor: await open(db, 'delegate_id', ctx, cans),
    })),
  delegates: (ctx, { text }) =>
    ctx.readOnly(async (db) => (await colleaguesApproving(db, ctx.actor.userId, { cans, text })).map(({ id, name }) => ({ id, name }))),
  add: add(cans),
  end,
});
