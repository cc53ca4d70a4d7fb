import { Fault, fault } from '@mooring/contract/kit/fault';
import type { DownloadDomain, downloadDomainCalls } from '@mooring/contract/settings/domain-calls';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, containsWords } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';

const select = (db: Db) =>
  db
    .selectFrom('settings_download_domain as s')
    .innerJoin('org_dept as o', 'o.id', 's.dept_id')
    .select(['s.id', 's.name', 's.url', 's.dept_id', 'o.name as dept_name', 's.enabled', 's.created_at', 's.revision']);
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;
const domainOf =
  (ctx: Ctx) =>
  (row: Row): z.input<typeof DownloadDomain> => ({
    id: row.id,
    name: row.name,
    url: row.url,
    deptId: row.dept_id,
    deptName: row.dept_name,
    enabled: row.enabled,
    revision: row.revision,
    createdAt: row.created_at,
    ...allowing(ctx.actor.permissions.has('settings:system:update') ? ['update', 'delete'] : []),
  });

export const pageDomains: Handler<typeof downloadDomainCalls.page> = (ctx, { criteria, page: wanted }) => {
  const query = select(ctx.db).where(
    all(
      containsWords(['s.name', 's.url'], criteria.text),
      criteria.enabled === undefined ? undefined : sql<boolean>`s.enabled = ${criteria.enabled}`,
    ),
  );
  return page(ctx.db, query, { page: wanted, sorts: { name: 's.name', createdAt: 's.created_at' }, id: 's.id', map: domainOf(ctx) });
};

export async function readDomain(ctx: Ctx, id: number) {
  const row = await select(ctx.db).where('s.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return domainOf(ctx)(row);
}

const taken = () => new Fault('DOMAIN_TAKEN', { fields: { url: 'fault.DOMAIN_TAKEN' } });
interface Input {
  name: string;
  url: string;
  deptId: number;
  enabled: boolean;
}
async function columns(ctx: Ctx, input: Input) {
  const dept = await ctx.db.selectFrom('org_dept').select(['id', 'dept_path']).where('id', '=', input.deptId).executeTakeFirstOrThrow();
  return { name: input.name, url: input.url, enabled: input.enabled, dept_id: dept.id, dept_path: dept.dept_path };
}

export const addDomain: Handler<typeof downloadDomainCalls.add> = async (ctx, input) => {
  const made = await ctx.db
    .insertInto('settings_download_domain')
    .values(await columns(ctx, input))
    .onConflict((on) => on.columns(['dept_id', 'url']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) throw taken();
  ctx.audit({ target: `download domain ${input.url}`, after: input });
  return readDomain(ctx, made.id);
};

export const updateDomain: Handler<typeof downloadDomainCalls.update> = async (ctx, { id, ...input }) => {
  const before = await readDomain(ctx, id);
  const other = await ctx.db
    .selectFrom('settings_download_domain')
    .select('id')
    .where('dept_id', '=', input.deptId)
    .where('url', '=', input.url)
    .where('id', '!=', id)
    .executeTakeFirst();
  if (other) throw taken();
  await ctx.db
    .updateTable('settings_download_domain')
    .set(await columns(ctx, input))
    .where('id', '=', id)
    .execute();
  ctx.audit({ target: `download domain ${before.url}`, before, after: input });
  return readDomain(ctx, id);
};

export const deleteDomain: Handler<typeof downloadDomainCalls.delete> = async (ctx, { id }) => {
  const before = await readDomain(ctx, id);
  await ctx.db.deleteFrom('settings_download_domain').where('id', '=', id).execute();
  ctx.audit({ target: `download domain ${before.url}`, before });
  return null;
};
