import { Fault, fault } from '@mooring/contract/kit/fault';
import { ParamFile, ParamSet, paramFileCalls, paramSetCalls } from '@mooring/contract/paramfile/calls';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import { resource } from '../../platform/resource/resource.ts';
import { PARAM_DIGEST } from './add-set.ts';
import { dropBytes } from './bytes.ts';

/** Gone with its files; their bytes follow in the background. */
async function deleteSet(ctx: Ctx, id: number): Promise<null> {
  const row = await ctx.db.selectFrom('paramfile_set').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  // Past the range: a terminal may have moved to another organisation, and its file goes with the rest.
  const files = await ctx.unscoped((db) => db.selectFrom('paramfile_file').select('sha256').where('set_id', '=', id).execute());
  await unlessRefused(
    ctx.db,
    () => ctx.db.deleteFrom('paramfile_set').where('id', '=', id).execute(),
    ({ kind }) => (kind === 'referenced' ? new Fault('PARAM_SET_IN_USE') : undefined),
  );
  await dropBytes(
    ctx,
    ctx.db,
    files.map((one) => one.sha256),
  );
  ctx.audit({ target: `parameter files ${row.name}`, before: { files: row.files } });
  return null;
}

export const paramSets = resource(ParamSet, paramSetCalls, {
  table: 'paramfile_set',
  small: true,
  target: (row) => `parameter files ${row.name}`,
  joined: (query) => query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select('o.name as dept_name'),
  handlers: { delete: (ctx, { id }) => deleteSet(ctx, id) },
});

/** What the terminal has now, as it reported. */
const held = sql<string>`case when d.settings ->> 'paramFile' is null then 'none' when d.settings ->> 'paramFile' = left(t.sha256, ${sql.lit(PARAM_DIGEST)}) then 'same' else 'other' end`;

export const paramFiles = resource(ParamFile, paramFileCalls, {
  table: 'paramfile_file',
  target: (row) => `parameter file ${row.sn}`,
  // Who can't see the terminal any more doesn't see its file either.
  joined: (query) => query.innerJoin('device as d', 'd.id', 't.device_id').select(['d.name as device_name', held.as('held')]),
});
