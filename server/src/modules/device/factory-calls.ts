import type { FactoryAuthorityNew, regCalls } from '@mooring/contract/device/reg-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, contains } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { deptInScope } from './add-device.ts';
import { isStrong, isValidAt, mayIssue, readCertificates } from './factory-chain.ts';

const selectFactories = (db: Db) =>
  db
    .selectFrom('device_factory as f')
    .innerJoin('org_dept as o', 'o.id', 'f.dept_id')
    .leftJoin('product_product as p', 'p.id', 'f.product_id')
    .selectAll('f')
    .select(['p.name as product_name', 'o.name as dept_name']);
type Row = Awaited<ReturnType<ReturnType<typeof selectFactories>['executeTakeFirstOrThrow']>>;

const factoryOf = (row: Row) => ({
  id: row.id,
  name: row.name,
  subject: row.subject,
  fingerprint: row.fingerprint,
  certificate: row.certificate,
  expiresAt: row.expires_at,
  snPrefix: row.sn_prefix,
  productId: row.product_id,
  productName: row.product_name,
  deptId: row.dept_id,
  deptName: row.dept_name,
  revoked: row.revoked,
  enabled: row.enabled,
  accepted: row.accepted,
  remark: row.remark,
  revision: row.revision,
  createdAt: row.created_at,
});
const readFactory = async (ctx: Ctx, id: number) => {
  const row = await selectFactories(ctx.db).where('f.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return factoryOf(row);
};

/** What is kept of the certificate, or why it can't be trusted. */
function certificateColumns(pem: string, now: Date) {
  const refuse = (name: string) => new Fault(name, { fields: { certificate: `fault.${name}` } });
  const read = readCertificates(pem);
  const [authority] = read ?? [];
  if (!authority || read?.length !== 1) throw refuse('CERTIFICATE_UNREADABLE');
  if (!mayIssue(authority, 0)) throw refuse('CERTIFICATE_NO_AUTHORITY');
  if (!isValidAt(authority, now)) throw refuse('CERTIFICATE_EXPIRED');
  if (!isStrong(authority)) throw refuse('CERTIFICATE_WEAK');
  return {
    certificate: authority.node.toString().trim(),
    fingerprint: authority.node.fingerprint256.replaceAll(':', '').toLowerCase(),
    subject: authority.read.subject,
    expires_at: authority.read.notAfter,
  };
}
const columns = (factory: z.output<typeof FactoryAuthorityNew>, dept: { id: number; path: string }, now: Date) => ({
  ...certificateColumns(factory.certificate, now),
  name: factory.name,
  sn_prefix: factory.snPrefix,
  product_id: factory.productId,
  dept_id: dept.id,
  dept_path: dept.path,
  revoked: [...factory.revoked],
  enabled: factory.enabled,
  remark: factory.remark,
});

export const pageFactories: Handler<typeof regCalls.factories> = (ctx, { criteria, page: wanted }) =>
  page(ctx.db, selectFactories(ctx.db).where(all(contains('f.name', criteria.name))), {
    page: wanted,
    sorts: { createdAt: 'f.created_at', name: 'f.name', expiresAt: 'f.expires_at' },
    id: 'f.id',
    map: factoryOf,
  });

export const addFactory: Handler<typeof regCalls.factoryAdd> = async (ctx, input) => {
  const dept = await deptInScope(ctx.db, ctx.scope.path, input.deptId);
  const { id } = await ctx.db
    .insertInto('device_factory')
    .values(columns(input, dept, ctx.now()))
    .returning('id')
    .executeTakeFirstOrThrow();
  ctx.audit({ target: input.name });
  return readFactory(ctx, id);
};

export const updateFactory: Handler<typeof regCalls.factoryUpdate> = async (ctx, { id, ...input }) => {
  const dept = await deptInScope(ctx.db, ctx.scope.path, input.deptId);
  const before = await readFactory(ctx, id);
  await ctx.db
    .updateTable('device_factory')
    .set(columns(input, dept, ctx.now()))
    .where('id', '=', id)
    .execute();
  ctx.audit({ target: input.name, before, after: input });
  return readFactory(ctx, id);
};

/** Terminals that came in by it stay: they have certificates of ours. */
export const deleteFactory: Handler<typeof regCalls.factoryDelete> = async (ctx, { id }) => {
  const before = await readFactory(ctx, id);
  ctx.audit({ target: before.name, before });
  await ctx.db.deleteFrom('device_factory').where('id', '=', id).execute();
  return null;
};
