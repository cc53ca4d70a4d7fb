import type { appVersionCalls } from '@mooring/contract/app/calls';
import { Delivery } from '@mooring/contract/engines/rollout/schemas';
import { taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { cancelTask, enableTask } from '../../engines/rollout/move-task.ts';
import type { RolloutKind } from '../../engines/rollout/task.ts';
import { addTask } from '../../engines/rollout/write-task.ts';
import type { Ctx } from '../../platform/context.ts';
import { all, containsWords } from '../../platform/db/criteria.ts';
import type { Handler } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { type Installable, isOn } from './is-on.ts';
import { heldVersion, listedStates, nameIn, shortName, targetOf, type VersionRow } from './version-rows.ts';

type Calls = typeof appVersionCalls;
type Tried = Installable & Pick<VersionRow, 'publish_state'>;
const MOST_SHOWN = 50;
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

const isTrial = sql<boolean>`content ->> 'action' = 'trial'`;
const open: readonly string[] = taskMachine.events.cancel.from;
/** Trials of a version in the actor's range. */
const trialsOf = ({ db, scope }: Pick<Ctx, 'db' | 'scope'>, id: number) =>
  db
    .selectFrom('rollout_task')
    .select(['id', 'state'])
    .where('app_version_id', '=', id)
    .where(isTrial)
    .where(sql<boolean>`starts_with(dept_path, ${scope.path})`)
    .orderBy('id')
    .execute();

/**
 * Terminals `sn` that have it because one of these trials brought it: no release after it that did, whosesoever it is. What is in the catalogue by now
 * stays, as releases count it as installed; what is being taken off already isn't taken off twice.
 */
async function triedOn({ unscoped }: Pick<Ctx, 'unscoped'>, version: Tried, trials: readonly number[]) {
  if (trials.length === 0 || listedStates.includes(version.publish_state)) return [];
  const { rows } = await unscoped((db) =>
    sql<{ sn: string }>`
    select distinct d.sn from rollout_result r join device d on d.id = r.device_id
    join device_app i on i.device_id = d.id and ${isOn('i', version)}
    where r.task_id = any(${[...trials]}::bigint[]) and r.state in ('2', '3', '6') and d.deleted_at is null
      and not exists (select from rollout_result l join rollout_task t on t.id = l.task_id where l.device_id = d.id and l.kind = r.kind and l.part = r.part
        and l.id > r.id and l.state in ('3', '6') and t.content ->> 'action' <> 'trial')
      and not exists (select from rollout_result u join rollout_task t on t.id = u.task_id where u.device_id = d.id and u.kind = r.kind and u.part = r.part
        and u.id > r.id and u.state in ('1', '2') and t.content ->> 'action' = 'uninstall') order by d.sn`.execute(db),
  );
  return rows.map(({ sn }) => sn);
}

/** How trials of a version stand, for who may end them. */
export async function trialState(ctx: Pick<Ctx, 'db' | 'scope' | 'unscoped'>, version: Tried & { id: number }) {
  const trials = await trialsOf(ctx, version.id);
  const on = await triedOn(
    ctx,
    version,
    trials.map(({ id }) => id),
  );
  return { open: trials.filter(({ state }) => open.includes(state)).length, installed: on.length };
}

/** Goes to these terminals at once, by the word of a reviewer. */
async function send(ctx: Ctx, kind: RolloutKind, name: string, content: object, sns: readonly string[]) {
  const scope = { releaseScope: '2' as const, sns: [...sns] };
  const made = await addTask(kind, '1')(ctx, { name, content, scope, delivery: Delivery.parse({}), remark: '', release: false });
  await enableTask(ctx, kind, made.id);
  return made.id;
}

/** A reviewer's trial of a version that waits: a release like any other, but for whom it may reach (`softAppRelease`). */
export const makeTrial = (kind: () => RolloutKind): { readonly [K in 'testTerminals' | 'trial' | 'endTrial']: Handler<Calls[K]> } => ({
  testTerminals: async (ctx, { id, text, ids }) => {
    const seen = await ctx.db
      .selectFrom('app_version')
      .select('id')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`starts_with(dept_path, ${ctx.scope.path})`)
      .executeTakeFirst();
    if (!seen) throw fault('NOT_FOUND');
    const which = ids ? sql<boolean>`d.id = any(${ids}::bigint[])` : containsWords(['d.sn', 'd.name', 'k.name'], text || undefined);
    return testTerminals(ctx, id).where(all(which)).orderBy('d.sn').limit(MOST_SHOWN).execute();
  },
  trial: async (ctx, { id, contentHash, deviceIds }) => {
    const row = await heldVersion(ctx, ctx.db, id);
    if (row.content_hash !== contentHash) throw fault('OVERTAKEN');
    const chosen = [...new Set(deviceIds)];
    const on = await testTerminals(ctx, id).where('d.id', '=', sql<number>`any(${chosen}::bigint[])`).execute();
    if (on.length < chosen.length) throw fault('NOT_FOUND');
    const name = t(ctx.lang, 'appRelease.words.trial', { name: `${nameIn(row)} ${shortName(row)}` }).slice(0, NAME);
    const made = await send(
      ctx,
      kind(),
      name,
      { action: 'trial', versionId: id },
      on.map(({ sn }) => sn),
    );
    return { id: made, name, terminals: on.length };
  },
  endTrial: async (ctx, { id }) => {
    const row = await heldVersion(ctx, ctx.db, id);
    const trials = await trialsOf(ctx, id);
    const running = trials.filter(({ state }) => open.includes(state));
    for (const one of running) await cancelTask(ctx, kind(), one.id);
    const on = await triedOn(
      ctx,
      row,
      trials.map((one) => one.id),
    );
    const full = `${nameIn(row)} ${shortName(row)}`;
    if (on.length > 0) {
      const content = { action: 'uninstall', packageName: row.package_name, appName: nameIn(row) };
      await send(ctx, kind(), t(ctx.lang, 'appRelease.words.uninstall', { name: full }).slice(0, NAME), content, on);
    }
    if (running.length + on.length === 0) throw fault('OVERTAKEN');
    ctx.audit({ target: targetOf(row), after: { cancelled: running.length, uninstalling: on.length } });
    return { cancelled: running.length, uninstalling: on.length };
  },
});
