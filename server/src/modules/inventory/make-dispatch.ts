import type { dispatchCalls } from '@mooring/contract/inventory/dispatch';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { countCandidates, nextCandidates } from '../../platform/db/candidates.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import { partPattern } from '../../platform/db/criteria.ts';
import { recordCreated } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { unusableTo } from '../product/api.ts';
import { holdDevices } from './hold-devices.ts';
import { answerOf, documentsOf, isTaken, judgeSns } from './sn-list.ts';
import { whichStock } from './stock-selection.ts';
import { dispatchRows, isSold, movable, transferRows } from './transfer-rows.ts';

const SHOWN = 50;
const MOST = 20_000;
const lineOf = (path: string) => path.split('.').slice(0, 2).join('.');

/** Organisations that terminals of the scope may go to: below, the one above, and others of the product line. */
const reachable = ({ scope: { path } }: Pick<Ctx, 'scope'>) => {
  const above = path.replace(/[^.]+\.$/, '');
  return {
    below: sql<boolean>`(o.dept_path >= ${path} and o.dept_path < ${`${path}~`})`,
    above: sql<boolean>`(o.dept_path = ${above} and o.kind = 'organisation')`,
    known: sql<boolean>`exists (select from inventory_dispatch v where v.dept_path >= ${path} and v.dept_path < ${`${path}~`} and v.to_id = o.id)`,
    beside: sql<boolean>`(o.kind = 'organisation' and o.dept_path >= ${`${lineOf(path)}.`} and o.dept_path < ${`${lineOf(path)}.~`})`,
  };
};

/** Those beside are known by their whole name alone: who else is a customer is nobody's to browse. */
export const targets: Handler<typeof dispatchCalls.targets> = async (ctx, { text, ids }) => {
  const { below, above, beside, known } = reachable(ctx);
  const wanted = ids
    ? sql`o.id = any(${ids}::bigint[]) and (${below} or ${above} or ${known})`
    : text === ''
      ? sql`(${below} or ${above})`
      : sql`((${below} or ${above}) and o.name ilike ${partPattern(text)} or ${beside} and lower(o.name) = ${text.toLowerCase()})`;
  const { rows } = await ctx.unscoped((db) =>
    sql<{ id: number; name: string }>`
      select o.id, o.name from org_dept o where ${wanted} and o.state = 'enabled' and o.id <> ${ctx.scope.deptId} order by o.dept_path limit ${SHOWN}`.execute(
      db,
    ),
  );
  return rows;
};

/** One beside has to be named: its id alone could be guessed. */
async function targetOf(ctx: Ctx, id: number, named: string): Promise<Target> {
  const { below, above, beside } = reachable(ctx);
  const { rows } = await ctx.unscoped((db) =>
    sql<Target>`
      select o.id, o.name, o.dept_path as path from org_dept o where o.id = ${id} and is_dept_open(o.dept_path) and o.id <> ${ctx.scope.deptId}
        and (${below} or ${above} or (${beside} and lower(o.name) = ${named.toLowerCase()}))`.execute(db),
  );
  const [target] = rows;
  if (!target) throw new Fault('DISPATCH_TARGET', { fields: { toId: 'fault.DISPATCH_TARGET' } });
  return target;
}

interface Target {
  readonly id: number;
  readonly name: string;
  readonly path: string;
}
interface About {
  readonly number: string;
  readonly remark: string;
  readonly to: Target;
}

/** All of these terminals or none: one that somebody else listed meanwhile refuses the whole, and says where it is. */
export async function makeDispatch(
  ctx: Ctx,
  { number, remark, to }: About,
  devices: readonly number[],
): Promise<{ id: number; number: string }> {
  const { db, actor } = ctx;
  await holdDevices(db, devices);
  if ((await unusableTo(ctx, devices, to.path)).size > 0) throw new Fault('DEVICE_PRODUCT');
  const day = ctx.now().toISOString().slice(0, 10).replaceAll('-', '');
  const insert = sql<{ id: number; number: string }>`
    with made as (select coalesce(nullif(${number}, ''), ${`D${day}-`} || substr(md5(random()::text), 1, 6)) as number)
    insert into inventory_dispatch (number, to_id, to_name, remark, created_by, created_at, dept_id, dept_path)
    select number, ${to.id}, ${to.name}, ${remark}, ${actor.userName}, ${ctx.now()}, ${ctx.scope.deptId}, ${ctx.scope.path} from made returning id, number`;
  const taken = new Fault('DOCUMENT_TAKEN', { fields: { number: 'fault.DOCUMENT_TAKEN' } });
  const { rows } = await unlessRefused(
    db,
    () => insert.execute(db),
    ({ kind }) => (kind === 'unique' ? taken : undefined),
  );
  const [dispatch] = rows;
  if (!dispatch) throw taken;
  await recordCreated(db, dispatchRows, [dispatch.id], actor.userId);
  const listed = await sql<{ id: number; device_id: number }>`
    insert into inventory_transfer (dispatch_id, device_id, sn, product_name, changed_at, dept_path)
    select ${dispatch.id}, d.id, d.sn, coalesce(p.name, ''), ${ctx.now()}, ${ctx.scope.path} from device d left join product_product p on p.id = d.product_id
    where d.id = any(${devices}::bigint[]) and d.deleted_at is null and d.dept_id <> ${to.id} and d.status = any(${movable}::text[]) and not ${isSold} order by d.id
    on conflict (device_id) where state = '1' do nothing returning id, device_id`.execute(db);
  if (listed.rows.length < devices.length) {
    const done = new Set(listed.rows.map((row) => row.device_id));
    const documents = await documentsOf(
      ctx,
      devices.filter((id) => !done.has(id)),
    );
    const [document] = [...documents.values()];
    throw document ? new Fault('IN_TRANSFER', { params: { document } }) : new Fault('DEVICE_STATE');
  }
  await recordCreated(
    db,
    transferRows,
    listed.rows.map(({ id }) => id),
    actor.userId,
  );
  await ctx.invalidate(db, '/device/dispatch');
  ctx.audit({ target: `dispatch ${dispatch.number}`, after: { to: to.name, terminals: listed.rows.length } });
  return dispatch;
}

export const addDispatch: Handler<typeof dispatchCalls.add> = async (ctx, { sns, anyway, toId, toName, number, remark }) => {
  const to = await targetOf(ctx, toId, toName);
  const judged = await judgeSns(ctx, sns, ({ status, deptId, sold }, document) =>
    document !== undefined
      ? 'transfer'
      : sold !== null
        ? 'sold'
        : deptId === toId
          ? 'there'
          : movable.includes(status)
            ? undefined
            : 'state',
  );
  const unusable = await unusableTo(
    ctx,
    judged.good.map(({ id }) => id),
    to.path,
  );
  const good = judged.good.filter(({ id }) => !unusable.has(id));
  const ofUnusable = judged.good.filter(({ id }) => unusable.has(id));
  const problems = [...judged.problems, ...ofUnusable.map(({ sn }) => ({ sn, reason: 'product' as const, document: '' }))];
  if (!isTaken(anyway, problems) || good.length === 0) return { ...answerOf(0, problems), id: null, number };
  const made = await makeDispatch(
    ctx,
    { number, remark, to },
    good.map(({ id }) => id),
  );
  return { ...answerOf(good.length, problems), ...made };
};

/** The chosen ones of the stock that aren't on their way already, nor there. */
export const dispatchStock: Handler<typeof dispatchCalls.fromStock> = async (ctx, { of, toId, toName, number, remark, preview }) => {
  const which = whichStock(of);
  const total = await countCandidates(ctx, 'inventory_stock', which, MOST + 1);
  if (total > MOST) throw new Fault('TOO_LARGE', { code: 413 });
  const free = sql<boolean>`${which} and d.dept_id <> ${toId} and not exists (select from inventory_transfer o where o.device_id = d.id and o.state = '1')`;
  const to = await targetOf(ctx, toId, toName);
  const found = await nextCandidates(ctx, 'inventory_stock', free, 0, MOST);
  const unusable = await unusableTo(ctx, found, to.path);
  const ids = found.filter((id) => !unusable.has(id));
  const outcome = { total, done: 0, refused: total - ids.length, failed: [], work: null };
  if (preview || ids.length === 0) return outcome;
  await makeDispatch(ctx, { number, remark, to }, ids);
  return { ...outcome, done: ids.length };
};
