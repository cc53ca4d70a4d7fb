import { softAppKind } from '@mooring/contract/app/app-kind';
import type { appVersionCalls } from '@mooring/contract/app/calls';
import type { AppVersion } from '@mooring/contract/app/schemas';
import { taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import { sql } from 'kysely';
import { reasonsOf } from '../../engines/rollout/result-queries.ts';
import { talliesOf } from '../../engines/rollout/tally.ts';
import type { Handler } from '../../platform/module.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { atSubscribers } from './at-subscribers.ts';
import { isOn } from './is-on.ts';
import { trialState } from './trial.ts';

/** The newest of them: what became of the others is on their own pages. */
const MOST_RELEASES = 20;

/** On which terminals of the scope a version stands, and what became of its releases there. */
export const onTerminals =
  (versions: () => Pick<Resource<typeof AppVersion>, 'read'>): Handler<typeof appVersionCalls.onTerminals> =>
  async (ctx, { id }) => {
    const { packageName, versionCode, certificateSha256, lineage, publishState, appId, own } = await versions().read(ctx, id);
    const version = {
      id,
      package_name: packageName,
      version_code: versionCode,
      certificate_sha256: certificateSha256,
      lineage,
      publish_state: publishState,
    };
    const is = isOn('i', version);
    const stands = await sql<{ installed: number; others: number }>`
      select count(*) filter (where ${is})::int as installed, count(*) filter (where ${is} is not true)::int as others
      from device_app i where package_name = ${packageName} and dept_path >= ${ctx.scope.path} and dept_path < ${`${ctx.scope.path}~`}`.execute(
      ctx.db,
    );
    const at = stands.rows[0] ?? { installed: 0, others: 0 };
    // How releases fare is for whoever may see releases, and for whoever brought the app; how a trial does, for reviewers.
    const { permissions } = ctx.actor;
    const seesAll = permissions.has(taskPermission(softAppKind, 'page'));
    const reviews = permissions.has('app:app:review');
    const trial = reviews ? await trialState(ctx, version) : { open: 0, installed: 0 };
    const subscribers = own ? await atSubscribers(ctx, id, appId) : null;
    if (!seesAll && !reviews && !own) return { ...at, tally: {}, reasons: [], trial, subscribers };
    const isTrial = sql<boolean>`content ->> 'action' = 'trial'`;
    const tasks = await ctx.db
      .selectFrom('rollout_task')
      .select('id')
      .where('app_version_id', '=', id)
      .$if(!seesAll && !reviews, (query) => query.where(sql<boolean>`not ${isTrial}`))
      .$if(!seesAll && !own, (query) => query.where(isTrial))
      .orderBy('id', 'desc')
      .limit(MOST_RELEASES)
      .execute();
    const ids = tasks.map((task) => task.id);
    const tally: Record<string, number> = {};
    for (const one of (await talliesOf(ctx.db, ids)).values())
      for (const [state, count] of Object.entries(one)) tally[state] = (tally[state] ?? 0) + count;
    return { ...at, tally, reasons: await reasonsOf(ctx.db, ids), trial, subscribers };
  };
