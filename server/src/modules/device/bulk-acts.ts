import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { MOST_TAGS } from '@mooring/contract/device/schemas';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import { type Values, wrongToSet } from '@mooring/contract/device/thing/check-values';
import { deviceThingCalls } from '@mooring/contract/device/thing/thing-calls';
import type { Call } from '@mooring/contract/kit/call';
import type { Fault } from '@mooring/contract/kit/fault';
import { codesOf } from '@mooring/contract/kit/state-machine';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { type RawBuilder, sql } from 'kysely';
import { holdFree, isFree, type Way, whyHeld } from '../../engines/custody/held.ts';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import { touchDriftOf } from '../../engines/rollout/drift/wanted-rows.ts';
import { FOLLOW_DEVICES } from '../../engines/rollout/follow-devices.ts';
import { mayJoin } from '../../engines/rollout/join-tasks.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { dropOwnLevels } from '../paramfile/api.ts';
import { fitsAt, keepSharesOf, unusableTo } from '../product/api.ts';
import { deptInScope } from './add-device.ts';
import { deletable } from './device-offers.ts';
import { deviceRows } from './device-rows.ts';
import { addTo, groupIn, mayEnter, mayLeave, removeFrom } from './groups/group-acts.ts';
import { type MerchantPlace, placeOf } from './merchant-place.ts';
import { changeConfig, mayConfigure, resetConfig } from './put-config.ts';
import { replaceOlder } from './thing/ask-thing.ts';
import { publishedModels } from './thing/thing-rows.ts';
import { withdrawCommands } from './withdraw-commands.ts';

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
    // A part of what is done in the background is never one terminal by itself.
    const isOne = ids.length === 1 && params.work === undefined;
    const entry = event === 'issue' ? {} : { entryType: isOne ? ('6' as const) : ('7' as const) };
    await noteCustody(db, done, { event: note, ...entry, document, remark, by: ctx.actor.userName, now: ctx.now() });
    // Stock is no merchant's: the trigger takes their places from them.
    if (done.length > 0) for (const group of ['/inventory/device', '/merchant', '/shop']) await ctx.invalidate(db, group);
    return done;
  };

const remove: BulkAct = async (ctx, db, ids) => {
  const gone = await sql<{ id: number }>`
    update device set deleted_at = ${ctx.now()} where id = any(${ids}::bigint[]) and deleted_at is null and status = any(${deletable}::text[]) returning id`.execute(
    db,
  );
  const done = idsOf(gone.rows);
  await sql`insert into gateway_cut (sn) select sn from device where id = any(${done}::bigint[])`.execute(db);
  await touchDriftOf(db, ctx, done);
  return followed(ctx, db, done);
};

/** What it has on it is asked of it anew: what was kept beside its row went with it. */
export const restore: BulkAct = async (ctx, db, ids) => {
  const back = await sql<{
    id: number;
  }>`update device set deleted_at = null, hello_hash = null where id = any(${ids}::bigint[]) and deleted_at is not null returning id`.execute(
    db,
  );
  await touchDriftOf(db, ctx, idsOf(back.rows));
  return joined(ctx, db, idsOf(back.rows));
};

/** Into other hands. History keeps the path of its time; the device itself goes, without the parameters that were given for it alone, and a test terminal no longer as one. */
export async function moveTo(ctx: Ctx, db: Db, ids: readonly number[], dept: { id: number; path: string }): Promise<readonly number[]> {
  const moved = await sql<{ id: number }>`
    update device set dept_id = ${dept.id}, dept_path = ${dept.path}, test_terminal = false where id = any(${ids}::bigint[]) and deleted_at is null and dept_id <> ${dept.id} returning id`.execute(
    db,
  );
  await dropOwnLevels(db, idsOf(moved.rows));
  await ctx.invalidate(db, '/device', dept.path);
  return followed(ctx, db, idsOf(moved.rows));
}

/** Of a terminal in use its product is what it says itself. */
export const unusedStates = ['1', '5'] as const;

/** Those that nobody has used yet get another product; releases of the former one let go of them, those of the new one may be for them. */
export async function giveProduct(ctx: Ctx, db: Db, asked: readonly number[], productId: number): Promise<readonly number[]> {
  const ids = await holdFree(db, 'move', asked);
  const changed = await sql<{ id: number }>`
    update device set product_id = ${productId} where id = any(${ids}::bigint[]) and deleted_at is null and status = any(${unusedStates}::text[])
      and product_id is distinct from ${productId} returning id`.execute(db);
  await ctx.invalidate(db, '/device');
  return joined(ctx, db, await followed(ctx, db, idsOf(changed.rows)));
}

/** A dispatch of one step: whose they were is noted, and what their former organisation still asked of them, or had set, is over. */
const toDept: BulkAct = async (ctx, db, asked, params) => {
  const dept = await deptInScope(db, ctx.scope.path, Number(params.deptId));
  await keepSharesOf(db, asked);
  const free = await holdFree(db, 'move', asked);
  const unusable = await unusableTo(ctx, free, dept.path, db);
  const ids = free.filter((id) => !unusable.has(id));
  const owners = await sql<{ name: string; ids: number[] }>`
    select o.name, array_agg(d.id) as ids from device d join org_dept o on o.id = d.dept_id where d.id = any(${ids}::bigint[]) group by o.id, o.name`.execute(
    db,
  );
  const moved = await moveTo(ctx, db, ids, dept);
  await withdrawCommands(ctx, db, moved);
  await resetConfig(ctx, db, moved);
  const done = new Set(moved);
  for (const { name, ids: his } of owners.rows) {
    const gone = his.map(Number).filter((id) => done.has(id));
    await noteCustody(db, gone, { event: 'moved', entryType: '3', from: name, by: ctx.actor.userName, now: ctx.now() });
  }
  return moved;
};

const tagsIn = ({ add, remove }: Record<string, unknown>) => ({ add: add as string[], remove: remove as string[] });
/** The tags that device `d` has then: its own in their order, then what is new. */
const retagged = (params: Record<string, unknown>) => {
  const { add, remove } = tagsIn(params);
  return sql<string[]>`array(select tag from (select tag, min(at) as at from unnest(d.tags || ${add}::text[]) with ordinality as u(tag, at)
    where tag <> all(${remove}::text[]) group by tag) x order by at)`;
};
/** What is cheap is asked first: a preview counts many. */
const mayRetag = (params: Record<string, unknown>) => {
  const { add, remove } = tagsIn(params);
  return sql<boolean>`((not d.tags @> ${add}::text[] or d.tags && ${remove}::text[])
    and (cardinality(d.tags) + ${add.length}::int <= ${MOST_TAGS}::int or cardinality(${retagged(params)}) <= ${MOST_TAGS}))`;
};

const retag: BulkAct = async (ctx, db, ids, params) => {
  const { rows } = await sql<{ id: number }>`
    update device d set tags = ${retagged(params)} where d.id = any(${ids}::bigint[]) and d.deleted_at is null and ${mayRetag(params)}
    returning d.id`.execute(db);
  return joined(ctx, db, idsOf(rows));
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

/** Of one product, and in use: what was checked against its model is nothing to others. */
const ofProduct = (params: Record<string, unknown>) => sql<boolean>`(d.status <> '4' and d.product_id = ${Number(params.productId)})`;

/** Whether the published model, which may be another one by now, still takes what is to be set. */
async function stillFits(db: Db, { productId, values }: Record<string, unknown>): Promise<boolean> {
  const model = (await publishedModels(db, [Number(productId)])).get(Number(productId));
  return model !== undefined && wrongToSet(model, values as Values).length === 0;
}

/** Held until this is committed: who moves them meanwhile finds what was asked of them. */
async function openOf(db: Db, ids: readonly number[], fits: RawBuilder<boolean>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select d.id from device d where d.id = any(${ids}::bigint[]) and d.deleted_at is null and ${fits} order by d.id for share of d`.execute(
    db,
  );
  return idsOf(rows);
}

/** A job that begins again after a crash tells nobody twice. */
const keyIn = (params: Record<string, unknown>, id: number) => `w-${params.work}-${id}`;
/** Which of them it has told already. */
async function toldBefore(db: Db, ids: readonly number[], params: Record<string, unknown>): Promise<readonly number[]> {
  if (params.work === undefined) return [];
  const keys = ids.map((id) => keyIn(params, id));
  const { rows } = await sql<{ id: number }>`select device_id as id from gateway_outbox where key = any(${keys}::text[])`.execute(db);
  return idsOf(rows);
}

const setThings: BulkAct = async (ctx, db, ids, params) => {
  const { values } = params as { values: Record<string, never> };
  const told = new Set(await toldBefore(db, ids, params));
  const fresh = ids.filter((id) => !told.has(id));
  const open = (await stillFits(db, params)) ? await openOf(db, fresh, ofProduct(params)) : [];
  await replaceOlder(ctx, db, open, Object.keys(values));
  return [...told, ...(await send(ctx, db, open, { ...params, kind: 'propertySet', params: { values } }))];
};

const send: BulkAct = async (ctx, db, ids, params) => {
  const { kind, hours } = params as { kind: string; hours: number };
  const open = await openOf(db, ids, sql<boolean>`d.status <> '4'`);
  await ctx.sendMessages(
    db,
    open.map((id) => ({
      deviceId: id,
      kind: 'command' as const,
      ...(params.work === undefined ? {} : { key: keyIn(params, id) }),
      data: { command: kind, params: params.params as Record<string, never> },
      expiresAt: new Date(ctx.now().getTime() + hours * 3_600_000),
      actor: { userId: ctx.actor.userId, userName: ctx.actor.userName },
    })),
  );
  return open;
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
  retag,
  command: send,
  setThings,
  configure: changeConfig,
  addToGroup: (ctx, db, ids, params) => addTo(ctx, db, groupIn(params), ids),
  removeFromGroup: (_ctx, db, ids, params) => removeFrom(db, groupIn(params), ids),
} as const satisfies Readonly<Record<string, BulkAct>>;
export type BulkName = keyof typeof bulkActs;
/** What each of them asks for: that of its call. */
export const bulkCans: Readonly<Record<BulkName, Call['can']>> = {
  enable: deviceCalls.enable.can,
  disable: deviceCalls.disable.can,
  stockIn: deviceCalls.stockIn.can,
  issue: deviceCalls.issue.can,
  delete: deviceCalls.delete.can,
  restore: deviceCalls.restoreMany.can,
  move: deviceCalls.move.can,
  assign: merchantCalls.assign.can,
  retag: deviceCalls.retag.can,
  command: deviceCalls.command.can,
  setThings: deviceThingCalls.setMany.can,
  configure: deviceCalls.setConfigMany.can,
  addToGroup: deviceGroupCalls.addMembers.can,
  removeFromGroup: deviceGroupCalls.removeMembers.can,
};
const at = (codes: readonly string[]) => sql<boolean>`d.status = any(${codes}::text[])`;
const from = (event: 'enable' | 'disable' | 'stockIn' | 'issue') => at(codesOf(deviceMachine, deviceMachine.events[event].from));
const ways: readonly string[] = ['stockIn', 'issue', 'move'] satisfies Way[];
const isWay = (name: string): name is Way => ways.includes(name);

/** Of an act that isn't an event of the device's own life. */
const fitting: Readonly<Partial<Record<BulkName, (params: Record<string, unknown>) => RawBuilder<boolean>>>> = {
  move: ({ deptId }) =>
    sql<boolean>`(d.dept_id <> ${Number(deptId)} and ${fitsAt(sql`(select o.dept_path from org_dept o where o.id = ${Number(deptId)})`)})`,
  assign: (params) => assignable(params as unknown as MerchantPlace),
  retag: mayRetag,
  configure: mayConfigure,
  command: () => sql<boolean>`d.status <> '4'`,
  setThings: ofProduct,
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
const reasons: Readonly<Partial<Record<BulkName, Fault['fault']>>> = {
  assign: 'MERCHANT_ELSEWHERE',
  retag: 'TAGS_SAME',
  configure: 'CONFIG_SAME',
  setThings: 'THING_ELSEWHERE',
};
/** Those that it can't be done to, by their serial numbers, and why. */
export async function bulkFailures(
  db: Db,
  name: BulkName,
  ids: readonly number[],
  params: Record<string, unknown> = {},
): Promise<{ id: number; label: string; fault: Fault['fault'] }[]> {
  if (ids.length === 0) return [];
  const held = isWay(name) ? await whyHeld(db, name, ids) : undefined;
  const rows = await db
    .selectFrom('device')
    .select(['id', 'sn', 'product_id', 'status', 'dept_id', 'deleted_at'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  const otherwise = reasons[name] ?? 'DEVICE_STATE';
  const isUnusable = (row: (typeof rows)[number]) => name === 'move' && row.deleted_at === null && row.dept_id !== Number(params.deptId);
  const misfit = name === 'setThings' && !(await stillFits(db, params));
  const isMisfit = (row: (typeof rows)[number]) => misfit && row.product_id === Number(params.productId) && row.status !== '4';
  const why = (row: (typeof rows)[number]) => (isMisfit(row) ? 'THING_VALUES' : isUnusable(row) ? 'DEVICE_PRODUCT' : otherwise);
  return rows.map((row) => ({ id: row.id, label: row.sn, fault: held?.get(row.id) ?? why(row) }));
}
