import type { appVersionCalls } from '@mooring/contract/app/calls';
import { Delivery } from '@mooring/contract/engines/rollout/schemas';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { enableTask } from '../../engines/rollout/move-task.ts';
import type { RolloutKind } from '../../engines/rollout/task.ts';
import { addTask } from '../../engines/rollout/write-task.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { heldVersion, nameIn, shortName } from './version-rows.ts';

type Calls = typeof appVersionCalls;
const MOST_SHOWN = 200;
const NAME = 64;

/** Test terminals `d` of the products of a version, of the actor's range. */
const testTerminals = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('device as d')
    .innerJoin('app_version_product as p', (join) => join.onRef('p.product_id', '=', 'd.product_id').on('p.version_id', '=', id))
    .innerJoin('product_product as k', 'k.id', 'd.product_id')
    .innerJoin('org_dept as o', 'o.id', 'd.dept_id')
    .where('d.test_terminal', '=', sql<boolean>`true`)
    .where('d.deleted_at', 'is', null)
    .select(['d.id', 'd.sn', 'd.name', 'k.name as productName', 'o.name as deptName']);

/** A reviewer's trial of a version that waits: a release like any other, but for whom it may reach (`softAppRelease`). */
export const makeTrial = (kind: () => RolloutKind): { readonly [K in 'testTerminals' | 'trial']: Handler<Calls[K]> } => ({
  testTerminals: async (ctx, { id }) => {
    const seen = await ctx.db
      .selectFrom('app_version')
      .select('id')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`starts_with(dept_path, ${ctx.scope.path})`)
      .executeTakeFirst();
    if (!seen) throw fault('NOT_FOUND');
    return testTerminals(ctx, id).orderBy('d.sn').limit(MOST_SHOWN).execute();
  },
  trial: async (ctx, { id, contentHash, deviceIds }) => {
    const row = await heldVersion(ctx, ctx.db, id);
    if (row.content_hash !== contentHash) throw fault('OVERTAKEN');
    const chosen = [...new Set(deviceIds)];
    const on = await testTerminals(ctx, id).where('d.id', '=', sql<number>`any(${chosen}::bigint[])`).execute();
    if (on.length < chosen.length) throw fault('NOT_FOUND');
    const name = t(ctx.lang, 'appRelease.words.trial', { name: `${nameIn(row)} ${shortName(row)}` }).slice(0, NAME);
    const made = await addTask(kind(), '1')(ctx, {
      name,
      content: { action: 'trial', versionId: id },
      scope: { releaseScope: '2', sns: on.map(({ sn }) => sn) },
      delivery: Delivery.parse({}),
      remark: '',
      release: false,
    });
    await enableTask(ctx, kind(), made.id);
    return { id: made.id, name, terminals: on.length };
  },
});
