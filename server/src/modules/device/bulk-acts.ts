import { deviceMachine } from '@mooring/contract/device/state-machines';
import type { Fault } from '@mooring/contract/kit/fault';
import { codesOf } from '@mooring/contract/kit/state-machine';
import { type RawBuilder, sql } from 'kysely';
import { holdFree, isFree, type Way, whyHeld } from '../../engines/custody/held.ts';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import { FOLLOW_DEVICES } from '../../engines/rollout/follow-devices.ts';
import { mayJoin } from '../../engines/rollout/join-tasks.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { deptInScope } from './add-device.ts';
import { deletable } from './device-offers.ts';
import { deviceRows } from './device-rows.ts';
import { addTo, groupIn, mayEnter, mayLeave, removeFrom } from './groups/group-acts.ts';
import { type MerchantPlace, placeOf } from './merchant-place.ts';

/** Does one act to a batch of devices and answers which it was done to. */
export type BulkAct = (ctx: Ctx, db: Db, ids: readonly number[], params: Record<string, unknown>) => Promise<readonly number[]>;

/** Open results of releases follow their devices. */
async function followed(ctx: Ctx, db: Db, ids: readonly number[]): Promise<readonly number[]> {
  if (ids.length > 0) await ctx.enqueue(db, FOLLOW_DEVICES, { ids });
  return ids;
}
/** Releases that take in later terminals may be for them now. */
async function joined(ctx: Ctx, db: Db, ids: readonly number[]): Promise<readonly number[]> {
  await mayJoin(db, ctx, ids);
  return ids;
}
const idsOf = (rows: readonly { id: number }[]) => rows.map((row) => row.id);

/** As it was before; online becomes offline until it is seen. */
const enable: BulkAct = async (ctx, db, ids) => {
  const targets = [
    ['1', 'inactive'],
    ['2', 'offline'],
    ['5', 'stocked'],
  ] as const;
  const done: number[] = [];
  for (const [code, to] of targets) {
    const condition = sql`id = any(${ids}::bigint[]) and deleted_at is null and coalesce(status_before, '2') = ${code}`;
    done.push(...idsOf(await move(db, deviceRows, 'enable', condition, { to, actorId: ctx.actor.userId })));
  }
  return followed(ctx, db, done);
};

/** A disabled terminal is cut off at once. */
const disable: BulkAct = async (ctx, db, ids) => {
  await sql`update device set status_before = case status when '3' then '2' else status end where id = any(${ids}::bigint[]) and status <> '4'`.execute(
    db,
  );
  const done = idsOf(
    await move(db, deviceRows, 'disable', sql`id = any(${ids}::bigint[]) and deleted_at is null`, { actorId: ctx.actor.userId }),
  );
  await sql`insert into gateway_cut (sn) select sn from device where id = any(${done}::bigint[])`.execute(db);
  await sql`update device_presence set online = false where device_id = any(${done}::bigint[])`.execute(db);
  return followed(ctx, db, done);
};

/** What a shelf keeps of it besides. */
interface Shelved {
  readonly document?: string;
  readonly remark?: string;
}
const shelve =
  (event: 'stockIn' | 'issue', note: 'stocked' | 'issued'): BulkAct =>
  async (ctx, db, ids, params) => {
    const { document, remark } = params as Shelved;
    const free = await holdFree(db, event, ids);
    const which = sql`id = any(${free}::bigint[]) and deleted_at is null`;
    const done = idsOf(await move(db, deviceRows, event, which, { actorId: ctx.actor.userId }));
    const entry = event === 'issue' ? {} : { entryType: ids.length === 1 ? ('6' as const) : ('7' as const) };
    await noteCustody(db, done, { event: note, ...entry, document, remark, by: ctx.actor.userName, now: ctx.now() });
    if (done.length > 0) await ctx.invalidate(db, '/inventory/device');
    return done;
  };

const remove: BulkAct = async (ctx, db, ids) => {
  const gone = await sql<{ id: number }>`
    update device set deleted_at = ${ctx.now()} where id = any(${ids}::bigint[]) and deleted_at is null and status = any(${deletable}::text[]) returning id`.execute(
    db,
  );
  const done = idsOf(gone.rows);
  await sql`insert into gateway_cut (sn) select sn from device where id = any(${done}::bigint[])`.execute(db);
  return followed(ctx, db, done);
};

const restore: BulkAct = async (ctx, db, ids) => {
  const back = await sql<{
    id: number;
  }>`update device set deleted_at = null where id = any(${ids}::bigint[]) and deleted_at is not null returning id`.execute(db);
  return joined(ctx, db, idsOf(back.rows));
};

/** History keeps the path of its time; only the device itself changes hands. */
export async function moveTo(ctx: Ctx, db: Db, ids: readonly number[], dept: { id: number; path: string }): Promise<readonly number[]> {
  const moved = await sql<{ id: number }>`
    update device set dept_id = ${dept.id}, dept_path = ${dept.path} where id = any(${ids}::bigint[]) and deleted_at is null and dept_id <> ${dept.id} returning id`.execute(
    db,
  );
  await ctx.invalidate(db, '/device', dept.path);
  return followed(ctx, db, idsOf(moved.rows));
}

/** Whose they were is noted before they are another's. */
const toDept: BulkAct = async (ctx, db, asked, params) => {
  const ids = await holdFree(db, 'move', asked);
  const dept = await deptInScope(db, ctx.scope.path, Number(params.deptId));
  const owners = await sql<{ name: string; ids: number[] }>`
    select o.name, array_agg(d.id) as ids from device d join org_dept o on o.id = d.dept_id where d.id = any(${ids}::bigint[]) group by o.id, o.name`.execute(
    db,
  );
  const moved = await moveTo(ctx, db, ids, dept);
  const done = new Set(moved);
  for (const { name, ids: his } of owners.rows) {
    const gone = his.map(Number).filter((id) => done.has(id));
    await noteCustody(db, gone, { event: 'moved', from: name, by: ctx.actor.userName, now: ctx.now() });
  }
  return moved;
};

/** Terminals that the merchant may have: of its organisation, or of one below it, and not there already. */
const assignable = (to: MerchantPlace): RawBuilder<boolean> =>
  to.merchantId === null
    ? sql<boolean>`d.merchant_id is not null`
    : sql<boolean>`starts_with(d.dept_path, ${to.path}) and (d.merchant_id is distinct from ${to.merchantId} or d.shop_id is distinct from ${to.shopId})`;

/** The place is asked for again and held: it may have gone, or moved, since the act began. */
const assign: BulkAct = async (ctx, db, ids, params) => {
  const to = await placeOf(db, Number(params.merchantId) || null, Number(params.shopId) || null);
  const { rows } = await sql<{ id: number }>`
    update device d set merchant_id = ${to.merchantId}, shop_id = ${to.shopId}
    where d.id = any(${ids}::bigint[]) and d.deleted_at is null and ${assignable(to)} returning d.id`.execute(db);
  await ctx.invalidate(db, '/merchant');
  await ctx.invalidate(db, '/shop');
  return joined(ctx, db, idsOf(rows));
};

const send: BulkAct = async (ctx, db, ids, params) => {
  const { kind, hours } = params as { kind: string; hours: number };
  const open = await sql<{
    id: number;
  }>`select id from device where id = any(${ids}::bigint[]) and deleted_at is null and status <> '4'`.execute(db);
  await ctx.sendMessages(
    db,
    open.rows.map(({ id }) => ({
      deviceId: id,
      kind: 'command' as const,
      // A job that begins again after a crash tells nobody twice.
      ...(params.work === undefined ? {} : { key: `w-${params.work}-${id}` }),
      data: { command: kind, params: params.params as Record<string, never> },
      expiresAt: new Date(ctx.now().getTime() + hours * 3_600_000),
      actor: { userId: ctx.actor.userId, userName: ctx.actor.userName },
    })),
  );
  return idsOf(open.rows);
};

export const bulkActs = {
  enable,
  disable,
  stockIn: shelve('stockIn', 'stocked'),
  issue: shelve('issue', 'issued'),
  delete: remove,
  restore,
  move: toDept,
  assign,
  command: send,
  addToGroup: (ctx, db, ids, params) => addTo(ctx, db, groupIn(params), ids),
  removeFromGroup: (_ctx, db, ids, params) => removeFrom(db, groupIn(params), ids),
} as const satisfies Readonly<Record<string, BulkAct>>;
export type BulkName = keyof typeof bulkActs;
const at = (codes: readonly string[]) => sql<boolean>`d.status = any(${codes}::text[])`;
const from = (event: 'enable' | 'disable' | 'stockIn' | 'issue') => at(codesOf(deviceMachine, deviceMachine.events[event].from));
const ways: readonly string[] = ['stockIn', 'issue', 'move'] satisfies Way[];
const isWay = (name: string): name is Way => ways.includes(name);

/** Of an act that isn't an event of the device's own life. */
const fitting: Readonly<Partial<Record<BulkName, (params: Record<string, unknown>) => RawBuilder<boolean>>>> = {
  move: (params) => sql<boolean>`d.dept_id <> ${Number(params.deptId)}`,
  assign: (params) => assignable(params as unknown as MerchantPlace),
  command: () => sql<boolean>`d.status <> '4'`,
  delete: () => at(deletable),
  addToGroup: (params) => mayEnter(groupIn(params)),
  removeFromGroup: (params) => mayLeave(groupIn(params)),
};

/** Which devices the act changes; a preview counts the others as refused. */
export const changeable = (name: BulkName, params: Record<string, unknown>): RawBuilder<boolean> => {
  if (name === 'restore') return sql<boolean>`d.deleted_at is not null`;
  const fits = fitting[name]?.(params) ?? from(name as 'enable');
  return sql<boolean>`(d.deleted_at is null and ${fits} and ${isWay(name) ? isFree(name) : sql<boolean>`true`})`;
};
/** Those that it can't be done to, by their serial numbers, and why. */
export async function bulkFailures(
  db: Db,
  name: BulkName,
  ids: readonly number[],
): Promise<{ id: number; label: string; fault: Fault['fault'] }[]> {
  if (ids.length === 0) return [];
  const held = isWay(name) ? await whyHeld(db, name, ids) : undefined;
  const rows = await db.selectFrom('device').select(['id', 'sn']).where('id', 'in', ids).orderBy('id').execute();
  const otherwise = name === 'assign' ? 'MERCHANT_ELSEWHERE' : 'DEVICE_STATE';
  return rows.map(({ id, sn }) => ({ id, label: sn, fault: held?.get(id) ?? otherwise }));
}
