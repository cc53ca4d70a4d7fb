import { TemplateFields } from '@mooring/contract/paramfile/template-fields';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { job } from '../../platform/module.ts';
import { noteWanted } from './drift.ts';
import { levelsAbove, type Sealer, wantedSet } from './levels.ts';
import { chainsOf, outcomes } from './own-results.ts';

const DRIFT = 'paramfile:drift';
const BATCH = 500;

interface Stale {
  readonly id: number;
  readonly template_id: number;
  readonly level: 'all' | 'org' | 'merchant' | 'shop';
  readonly path: string | null;
  readonly place_id: number | null;
  readonly after_path: string;
  readonly after_id: number;
}
interface Next {
  readonly id: number;
  readonly path: string;
}

/** What these terminals would get of a template today. */
async function lookAt(db: Db, app: Sealer, templateId: number, ids: readonly number[]): Promise<void> {
  const template = await db.selectFrom('paramfile_template').select('fields').where('id', '=', templateId).executeTakeFirst();
  const fields = TemplateFields.safeParse(template?.fields);
  if (!fields.success || ids.length === 0) return;
  const chains = await chainsOf(db, ids);
  const outcome = outcomes(app, templateId, fields.data, await levelsAbove(db, templateId, chains));
  await noteWanted(
    db,
    templateId,
    chains.map((chain) => ({ deviceId: chain.deviceId ?? 0, path: chain.path, wanted: outcome(chain).digest })),
  );
}

/** The next terminals of a place, each kind of place by its own index: what is done for one shop doesn't grow with the fleet. */
const nextOf = ({ template_id, level, path, place_id, after_path, after_id }: Stale) => {
  if (level === 'all')
    return sql<Next>`select device_id as id, dept_path as path from paramfile_given
      where template_id = ${template_id} and device_id > ${after_id} order by device_id limit ${BATCH}`;
  if (level === 'org')
    return sql<Next>`select device_id as id, dept_path as path from paramfile_given
      where template_id = ${template_id} and dept_path >= ${path} and dept_path < ${`${path}~`} and (dept_path, device_id) > (${after_path}, ${after_id})
      order by dept_path, device_id limit ${BATCH}`;
  const column = sql.ref(level === 'merchant' ? 'd.merchant_id' : 'd.shop_id');
  return sql<Next>`select g.device_id as id, g.dept_path as path from device d join paramfile_given g on g.device_id = d.id and g.template_id = ${template_id}
    where ${column} = ${place_id} and g.device_id > ${after_id} order by g.device_id limit ${BATCH}`;
};

/** The next part of the first place that waits. Answers whether there was one. */
async function lookBelow(db: Db, app: Sealer): Promise<boolean> {
  const found = await sql<Stale>`
    select id, template_id, level, path, place_id, after_path, after_id from paramfile_stale order by id limit 1 for update skip locked`.execute(
    db,
  );
  const stale = found.rows[0];
  if (!stale) return false;
  await lockSet(db, wantedSet(stale.template_id));
  const { rows } = await nextOf(stale).execute(db);
  await lookAt(
    db,
    app,
    stale.template_id,
    rows.map((row) => row.id),
  );
  const last = rows.at(-1);
  if (!last || rows.length < BATCH) await db.deleteFrom('paramfile_stale').where('id', '=', stale.id).execute();
  else await db.updateTable('paramfile_stale').set({ after_path: last.path, after_id: last.id }).where('id', '=', stale.id).execute();
  return true;
}

/** Templates that have terminals which stand elsewhere, or have values of their own. */
async function movedOf(db: Db): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`select distinct template_id as id from paramfile_given where stale order by 1`.execute(db);
  return rows.map((row) => row.id);
}
/** The next of them. Those that are being moved right now are passed over: whoever moves them asks again. */
async function lookAtMoved(db: Db, app: Sealer, templateId: number): Promise<boolean> {
  // Before any of their rows is held: who shares the set writes them.
  await lockSet(db, wantedSet(templateId));
  const { rows } = await sql<{ id: number }>`
    update paramfile_given g set stale = false from (
      select device_id from paramfile_given where template_id = ${templateId} and stale order by device_id limit ${BATCH} for update skip locked
    ) x where g.template_id = ${templateId} and g.device_id = x.device_id returning g.device_id as id`.execute(db);
  await lookAt(
    db,
    app,
    templateId,
    rows.map((row) => row.id),
  );
  return rows.length > 0;
}

/** A part is a transaction, and remembers how far it came: a second run goes on there, and looking twice finds the same. */
export const driftJob = (app: Sealer) =>
  job({
    name: DRIFT,
    payload: z.object({}),
    // Where a run was lost, the next one finds what waits.
    every: '*/5 * * * *',
    async run(ctx: Ctx) {
      while (await ctx.unscoped((db) => lookBelow(db, app)));
      for (const templateId of await ctx.unscoped(movedOf)) while (await ctx.unscoped((db) => lookAtMoved(db, app, templateId)));
      await ctx.unscoped((db) => ctx.invalidate(db, '/paramfile/template', '1.'));
    },
  });
