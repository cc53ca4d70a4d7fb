import { type EnrolCodeStatus, regCalls } from '@mooring/contract/device/reg-calls';
import { enrolCodeMachine } from '@mooring/contract/device/state-machines';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { productMachine } from '@mooring/contract/product/state-machines';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedActions, allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, exact } from '../../platform/db/criteria.ts';
import { move } from '../../platform/db/move.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { deptInScope } from './add-device.ts';
import { codeRows } from './device-rows.ts';
import { hashOfCode, newEnrolCode } from './enrol-codes.ts';

export interface NewCode {
  readonly deptId: number;
  readonly deptPath: string;
  readonly productId?: number | undefined;
  readonly sn?: string | undefined;
  readonly maxUses: number;
  readonly expiresAt: Date;
  readonly actor?: { userId: number; userName: string };
}

/** The code itself is answered once; only its hash is kept. */
export async function makeEnrolCode(db: Db, wanted: NewCode): Promise<{ id: number; code: string }> {
  const code = newEnrolCode();
  const made = await sql<{ id: number }>`
    insert into device_enrol_code (code_hash, hint, sn, product_id, dept_id, dept_path, max_uses, expires_at, actor_id, actor_name)
    values (${hashOfCode(code)}, ${code.slice(0, 5)}, ${wanted.sn ?? null}, ${wanted.productId ?? null}, ${wanted.deptId}, ${wanted.deptPath}, ${wanted.maxUses}, ${wanted.expiresAt}, ${wanted.actor?.userId ?? null}, ${wanted.actor?.userName ?? null}) returning id`.execute(
    db,
  );
  return { id: made.rows[0]?.id ?? 0, code };
}

const statusAt = (now: Date) => sql<z.infer<typeof EnrolCodeStatus>>`case
  when c.state = 'withdrawn' then 'withdrawn' when c.uses >= c.max_uses then 'used' when c.expires_at <= ${now} then 'expired' else 'active' end`;
const selectCodes = (db: Db, now: Date) =>
  db
    .selectFrom('device_enrol_code as c')
    .innerJoin('org_dept as o', 'o.id', 'c.dept_id')
    .leftJoin('product_product as p', 'p.id', 'c.product_id')
    .select([
      'c.id',
      'c.hint',
      'c.sn',
      'c.dept_id',
      'o.name as dept_name',
      'c.product_id',
      'p.name as product_name',
      'c.uses',
      'c.max_uses',
      'c.state',
      'c.expires_at',
      'c.created_at',
      'c.actor_name',
    ])
    .select(statusAt(now).as('status'));
type Row = Awaited<ReturnType<ReturnType<typeof selectCodes>['executeTakeFirstOrThrow']>>;

const codeOf = (ctx: Ctx) => (row: Row) => ({
  id: row.id,
  hint: row.hint,
  sn: row.sn,
  deptId: row.dept_id,
  deptName: row.dept_name,
  productId: row.product_id,
  productName: row.product_name,
  uses: row.uses,
  maxUses: row.max_uses,
  state: row.state,
  status: row.status,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
  by: row.actor_name,
  ...allowing(
    row.status === 'active'
      ? allowedActions(ctx, { withdraw: regCalls.codeWithdraw }, { machine: enrolCodeMachine, state: row.state })
      : [],
  ),
});
const readCode = async (ctx: Ctx, id: number) => {
  const row = await selectCodes(ctx.db, ctx.now()).where('c.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return codeOf(ctx)(row);
};

export const pageCodes: Handler<typeof regCalls.codes> = (ctx, { criteria, page: wanted }) =>
  page(
    ctx.db,
    selectCodes(ctx.db, ctx.now()).where(all(exact(statusAt(ctx.now()), criteria.status), exact('c.dept_id', criteria.deptId))),
    {
      page: wanted,
      sorts: { createdAt: 'c.created_at' },
      id: 'c.id',
      map: codeOf(ctx),
    },
  );

export const addCode: Handler<typeof regCalls.code> = async (ctx, input, wire) => {
  const dept = await deptInScope(ctx.db, ctx.scope.path, input.deptId);
  if (input.sn !== undefined) {
    const { sn } = input;
    const foreign = await ctx.unscoped((db) => db.selectFrom('device').select('dept_path').where('sn', '=', sn).executeTakeFirst());
    if (foreign && !foreign.dept_path.startsWith(dept.path)) throw new Fault('SN_TAKEN', { fields: { sn: 'fault.SN_TAKEN' } });
  }
  const { id, code } = await makeEnrolCode(ctx.db, {
    deptId: dept.id,
    deptPath: dept.path,
    productId: input.productId,
    sn: input.sn,
    maxUses: input.sn ? 1 : input.maxUses,
    expiresAt: new Date(ctx.now().getTime() + input.hours * 3_600_000),
    actor: { userId: ctx.actor.userId, userName: ctx.actor.userName },
  });
  ctx.audit({ target: `code ${code.slice(0, 5)}` });
  // What the terminal says it is decides which packages fit it.
  const product = await productToSay(ctx, input.productId);
  const words = [
    'npm run fleet --',
    `--server ${wire.request.protocol}://${wire.request.host}`,
    `--product ${product}`,
    `--code ${code}`,
    input.sn ? `--sn ${input.sn}` : `--count ${input.maxUses}`,
  ];
  return { ...(await readCode(ctx, id)), code, command: words.join(' ') };
};

/** The code's own product, or the only published one; otherwise a word to replace, which a shell takes as it is. */
async function productToSay(ctx: Ctx, productId: number | undefined): Promise<string> {
  const products = ctx.db.selectFrom('product_product').select('code');
  const found = await (productId === undefined
    ? products.where('publish_status', '=', productMachine.states.published.code)
    : products.where('id', '=', productId)
  )
    .limit(2)
    .execute();
  return (found.length === 1 && found[0]?.code) || 'PRODUCT_CODE';
}

export const withdrawCode: Handler<typeof regCalls.codeWithdraw> = async (ctx, { id }) => {
  await readCode(ctx, id);
  if ((await move(ctx.db, codeRows, 'withdraw', [id], { actorId: ctx.actor.userId })).length === 0) throw fault('OVERTAKEN');
  return readCode(ctx, id);
};
